"""What stands in a draft whoever writes it: a crisis line, whom to call where comfort is the goal, contradictions of the note."""
