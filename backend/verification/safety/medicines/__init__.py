"""The medicines of a draft: which they are, against each other, against what the patient has, and by dose."""
