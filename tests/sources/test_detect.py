"""What each line becomes, kind by kind."""

import base64
import json

import pytest

from tests.sources.telling import read, tell
from wirecheck.wire.records import Closed, Opened

ASK = '{"contents":[]}'
PART = '{"candidates":[{"content":{}}]}'
LAST = '{"candidates":[{"finishReason":"STOP"}]}'


def text(value: str) -> str:
    return json.dumps(value)


def b64(value: str) -> str:
    return base64.b64encode(value.encode()).decode()


EXCHANGES = {
    "as it should be": (
        f'{{"request":{{"method":"PUT","url":"u","headers":{{}},"body":{ASK}}},'
        f'"response":{{"status":200,"headers":{{}},"body":{LAST}}}}}',
        [
            f"1a opened PUT u /request/body {ASK}",
            "1a replied 200 /response/status",
            f"1a server /response/body {LAST}",
            "1a closed",
        ],
    ),
    "a record of a log as well": (
        '{"request":{"url":"u","body":{}},"response":{"status":200,"body":{}},"v":1,"kind":"closed","channel":"7"}',
        ["1a closed"],
    ),
    "a response that is a body as well": (
        '{"request":{"url":"u","body":{}},"response":{"body":{"a":1},"candidates":[]}}',
        [
            "1a opened POST u /request/body {}",
            '1a server /response {"body":{"a":1},"candidates":[]}',
            "1a closed",
        ],
    ),
    "never answered": (
        f'{{"request":{{"url":"u","body":{ASK}}},"response":null}}',
        [f"1a opened POST u /request/body {ASK}", "1a left"],
    ),
    "without a word about the answer": ('{"request":{"url":"u"}}', ["1a opened POST u", "1a left"]),
    "a status in a string": (
        '{"request":{"url":"u"},"response":{"status":"400","body":null}}',
        ["1a opened POST u", "1a replied 400 /response/status", "1a closed"],
    ),
    "a status nobody understands": (
        '{"request":{"url":"u"},"response":{"status":"fine"}}',
        ["1a opened POST u", "1a closed"],
    ),
    "a list of chunks": (
        f'{{"request":{{"url":"u"}},"response":{{"body":[{PART},{LAST}]}}}}',
        [
            "1a opened POST u",
            f"1a server /response/body/0 {PART}",
            f"1a server /response/body/1 {LAST}",
            "1a closed",
        ],
    ),
    "bodies as text": (
        f'{{"request":{{"body":{text(ASK)}}},"response":{{"body":{text(LAST)}}}}}',
        [f"1a opened POST /request/body» {ASK}", f"1a server /response/body» {LAST}", "1a closed"],
    ),
    "a list of chunks as text": (
        f'{{"request":{{"url":"u"}},"response":{{"body":{text(f"[{PART}, {LAST}]")}}}}}',
        [
            "1a opened POST u",
            f"1a server /response/body»/0 {PART}",
            f"1a server /response/body»/1 {LAST}",
            "1a closed",
        ],
    ),
    "a stream of events": (
        f'{{"request":{{"url":"u"}},"response":{{"body":{text(f"data: {PART}" + chr(10) * 2 + f"data: {LAST}")}}}}}',
        [
            "1a opened POST u",
            f"1a server /response/body»#0 {PART}",
            f"1a server /response/body»#1 {LAST}",
            "1a closed",
        ],
    ),
    "a list inside an event": (
        f'{{"request":{{"url":"u"}},"response":{{"body":{text(f"data: [{PART},{LAST}]")}}}}}',
        [
            "1a opened POST u",
            f"1a server /response/body»#0/0 {PART}",
            f"1a server /response/body»#0/1 {LAST}",
            "1a closed",
        ],
    ),
    "text that is neither": (
        '{"request":{"body":"hi"},"response":{"status":502,"body":"<html>"}}',
        [
            "1a opened POST /request/body text:hi",
            "1a replied 502 /response/status",
            "1a server /response/body text:<html>",
            "1a closed",
        ],
    ),
    "text that looks like a stream": (
        '{"request":{"url":"u"},"response":{"body":"id: unknown"}}',
        ["1a opened POST u", "1a server /response/body text:id: unknown", "1a closed"],
    ),
    "nothing in them": ('{"request":{"body":""},"response":{"body":""}}', ["1a opened POST", "1a closed"]),
    "with a URI, and bodies in objects": (
        f'{{"request":{{"uri":"u","body":{{"string":{text(ASK)}}}}},'
        f'"response":{{"status":{{"code":200,"message":"OK"}},"body":{{"encoding":"UTF-8","string":{text(LAST)}}}}}}}',
        [
            f"1a opened POST u /request/body/string» {ASK}",
            "1a replied 200 /response/status",
            f"1a server /response/body/string» {LAST}",
            "1a closed",
        ],
    ),
    "with a stream in an object": (
        f'{{"request":{{"uri":"u"}},"response":{{"body":{{"a/b":{text(f"data: {LAST}")}}}}}}}',
        ["1a opened POST u", f"1a server /response/body/a~1b»#0 {LAST}", "1a closed"],
    ),
    "with objects that are bodies themselves": (
        '{"request":{"uri":"u","body":{"contents":"[1]"}},"response":{"body":{"a":"[1]","b":"[2]"}}}',
        [
            '1a opened POST u /request/body {"contents":"[1]"}',
            '1a server /response/body {"a":"[1]","b":"[2]"}',
            "1a closed",
        ],
    ),
    "the reply in place of the response": (
        f'{{"request":{{"url":"u"}},"response":{LAST}}}',
        ["1a opened POST u", f"1a server /response {LAST}", "1a closed"],
    ),
}

