"""What tracing keeps of conversations. `spans` and `llm_calls` are tested through `opentelemetry`, `composed_node`
through `attributes`; test_named_only.py has what is recognised and not read."""
