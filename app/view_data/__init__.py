"""What the components draw, as values: read from drafts, cases and fields, without Streamlit."""
