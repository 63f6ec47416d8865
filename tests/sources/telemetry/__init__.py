"""What tracing keeps of conversations. What is recognised and not read is in test_named_only.py.

Tested through others:

- `composed_node`: test_attributes.py
- `llm_calls`, `spans`: test_opentelemetry.py
- `told_bodies`: test_langfuse.py, test_litellm.py
- `typed_messages`: test_usual_messages.py
"""
