"""What the composer writes with: material, wording, and one module a document."""
