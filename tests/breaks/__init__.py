"""Ways to break what is whole, one file a subject. tests/breaks/test_requests_and_replies.py tries each on every sound
conversation.

A row names the break, the rule that must find it, the places where it can be done, and the function that does it. A
function is given a copy of the request and one of the places, changes it, and returns the steps to what is wrong.
"""

from tests.breaks import around, replies, requests, signatures, tools

REQUESTS = (*requests.BREAKS, *signatures.BREAKS, *tools.BREAKS, *around.BREAKS)
REPLIES = (*replies.BREAKS, *tools.DAMAGES)
