"""Fit: whether a sentence belongs to this patient, whoever wrote it.

Support says what a sentence rests on; fit says whether it holds for the person of the note: their sex and age, what they have
and deny, what they take and what speaks against it. `general_advice` decides it for the general sentences of passages, which
the composer writes only where they fit.
"""
