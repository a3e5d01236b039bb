"""What a clinician changes in a case: sentences, gaps and their answers, medicines."""
