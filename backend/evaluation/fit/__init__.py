"""Fit measured: judged sentences against the verdicts of the fit check."""
