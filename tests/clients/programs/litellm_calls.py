"""A program on litellm: `python litellm_calls.py URL sound|broken [stream]`. Its callback writes what LiteLLM makes of
each call to payload.jsonl, and what was sent and came back to raw.jsonl."""

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path

import litellm
from litellm.integrations.custom_logger import CustomLogger

URL, BROKEN, STREAM = sys.argv[1], sys.argv[2] == "broken", "stream" in sys.argv
NAMES = ("get_weather", "find_flights")
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOLS = [
    {"type": "function", "function": {"name": name, "description": "x", "parameters": PARAMETERS}} for name in NAMES
]


class Callback(CustomLogger):
    def write(self, kwargs):
        raw = {
            "raw_request": kwargs["additional_args"].get("complete_input_dict"),
            "original_response": kwargs.get("original_response"),
        }
        for name, value in (("payload.jsonl", kwargs["standard_logging_object"]), ("raw.jsonl", raw)):
            with Path(name).open("a") as file:
                file.write(json.dumps(value, default=str) + "\n")

    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        self.write(kwargs)

    async def async_log_failure_event(self, kwargs, response_obj, start_time, end_time):
        self.write(kwargs)


async def ask(messages):
    said = await litellm.acompletion(
        model="gemini/gemini-2.5-flash",
        api_base=f"{URL}/v1beta",
        api_key="none",
        messages=messages,
        tools=TOOLS,
        stream=STREAM,
        num_retries=0,
    )
    if STREAM:
        said = litellm.stream_chunk_builder([chunk async for chunk in said], messages=messages)
    return said.choices[0].message.model_dump()


async def main():
    litellm.callbacks = [Callback()]
    messages = [{"role": "user", "content": "What is the weather? [[call=get_weather,find_flights]]"}]
    messages.append(await ask(messages))
    for call in messages[-1]["tool_calls"][: 1 if BROKEN else 2]:
        answer = {"role": "tool", "tool_call_id": call["id"], "name": call["function"]["name"], "content": "sunny"}
        messages.append(answer)
    with suppress(litellm.BadRequestError):
        await ask(messages)
    await asyncio.sleep(2)  # callbacks run behind


asyncio.run(main())
