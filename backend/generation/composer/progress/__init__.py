"""The parts of a progress note that come from the patient record: plan by problem, changes, vital signs, header lines."""
