"""The Streamlit page. It speaks to the API alone: of the backend it imports the schemas and the settings."""
