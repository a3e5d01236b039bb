"""The Streamlit user interface. It reaches the service over HTTP and imports only its schemas and settings."""
