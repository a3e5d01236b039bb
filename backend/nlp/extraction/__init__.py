"""The patient record as a language model reads it: a strict form, every quote looked for in the note, merged with the rules'."""
