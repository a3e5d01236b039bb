"""What a hospital's own clinicians accept, change or refuse of the starter knowledge, kept outside the shipped files."""
