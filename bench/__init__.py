"""What the budgets are measured with: `python -m bench`, and what the recorder costs: `python -m bench.proxy`."""
