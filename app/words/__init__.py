"""The page's texts: English in the code, other languages in a gettext catalogue each (README.md)."""
