"""All that touches mitmproxy; the command as a whole in end_to_end/.

Tested through others:

- `listening`: test_client_environment.py
- `command`, `serve`, `shutdown`, `settings`, `stand_in`: end_to_end/test_command.py and end_to_end/test_failures.py
- `traffic`: test_addon.py and capture/test_capture.py
- `step_view`: test_view.py
- `wirecheck_addon`: test_mitmdump.py
"""
