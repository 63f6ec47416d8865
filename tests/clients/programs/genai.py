"""A program on google-genai: `python genai.py SCENE…`. It runs in a venv of its own, not in the tests'.

What it is told through the environment only, as any user's program would be, is where the server is.
"""

import asyncio
import sys
from typing import Any

from google import genai
from google.genai import errors, types
from google.oauth2 import credentials

MODEL = "gemini-3.6-flash"
WITHOUT_IDS = "gemini-2.5-flash"
LIVE = "gemini-3.8-live"
WEATHER = "What is the weather in Paris? [[call=get_weather]]"


def get_weather(city: str) -> dict[str, str]:
    """The weather in a city."""
    return {"weather": f"sunny in {city}"}


def sync(client: genai.Client) -> None:
    print(client.models.generate_content(model=MODEL, contents="Hello").text)


async def asynchronous(client: genai.Client) -> None:
    said = await client.aio.models.generate_content(model=MODEL, contents="Hello [[encoding=gzip]]")
    print(said.text)


def stream(client: genai.Client) -> None:
    for chunk in client.models.generate_content_stream(model=MODEL, contents="Hello [[slow=0.02]]"):
        print(chunk.text)


async def async_stream(client: genai.Client) -> None:
    async for chunk in await client.aio.models.generate_content_stream(model=MODEL, contents="Hello"):
        print(chunk.text)


def chat(client: genai.Client, model: str = WITHOUT_IDS) -> None:
    """The library calls the function and sends the answer by itself."""
    talk = client.chats.create(model=model, config=types.GenerateContentConfig(tools=[get_weather]))
    print(talk.send_message(WEATHER).text)
    print(talk.send_message("Both at once! [[call=get_weather,get_weather]]").text)
    print(talk.send_message("And tomorrow?").text)


def chat_with_ids(client: genai.Client) -> None:
    """What it sends by itself lacks the id of the call."""
    chat(client, MODEL)


def broken(client: genai.Client) -> None:
    """Two calls, one answer; and then nobody answers at all."""
    calls = [
        types.Part(function_call=types.FunctionCall(id=f"c{number}", name="get_weather", args={"city": "Paris"}))
        for number in (1, 2)
    ]
    calls[0].thought_signature = b"a signature of some length"
    answer = types.FunctionResponse(id="c1", name="get_weather", response={"weather": "sunny"})
    asked = [types.Content(role="user", parts=[types.Part(text="Weather?")]), types.Content(role="model", parts=calls)]
    for last in (types.Part(function_response=answer), types.Part(text="Well?")):
        try:
            client.models.generate_content(model=MODEL, contents=[*asked, types.Content(role="user", parts=[last])])
        except errors.ClientError as error:
            print(error.code)


async def live(client: genai.Client, answer: str = "") -> None:
    declared = types.FunctionDeclaration.from_callable(client=client._api_client, callable=get_weather)
    config = types.LiveConnectConfig(
        response_modalities=[types.Modality.AUDIO], tools=[types.Tool(function_declarations=[declared])]
    )
    async with client.aio.live.connect(model=LIVE, config=config) as session:
        await session.send_client_content(turns=types.Content(role="user", parts=[types.Part(text=WEATHER)]))
        async for message in session.receive():
            if message.tool_call:
                await session.send_tool_response(function_responses=_answers(message.tool_call, answer))
            if message.server_content and message.server_content.turn_complete:
                print("done")


async def live_broken(client: genai.Client) -> None:
    """The answer belongs to no call."""
    await live(client, answer="nobody")


def vertex(_: genai.Client) -> None:
    """On Vertex AI: other hosts, other paths, a bearer token."""
    client = _on_vertex()
    chat(client)
    asyncio.run(live(client))


def _on_vertex() -> genai.Client:
    token = credentials.Credentials(token="ya29.standin0123456789012345678901234567890123456789")
    return genai.Client(vertexai=True, project="a-project", location="us-central1", credentials=token)


def _answers(made: Any, call_id: str) -> list[types.FunctionResponse]:
    return [
        types.FunctionResponse(id=call_id or call.id, name=call.name, response=get_weather(**call.args))
        for call in made.function_calls
    ]


SCENES: dict[str, Any] = {
    "sync": sync,
    "async": asynchronous,
    "stream": stream,
    "async-stream": async_stream,
    "chat": chat,
    "chat-with-ids": chat_with_ids,
    "broken": broken,
    "vertex": vertex,
    "live": live,
    "live-broken": live_broken,
}

if __name__ == "__main__":
    for name in sys.argv[1:]:
        played = SCENES[name](genai.Client())
        if played is not None:
            asyncio.run(played)
