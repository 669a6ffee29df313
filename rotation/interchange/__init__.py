"""The JSON form of kernels, read into the loop form."""
