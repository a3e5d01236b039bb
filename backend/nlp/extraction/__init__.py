"""From a note to its linked form: the rules' reading, the record a language model reads merged with it, and a clinician's corrections."""