SESSIONS = {
    "that ends with the line": (
        '{"frames":[{"dir":"client","data":{"setup":{}}},{"dir":"server","data":{"setupComplete":{}}}],"url":"wss:x"}',
        [
            "1a opened GET wss:x",
            '1a client /frames/0/data {"setup":{}}',
            '1a server /frames/1/data {"setupComplete":{}}',
            "1a left",
        ],
    ),
    "that was closed": (
        '{"frames":[],"close":{"code":1007,"reason":"bad","by":"server"}}',
        ["1a opened GET", "1a closed 1007 bad server /close"],
    ),
    "that was closed, said beside the frames": (
        '{"frames":[],"code":1000,"reason":"bye","by":"client"}',
        ["1a opened GET", "1a closed 1000 bye client /code"],
    ),
    "with frames of nobody only": (
        '{"frames":[1,{"dir":"client"}]}',
        ["1- skipped a session whose frames have no data from client or server"],
    ),
    "with frames of nobody only, and closed": (
        '{"frames":[1,{"dir":"client"}],"close":{"code":1007}}',
        [
            "1a opened GET",
            "1- skipped a session whose frames have no data from client or server",
            "1a closed 1007 /close",
        ],
    ),
    "with frames of nobody": (
        '{"frames":[1,{"dir":"client"},{"dir":"client","data":1}]}',
        [
            "1a opened GET",
            *["1- skipped a frame without data from client or server"] * 2,
            "1a client /frames/2/data 1",
            "1a left",
        ],
    ),
    "that was closed, said among its frames": (
        '{"frames":[{"dir":"client","data":1},{"at":2,"close":{"code":1007,"reason":"bad","by":"server"}}]}',
        ["1a opened GET", "1a client /frames/0/data 1", "1a closed 1007 bad server /frames/1/close"],
    ),
    "that was closed by a code among its frames": (
        '{"frames":[{"dir":"client","data":1},{"dir":"server","code":1007,"reason":"bad"}],"url":"wss:x"}',
        ["1a opened GET wss:x", "1a client /frames/0/data 1", "1a closed 1007 bad server /frames/1/code"],
    ),
    "that was closed by a word among its frames": (
        '{"frames":[{"dir":"client","data":1},{"dir":"client","type":"close"}]}',
        ["1a opened GET", "1a client /frames/0/data 1", "1a closed client /frames/1"],
    ),
    "that goes on after a close": (
        '{"frames":[{"dir":"client","data":1},{"closed":true},{"dir":"client","data":2}],"close":{"code":1000}}',
        [
            "1a opened GET",
            "1a client /frames/0/data 1",
            "1a closed /frames/1/closed",
            "1a opened GET",
            "1a client /frames/2/data 2",
            "1a closed 1000 /close",
        ],
    ),
    "that was closed twice": (
        '{"frames":[{"dir":"client","data":1},{"code":1000},{"code":1006}],"close":{"code":1000}}',
        ["1a opened GET", "1a client /frames/0/data 1", "1a closed 1000 /frames/1/code"],
    ),
    "of nothing but its close": (
        '{"frames":[{"code":1006}]}',
        [
            "1a opened GET",
            "1- skipped a session whose frames have no data from client or server",
            "1a closed 1006 /frames/0/code",
        ],
    ),
    "without frames": ('{"frames":[]}', ["1- skipped a session without frames"]),
    "without frames, and not closed": ('{"frames":[],"closed":false}', ["1- skipped a session without frames"]),
    "that was not closed, and says so": (
        '{"frames":[{"dir":"client","data":1}],"closed":false}',
        ["1a opened GET", "1a client /frames/0/data 1", "1a left"],
    ),
}

