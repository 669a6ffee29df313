"""How an expression became its simplified form, law by law."""
