"""The kernel language: `parse` reads it and `print` writes it back."""
