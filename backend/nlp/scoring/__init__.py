"""What a statement most likely says: a chain over named features, in which the rules' verdict is one. For medicines and problems."""
