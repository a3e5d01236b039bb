"""The registered safety checks and kinds of flags; `safety` runs the checks, `checks` is the seam."""
