"""The unrolled program: tables, and what its accesses touch and need alive."""
