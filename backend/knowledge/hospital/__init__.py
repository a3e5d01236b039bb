"""What is a hospital's own beside the knowledge that ships: its formulary and its instructions, as files of its data folder."""
