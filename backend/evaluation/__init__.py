"""Measures retrieval of concepts, written documents and the linker; the commands are `evaluate paths|notes|linking`."""
