"""A program on livekit-agents: `python livekit_chat.py sound|broken`. Writes a chat context to chat.json."""

import json
import sys
from pathlib import Path

from livekit.agents.llm import ChatContext, FunctionCall, FunctionCallOutput

chat = ChatContext.empty()
chat.add_message(role="user", content="What is the weather, and where can I go?")
for number, name in enumerate(("get_weather", "find_flights")):
    chat.insert(FunctionCall(call_id=f"n{number}", name=name, arguments='{"city": "Paris"}'))
for number, name in enumerate(("get_weather", "find_flights")[: 1 if sys.argv[1] == "broken" else 2]):
    chat.insert(FunctionCallOutput(call_id=f"n{number}", name=name, output="sunny", is_error=False))
chat.add_message(role="assistant", content="It is sunny.")
Path("chat.json").write_text(json.dumps(chat.to_dict()))