FRAMES = {
    "without a channel are one session": (
        ['{"from":"client","data":{"setup":{}}}', '{"from":"server","data":{"x":1}}'],
        ["1a opened", '1a client /data {"setup":{}}', '2a server /data {"x":1}', "2a left"],
    ),
    "and a second setup begins the next": (
        ['{"from":"server","data":{}}', *['{"from":"client","data":{"setup":{}}}'] * 2],
        [
            "1a opened",
            "1a server /data {}",
            '2a client /data {"setup":{}}',
            "2a left",
            "3b opened",
            '3b client /data {"setup":{}}',
            "3b left",
        ],
    ),
    "with a channel stay in it": (
        [
            '{"channel":"x","from":"client","data":{"setup":{}},"url":"wss:x"}',
            '{"channel":7,"from":"client","data":{"setup":{}}}',
            '{"channel":"x","from":"client","data":{"setup":{}}}',
        ],
        [
            "1a opened GET wss:x",
            '1a client /data {"setup":{}}',
            "2b opened",
            '2b client /data {"setup":{}}',
            '3a client /data {"setup":{}}',
            "2b left",
            "3a left",
        ],
    ),
    "hold JSON, text, or base64": (
        [
            '{"dir":"sent","data":"{\\"setup\\":{}}"}',
            '{"direction":"in","data":"hello"}',
            f'{{"dir":"receive","data":"{b64(LAST)}"}}',
            f'{{"dir":"out","opcode":2,"data":"{b64("hello")}"}}',
            '{"dir":"out","data":""}',
        ],
        [
            "1a opened",
            '1a client /data» {"setup":{}}',
            "2a server /data text:hello",
            f"3a server! /data» {LAST}",
            "4a client! /data text:hello",
            "5a client /data text:",
            "5a left",
        ],
    ),
    "end where a line tells it": (
        [
            '{"setup":{}}',
            '{"close":{"code":1007,"reason":"bad","by":"server"}}',
            '{"from":"client","data":1}',
            '{"code":1000,"reason":"bye","from":"client"}',
            '{"channel":"x","from":"client","data":1}',
            '{"setup":{}}',
            '{"channel":"x","closed":1011}',
            '[{"closed":{}}]',
        ],
        [
            "1a opened",
            '1a client {"setup":{}}',
            "2a closed 1007 bad server /close",
            "3b opened",
            "3b client /data 1",
            "4b closed 1000 bye client /code",
            "5c opened",
            "5c client /data 1",
            "6d opened",
            '6d client {"setup":{}}',
            "7c closed 1011 /closed",
            "8d closed /0/closed",
        ],
    ),
    "end with no other line": (
        [
            '{"close":{"code":1007}}',
            '{"setup":{}}',
            '{"code":200,"reason":"OK"}',
            '{"closed":false}',
            '{"channel":1,"code":1007}',
        ],
        [
            "1- skipped an object without request, contents, candidates, messages or frames",
            "2a opened",
            '2a client {"setup":{}}',
            *[f"{n}- skipped an object without request, contents, candidates, messages or frames" for n in (3, 4, 5)],
            "2a left",
        ],
    ),
    "of nobody are skipped": (
        ['{"from":"moon","data":{}}'],
        ["1- skipped a frame without data from client or server"],
    ),
    "may be bare messages": (
        [
            '{"setup":{}}',
            '{"setupComplete":{}}',
            '{"client_content":{}}',
            '{"usageMetadata":{}}',
            '{"toolCall":{}}',
            '{"BidiGenerateContentToolResponse":{}}',
            '{"functionResponses":[]}',
            '{"setup":{}}',
        ],
        [
            "1a opened",
            '1a client {"setup":{}}',
            '2a server {"setupComplete":{}}',
            '3a client {"client_content":{}}',
            '4a server {"usageMetadata":{}}',
            '5a server {"toolCall":{}}',
            '6a client {"BidiGenerateContentToolResponse":{}}',
            '7a client {"functionResponses":[]}',
            "7a left",
            "8b opened",
            '8b client {"setup":{}}',
            "8b left",
        ],
    ),
}

