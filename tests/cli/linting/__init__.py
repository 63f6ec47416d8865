"""What lint does beside judging.

Tested through others:

- `file_batches`, `inspect`, `inspection`: test_process_pool.py
- `lint_options`, `lint_report`: cli/commands/test_lint.py
"""
