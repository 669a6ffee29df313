"""Programs that measure: counts that are gated, times that are reported."""