INPUT = '{"input":"hi","generation_config":{}}'
STOP = '{"event_type":"step.stop","index":0}'
COMPLETED = '{"event_type":"interaction.completed","interaction":{}}'
STEPS = '{"object":"interaction","status":"completed","steps":[]}'
OUTPUTS = '{"object":"interaction","status":"completed","role":"model","outputs":[]}'
DELTA = '{"choices":[{"delta":{}}]}'
CHOICE = '{"choices":[{"message":{},"finish_reason":"stop"}]}'

BODIES = {
    "an interaction, and another": (
        [INPUT, STOP, COMPLETED, STEPS],
        [
            f"1a opened {INPUT}",
            f"2a server {STOP}",
            f"3a server {COMPLETED}",
            "3a closed",
            "4b opened",
            f"4b server {STEPS}",
            "4b closed",
        ],
    ),
    "an interaction in the older shape": (
        ['{"input":"so","previous_interaction_id":"a"}', OUTPUTS],
        ['1a opened {"input":"so","previous_interaction_id":"a"}', f"2a server {OUTPUTS}", "2a closed"],
    ),
    "choices in deltas, and whole": (
        [DELTA, CHOICE, CHOICE],
        [
            "1a opened",
            f"1a server {DELTA}",
            f"2a server {CHOICE}",
            "2a closed",
            "3b opened",
            f"3b server {CHOICE}",
            "3b closed",
        ],
    ),
    "a request and its stream are one exchange": (
        [ASK, PART, LAST, '{"usageMetadata":{}}', ASK],
        [
            f"1a opened {ASK}",
            f"2a server {PART}",
            f"3a server {LAST}",
            '4a server {"usageMetadata":{}}',
            "4a closed",
            f"5b opened {ASK}",
            "5b left",
        ],
    ),
    "after a finish reason comes another reply": (
        [LAST, PART],
        ["1a opened", f"1a server {LAST}", "1a closed", "2b opened", f"2b server {PART}", "2b left"],
    ),
    "an empty finish reason is none": (
        ['{"candidates":[{"finish_reason":null}]}', LAST],
        ["1a opened", '1a server {"candidates":[{"finish_reason":null}]}', f"2a server {LAST}", "2a closed"],
    ),
    "an error ends a reply": (
        ['{"error":{"code":400}}', LAST],
        ["1a opened", '1a server {"error":{"code":400}}', "1a closed", "2b opened", f"2b server {LAST}", "2b closed"],
    ),
    "a list of contents is a request": (
        ['[{"role":"user","parts":[]}]', '[{"function_response":{}}]'],
        ['1a opened [{"role":"user","parts":[]}]', "1a left", '2b opened [{"function_response":{}}]', "2b left"],
    ),
    "a list of chunks is a stream": (
        [f"[{PART},{LAST}]"],
        ["1a opened", f"1a server /0 {PART}", f"1a server /1 {LAST}", "1a closed"],
    ),
    "Code Assist wraps both": (
        ['{"model":"m","project":"p","request":{"contents":[]}}', f'{{"response":{LAST}}}'],
        [
            '1a opened {"model":"m","project":"p","request":{"contents":[]}}',
            f'2a server {{"response":{LAST}}}',
            "2a closed",
        ],
    ),
    "lines of events are a stream": (
        [ASK, ": hello", f"data: {PART}", "", "event: x", f"data: {LAST}", "data: [DONE]"],
        [f"1a opened {ASK}", f"3a server »#0 {PART}", f"6a server »#0 {LAST}", "6a closed"],
    ),
}

