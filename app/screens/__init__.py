"""One file a page; each draws itself when Streamlit runs it."""
