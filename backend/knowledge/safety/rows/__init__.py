"""The rows of safety as their files have them: interactions, contraindications, monitoring, doses, with grades and clauses."""