MESSAGES = {
    "all in one line": (
        ['{"messages":[{"role":"user"}],"identity_info":{}}'],
        ['1a opened {"messages":[{"role":"user"}],"identity_info":{}}', "1a left"],
    ),
    "one a line are one transcript": (
        [
            '{"role":"user","content":"hi"}',
            '{"role":"assistant","tool_calls":[]}',
            '{"role":"model","parts":[]}',
            '{"functionResponse":{}}',
            '{"role":"tool","text":""}',
        ],
        [
            "1a opened",
            '1a client {"role":"user","content":"hi"}',
            '2a server {"role":"assistant","tool_calls":[]}',
            '3a server {"role":"model","parts":[]}',
            '4a client {"functionResponse":{}}',
            '5a client {"role":"tool","text":""}',
            "5a left",
        ],
    ),
    "a list of them is a transcript of its own": (
        ['{"chat_messages":[{"role":"user","content":"hi"}]}', '[{"role":"user","content":"ho"}]'],
        [
            '1a opened /chat_messages [{"role":"user","content":"hi"}]',
            "1a left",
            '2b opened [{"role":"user","content":"ho"}]',
            "2b left",
        ],
    ),
}

WRAPPED = {
    "one level down": (
        [f'{{"t":1,"payload":{ASK}}}'],
        [f"1a opened /payload {ASK}", "1a left"],
    ),
    "two levels down, with a name to escape": (
        [f'{{"a/b":{{"~":{ASK}}}}}'],
        [f"1a opened /a~1b/~0 {ASK}", "1a left"],
    ),
    "not three": (
        [f'{{"a":{{"b":{{"c":{ASK}}}}}}}'],
        ["1- skipped an object without request, contents, candidates, messages or frames"],
    ),
    "as text": (
        [json.dumps({"message": ASK}), json.dumps({"a": json.dumps({"b": {"contents": []}})})],
        [f"1a opened /message» {ASK}", "1a left", '2b opened /a»/b {"contents": []}', "2b left"],
    ),
    "a request and its reply, in any order": (
        [f'{{"output":{PART},"input":{ASK}}}', LAST],
        [
            f"1a opened /input {ASK}",
            f"1a server /output {PART}",
            "1a closed",
            "2b opened",
            f"2b server {LAST}",
            "2b closed",
        ],
    ),
    "request and response that are bodies": (
        [f'{{"request":{ASK},"response":{LAST}}}'],
        [f"1a opened /request {ASK}", f"1a server /response {LAST}", "1a closed"],
    ),
    "full_request and full_response as text": (
        [json.dumps({"full_request": ASK, "full_response": LAST})],
        [f"1a opened /full_request» {ASK}", f"1a server /full_response» {LAST}", "1a closed"],
    ),
    "a stream of events": (
        [json.dumps({"body": f"data: {PART}\r\n\r\ndata: {LAST}\r\n\r\n"})],
        ["1a opened", f"1a server /body»#0 {PART}", f"1a server /body»#1 {LAST}", "1a closed"],
    ),
    "an exchange as text": (
        [json.dumps({"log": json.dumps({"request": {"url": "u", "body": ASK}})})],
        [f"1a opened POST u /log»/request/body {ASK}", "1a left"],
    ),
    "bodies that look like frames": (
        [f'{{"dir":"out","data":{ASK}}}', f'{{"dir":"in","data":{LAST}}}'],
        [f"1a opened /data {ASK}", f"2a server /data {LAST}", "2a closed"],
    ),
    "a cassette": (
        [
            json.dumps(
                {"interactions": [{"request": {"uri": "u", "body": {"string": ASK}}, "response": {}}], "version": 1}
            )
        ],
        [f"1a opened POST u /interactions/0/request/body/string» {ASK}", "1a closed"],
    ),
    "an image is no stream": (
        ['{"image":"data:image/png;base64,AAAA"}'],
        ["1- skipped an object without request, contents, candidates, messages or frames"],
    ),
    "a live message": (
        ['{"msg":{"serverContent":{}}}'],
        ["1a opened", '1a server /msg {"serverContent":{}}', "1a left"],
    ),
}

