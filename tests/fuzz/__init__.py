"""Fuzzing: each reader, each dialect, the files of users, the redactor, and pairs of ways that have to agree.

`python -m tests.fuzz` tries them on inputs that are made anew each time, guided by coverage where atheris is installed
(the extra `fuzz`). What falls over is kept, as small as it gets, in `regressions/<target>/`, which test_targets.py
replays.
"""
