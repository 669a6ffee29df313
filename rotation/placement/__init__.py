"""From instances of buffers to addresses."""