LOGS = {
    "a line as it is written": (
        ['{"v":1,"kind":"opened","channel":"1","method":"POST","url":"u","body":{}}'],
        ["1a opened POST u /body {}"],
    ),
    "with its keys in another order": (
        ['{"channel":"1","kind":"closed","v":1,"code":1000}'],
        ["1a closed 1000 /code"],
    ),
    "JSON in base64 stands within it": (
        [
            f'{{"v":1,"kind":"opened","channel":"1","bytes":"{b64(ASK)}"}}',
            f'{{"v":1,"kind":"frame","channel":"1","from":"server","bytes":"{b64(LAST)}"}}',
            f'{{"v":1,"kind":"frame","channel":"1","from":"server","bytes":"{b64("hello")}"}}',
        ],
        [f"1a opened /bytes» {ASK}", f"2a server /bytes» {LAST}", "3a server /bytes bytes:hello"],
    ),
    "that is no record": (
        ['{"v":1,"kind":"replied","channel":"1"}'],
        ["1- unreadable no record: a reply without `status`"],
    ),
}

NOT_TRAFFIC = {
    "keys that only look like ours": (
        ['{"request.url":1}', '{"data_":1,"from":"client"}', '{"Frames":[]}', '{"frames":30}', '{"messages":7}'],
        [f"{n}- skipped an object without request, contents, candidates, messages or frames" for n in range(1, 6)],
    ),
    "what others ask and answer": (
        [
            '{"input":"hi","model":"gpt-5"}',
            '{"choices":["red","blue"]}',
            '{"steps":[],"outputs":[]}',
            '{"event_type":"click"}',
        ],
        [f"{n}- skipped an object without request, contents, candidates, messages or frames" for n in range(1, 5)],
    ),
    "an object": (
        ['{"a":1}'],
        ["1- skipped an object without request, contents, candidates, messages or frames"],
    ),
    "a list": (["[]", "[1]"], ["1- skipped a list", "2- skipped a number"]),
    "a string": (['"hi"'], ["1- skipped a string"]),
    "a number": (["12"], ["1- skipped a number"]),
    "a word": (["null", "true"], ["1- skipped null", "2- skipped true"]),
    "nothing": (["", "  \t", "\r"], []),
}


@pytest.mark.parametrize(("line", "expected"), EXCHANGES.values(), ids=EXCHANGES)
def test_an_exchange(line: str, expected: list[str]) -> None:
    assert tell(line) == expected


@pytest.mark.parametrize(("line", "expected"), EXCHANGES.values(), ids=EXCHANGES)
def test_an_exchange_reads_the_same_after_another_one(line: str, expected: list[str]) -> None:
    before = EXCHANGES["as it should be"][0]
    again = [told.replace("1a", "2b", 1) for told in expected]
    assert tell(before, line)[4:] == again


@pytest.mark.parametrize(("line", "expected"), SESSIONS.values(), ids=SESSIONS)
def test_a_session(line: str, expected: list[str]) -> None:
    assert tell(line) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [*FRAMES.values(), *BODIES.values(), *MESSAGES.values(), *WRAPPED.values(), *LOGS.values(), *NOT_TRAFFIC.values()],
    ids=[*FRAMES, *BODIES, *MESSAGES, *WRAPPED, *LOGS, *NOT_TRAFFIC],
)
def test_lines(lines: list[str], expected: list[str]) -> None:
    assert tell(*lines) == expected


def test_of_very_many_sessions_the_one_idle_for_longest_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wirecheck.sources.live_sessions.AT_ONCE", 2)
    lines = [f'{{"channel":"{name}","from":"client","data":1}}' for name in "xyxz"]
    assert [line for line in tell(*lines) if "client" not in line] == [
        "1a opened",
        "2b opened",
        "2b left",
        "4c opened",
        "3a left",
        "4c left",
    ]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ("null", {}),
        ('"x"', {}),
        ('{"a":"b","n":1,"l":["x","y"],"z":null}', {"a": "b", "n": "1", "l": "x, y", "z": ""}),
        ('[{"name":"a","value":"b"},["c","d"],7]', {"a": "b", "c": "d"}),
    ],
)
def test_headers_however_they_are_written(headers: str, expected: dict[str, str]) -> None:
    opened = read(f'{{"request":{{"url":"u","headers":{headers}}}}}')[0]
    assert isinstance(opened, Opened)
    assert opened.headers == expected


