"""What tracing keeps of conversations: spans, generations, payloads of callbacks."""
