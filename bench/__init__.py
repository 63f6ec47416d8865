"""What the budgets are measured with. Each file runs by itself: `python -m bench.proxy`."""
