"""What rows of safety ask of a patient: values, problems, medicines, amounts taken."""
