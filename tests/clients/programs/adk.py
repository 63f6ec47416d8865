"""A program on google-adk: `python adk.py sound|broken`, in a folder of its own. Where the server is, it is told by the
environment. Writes what the kit keeps: sessions.db, older.db, session.json, events.jsonl, set.evalset.json. Version 1
writes no sessions.db."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from google.adk.agents import Agent
from google.adk.cli.utils.evals import convert_session_to_eval_invocations
from google.adk.evaluation.eval_case import EvalCase
from google.adk.evaluation.eval_set import EvalSet
from google.adk.runners import Runner
from google.adk.sessions.database_session_service import DatabaseSessionService
from google.genai import types

try:
    from google.adk.sessions.sqlite_session_service import SqliteSessionService
except ImportError:
    SqliteSessionService = None

BROKEN = sys.argv[1] == "broken"
ASKED = "What is the weather in Paris, and where can I go? [[call=get_weather,find_flights]]"


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def find_flights(city: str) -> str:
    """Flights to a city."""
    if BROKEN:
        raise RuntimeError("no flights")
    return "none"


async def run(service, name):
    agent = Agent(name="traveller", model="gemini-2.5-flash", tools=[get_weather, find_flights])
    runner = Runner(app_name="app", agent=agent, session_service=service)
    await service.create_session(app_name="app", user_id="u", session_id=name)
    asked = types.Content(role="user", parts=[types.Part(text=ASKED)])
    with suppress(RuntimeError):
        async for _ in runner.run_async(user_id="u", session_id=name, new_message=asked):
            pass
    return await service.get_session(app_name="app", user_id="u", session_id=name)


async def main():
    if SqliteSessionService is not None:
        await run(SqliteSessionService("sessions.db"), "s1")
    driver = "sqlite" if SqliteSessionService is None else "sqlite+aiosqlite"
    session = await run(DatabaseSessionService(f"{driver}:///older.db"), "s2")
    Path("session.json").write_text(session.model_dump_json(by_alias=True, exclude_none=True, indent=2))
    events = (event.model_dump_json(by_alias=True, exclude_none=True) for event in session.events)
    Path("events.jsonl").write_text("".join(f"{event}\n" for event in events))
    invocations = convert_session_to_eval_invocations(session)
    case = EvalCase(eval_id="case", conversation=invocations)
    written = EvalSet(eval_set_id="set", eval_cases=[case]).model_dump_json(indent=2)
    Path("set.evalset.json").write_text(written)


asyncio.run(main())
