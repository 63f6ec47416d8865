"""The command line: in this process (logs.py), and as one of its own (test_process.py).

Tested through others:

- `app`, `exits`, `options`, `rule_selection`: commands/ and test_process.py
- `call_lanes`, `stories`: commands/test_show.py and stories/
- `new_log`: recorder/end_to_end/test_command.py
"""
