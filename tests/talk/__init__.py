"""Facts, from messages. Whole conversations are in stories/, sound ones broken on purpose in breaks/.

Tested through others:

- `content_facts`, `facts`, `lazy_facts`: dialects/test_content.py, rules/engine/test_shape_memo.py and memo/
- `history_state`: http/
- `scene`: stories/
- `talk`: http/ and sessions/
- `transcript`: stories/test_documents.py
"""
