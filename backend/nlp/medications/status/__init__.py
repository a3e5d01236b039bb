"""What a note tells of a medicine: at each place where it names it, and after the encounter as a whole; by rules, and by learned scorers."""