SENT = '{"from":"client","at":1,"data":{"setup":{}}}'
ENDS = {
    "beside the close": f'{SENT}\n{{"at":31,"close":{{"code":1000}}}}',
    "in the close": f'{SENT}\n{{"close":{{"code":1000,"at":31}}}}',
    "beside the code": f'{SENT}\n{{"from":"client","at":31,"code":1000}}',
    "in the close of a session in one value": f'{{"frames":[{SENT}],"close":{{"code":1000,"at":31}}}}',
}


@pytest.mark.parametrize("log", ENDS.values(), ids=ENDS)
def test_a_close_has_its_time(log: str) -> None:
    (*_, end) = read(log)
    assert (type(end), end.at) == (Closed, 31.0)


CLOSES = {
    "a close as text": ('{"log":"{\\"close\\":{\\"code\\":1007,\\"reason\\":\\"bad\\"}}"}', "2a closed 1007 bad /log"),
    "a code with its reason": ('{"payload":{"code":1007,"reason":"bad"}}', "2a closed 1007 bad /payload/code"),
    "a code of anything": ('{"order":{"code":1007}}', "1a left"),
    "the close of a market": ('{"candle":{"close":101}}', "1a left"),
    "a door that was closed": ('{"door":{"closed":true}}', "1a left"),
    "a code that is none": ('{"payload":{"code":[1007],"reason":"bad"}}', "1a left"),
}


@pytest.mark.parametrize(("line", "expected"), CLOSES.values(), ids=CLOSES)
def test_a_close_that_is_wrapped_needs_a_code_of_closes(line: str, expected: str) -> None:
    assert expected in tell(SENT, line)


@pytest.mark.parametrize(
    "line",
    [
        '{"contents":[{"id":1,"title":"x"}]}',
        '{"contents":[{"uri":"file:///a","mimeType":"text/plain","text":"x"}]}',
        '{"path":"a.py","contents":"print(1)"}',
        '{"contents":["a.txt","b.txt"]}',
        '{"contents":{"a":1}}',
        '{"contents":null}',
        '{"properties":{"contents":{"type":"array"},"tags":{}}}',
        '{"properties":{"role":{"type":"string"},"parts":{"type":"array"}}}',
        '{"candidates":[{"name":"Bob","votes":5}]}',
        '{"candidates":"none"}',
    ],
)
def test_names_of_the_api_alone_are_no_traffic(line: str) -> None:
    assert [type(record).__name__ for record in read(line)] == ["Unread"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"contents":[{"parts":7}]}', "1a opened"),
        ('{"contents":{"role":"user"}}', "1a opened"),
        ('{"contents":[]}', "1a opened"),
        ('{"contents":["Hi"],"generation_config":{}}', "1a opened"),
        ('{"contents":"Hi","model":"gemini-2.5-flash"}', "1a opened"),
        ('{"candidates":[]}', "1a server"),
        ('{"candidates":[{"finish_reason":"STOP"}]}', "1a server"),
        ('{"candidates":[{"odd":1}],"modelVersion":"gemini-2.5-flash"}', "1a server"),
        ('{"request":{"url":"u"},"response":{"candidates":[{"odd":1}]}}', "1a server /response"),
    ],
)
def test_what_is_wrong_with_traffic_is_read(line: str, told: str) -> None:
    assert any(each.startswith(told) for each in tell(line))


def test_a_log_of_something_else_is_passed_over_as_fast_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a line tells of a close is asked of each line that is none of the forms."""

    class Codes:
        def __contains__(self, found: object) -> bool:
            assert type(found) is int, "anything else is compared with each number of a range"
            return found in range(1000, 5000)

    monkeypatch.setattr("wirecheck.sources.live_sessions.CODES", Codes())
    lines = '{"level":"info","a":{"b":[1]}}', '{"level":"info","a":{"code":"1000"}}', '{"a":{"close":{"code":[]}}}'
    assert [type(record).__name__ for record in read(*lines)] == ["Unread"] * 3
