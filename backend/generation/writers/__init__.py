"""The registered writers: one module each. The setting LEAPNOTE_GENERATOR names the writer, or an engine that one writes with."""
