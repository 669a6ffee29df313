"""Machines: geometry, reserved bytes, and what an operation costs."""
