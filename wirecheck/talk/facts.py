"""What happened, one kind of Fact at a time: the only things rules are asked about.

A field is what a rule may name in `where`, in its check and in its message. The docstrings and the comments are the
reference in docs/writing-rules.md, so they are written for the authors of rules.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import Struct

from wirecheck.dialects.messages import Call, Container, Speaker, Spot
from wirecheck.dialects.vocabulary.field_tables import Why
from wirecheck.wire.records import Peer


class Context(Struct, frozen=True, kw_only=True):
    """What holds for all facts of one request, session or transcript.

    `whole`: a request or session as it was sent, not bare contents, a fragment or a transcript.
    """

    protocol: str  # generate-content, live, interactions, chat, transcript
    surface: str  # gemini-api, vertex, code-assist, firebase, openai-compat, unknown
    version: str | None  # v1, v1beta, v1beta1, …: the version of the API in the URL
    model: str | None
    band: str | None
    whole: bool
    conversation: str
    method: str | None = None  # of a Live session, in the URL: BidiGenerateContent or BidiGenerateContentConstrained


NOBODY = Context(protocol="", surface="unknown", version=None, model=None, band=None, whole=False, conversation="")


class Linked(Struct, frozen=True, gc=False):
    """Another place that belongs to a fact, and what it shows; `turn` where that is one of the same conversation."""

    spot: Spot
    label: str
    turn: int | None = None


class Fact(Struct, frozen=True, kw_only=True):
    """Something that happened. `turn` is the index of the content it stands in."""

    kind: ClassVar[str] = ""

    context: Context
    spot: Spot
    turn: int | None = None
    call: Call | None = None
    related: tuple[Linked, ...] = ()


class ContentFact(Fact, frozen=True, kw_only=True):
    """One content, message or turn, of a request, a reply, a Live frame or a transcript."""

    kind: ClassVar[str] = "content"

    sender: Peer
    role: Any  # as written; null where there is none
    speaker: Speaker  # who that is: user, model, system, or "" for nobody known
    container: Container
    # How its parts are written: list, object, string, null, other, missing; response: a bare functionResponse stands
    # where a content belongs; none: the content is no object.
    shape: str
    keys: tuple[str, ...]  # in camelCase
    parts: int
    calls: int
    answers: int
    answered: tuple[str, ...]  # the names its responses give
    strays: tuple[str, ...]  # "name (id)" of each response whose call does not stand in the same content
    after: str  # what stands before it: user, answers, model, nothing; unclear where the role does not tell
    only: bool  # the only content there is
    last: bool  # the last content of its request
    beside: tuple[str, ...]  # where it has responses: the data of its other parts
    tail: tuple[str, ...]  # those of them that come after a response
    instead: tuple[str, ...] = ()  # where there is no list of parts: what there is, in words
    value: Any


class PartFact(Fact, frozen=True, kw_only=True):
    """One part of a content."""

    kind: ClassVar[str] = "part"

    sender: Peer
    role: Any
    speaker: Speaker
    container: Container
    keys: tuple[str, ...]  # in camelCase
    data: tuple[str, ...]  # the members of the data oneof that are set: text, inlineData, functionCall, …
    meant: str  # where none is, in a request: the one that a key nearly is, as with `texts`
    instead: tuple[str, ...] = ()  # where none is: what there is, in words
    strange: tuple[str, ...] = ()  # of a step that calls or answers: the keys, as written, that it does not know
    value: Any


class CallFact(Fact, frozen=True, kw_only=True):
    """One function call as it was written."""

    kind: ClassVar[str] = "call"

    sender: Peer
    role: Any
    speaker: Speaker
    container: Container
    id: str | None
    name: str | None
    args: Any
    keys: tuple[str, ...]
    value: Any


class AnswerFact(Fact, frozen=True, kw_only=True):
    """One function response as it was written."""

    kind: ClassVar[str] = "answer"

    sender: Peer
    role: Any
    speaker: Speaker
    container: Container
    id: str | None
    name: str | None
    response: Any
    keys: tuple[str, ...]
    dangling: tuple[str, ...]  # what `{"$ref": …}` in it names, where no part of it has that displayName
    value: Any


class CallTurnFact(Fact, frozen=True, kw_only=True):
    """A turn with calls is over: what answered it is known, for something came after it."""

    kind: ClassVar[str] = "call-turn"

    calls: int
    answers: int
    contents: int  # in how many contents the answers stand
    call_contents: int  # in how many contents the calls stand
    names: tuple[str, ...]  # of the calls, in order
    unanswered: tuple[str, ...]  # "name (id)" of each call without an answer
    surplus: tuple[str, ...]  # "name (id)" of each answer that is left over when every call has one
    ids: int  # how many of the calls have an id
    ordered: bool  # the answers come in the order of the calls they belong to
    twins: tuple[str, ...]  # names that several calls of the turn share while no id tells these calls apart
    repeated_ids: tuple[str, ...]  # ids that several calls of the turn share


class CallPlacedFact(Fact, frozen=True, kw_only=True):
    """The place of a turn with calls in its history: what stands before it."""

    kind: ClassVar[str] = "call-placed"

    after: str  # user (a text of the user), answers (responses), model, nothing; unclear where the role does not tell
    calls: int
    names: tuple[str, ...]
    amid: str  # nothing; answers: responses stand in the same content; parallel: one reply made them with earlier calls


class CallSettledFact(Fact, frozen=True, kw_only=True):
    """One call and how it ended. An open call at the end of a log has not ended."""

    kind: ClassVar[str] = "call-settled"

    # answered, unanswered, cancelled, unfinished (the last response said that more is to come), open (it may still have
    # been running when the session was closed)
    how: str
    id: str | None
    name: str | None
    siblings: int  # how many calls its turn made
    sibling_answers: int  # how many answers the turn got
    by: str  # what showed it: answer, turn (the conversation went on), close, cancellation, silence
    echo: str  # what a response has to repeat of it, as members of a JSON object: "id": "c1", "name": "now"


class AnswerSettledFact(Fact, frozen=True, kw_only=True):
    """One response and the call it belongs to; `call` is null where it belongs to none."""

    kind: ClassVar[str] = "answer-settled"

    id: str | None
    name: str | None
    to: str  # call, nothing
    counts: str  # same, fewer, more, split: how the answers of the turn compare with its calls
    # same, missing (only the call has one), misnamed (likewise, and another key of the response is some id), foreign
    # (no call of the turn has it), none (neither has one)
    ids: str
    names: str  # same, other
    called_id: str | None
    called_name: str | None
    answers: int
    calls: int
    # What stands right before it: call; words, and in how many contents (said of the first response of a turn, where
    # all stand in one content); nothing that calls, or, in a piece of a history, unknown.
    follows: str = "call"
    between: int | None = None
    keys: tuple[str, ...] = ()  # in Live: of the response, in camelCase
    held: bool = False  # in Live: the call, of a function that is declared, held the turn up until it was answered


class MisplacedFact(Fact, frozen=True, kw_only=True):
    """A move that the table of states does not know."""

    kind: ClassVar[str] = "misplaced"

    what: str  # answered, called, cancelled
    # Of the call: unknown, none (nothing was ever called), open, answered, concluded (answered, and a response of it
    # had willContinue), cancelled, elsewhere (made on an older connection). Of one that is made: open, answered or
    # cancelled (it comes again), no-id, twin (nor has the open one of its name an id).
    state: str
    id: str | None
    name: str | None


class UnsignedFact(Fact, frozen=True, kw_only=True):
    """The first call in the current turn of a request that opens a step of the model and has no thought signature."""

    kind: ClassVar[str] = "unsigned"

    name: str | None
    calls: int  # how many such calls the turn has
    # What the recorded reply says: signed: it gave one; unsigned: it gave none; beside: it signed another of its calls;
    # unknown: the log does not hold the reply.
    made: str
    later: bool  # another call of the same content has a signature
    step: bool  # it stands by itself, as the steps of an interaction do, and not within a content


class RecitedFact(Fact, frozen=True, kw_only=True):
    """A part of the last reply that the request recites otherwise than the server said it, or not at all."""

    kind: ClassVar[str] = "recited"

    # call, text, empty (a text without words), the key of other data (inlineData, toolCall, …); reply: all of it
    what: str
    # missing; replaced (something else stands in its place); renamed, args, id-dropped, id-replaced (of a call);
    # unsigned, bypassed, forged, moved (to another part), merged (with a part of another signature): its signature
    how: str
    id: str | None = None  # of the call, as the server made it
    name: str | None = None
    now: str | None = None  # the name or id that stands there instead
    signed: bool = False  # the server signed it
    checked: bool = False  # the server asks for this very signature: it is the fact `unsigned` as well
    sure: bool = True  # false where a lookalike may be recited
    calls: int  # of the reply


class ForgottenFact(Fact, frozen=True, kw_only=True):
    """Contents of the request before are in this one no more, and the conversation goes on. Stands where they were."""

    kind: ClassVar[str] = "forgotten"

    how: str  # gone: cut out; trimmed: the oldest were cut off; condensed: fewer others stand in their place
    contents: int  # how many


class ToolFact(Fact, frozen=True, kw_only=True):
    """One entry of `tools`, as it was written, or a declaration in one that is a tool of another protocol."""

    kind: ClassVar[str] = "tool"

    again: bool  # an earlier one of the same request has the same keys
    keys: tuple[str, ...]
    shape: str  # object, list, string, null, other
    value: Any


class DeclarationFact(Fact, frozen=True, kw_only=True):
    """One function that `functionDeclarations` declares."""

    kind: ClassVar[str] = "declaration"

    name: str | None
    # The name again, where it is one that Gemini takes, and else empty: a letter or an underscore, then letters,
    # digits, underscores, dots, colons and dashes, 64 at most.
    proper: str
    long: int | None  # how many characters it has, where they are more than 64
    overlong: bool  # it would be proper but for its length, which is 128 at most
    again: bool  # an earlier one of the same request has the same name
    keys: tuple[str, ...]  # in camelCase
    value: Any


class SchemaFact(Fact, frozen=True, kw_only=True):
    """Something in a schema that Gemini's Schema does not have. The same in several places is one fact, at the first.

    Asked of `parameters`, `response` and `responseSchema`, which are a part of OpenAPI, and not of the fields that take
    JSON Schema.
    """

    kind: ClassVar[str] = "schema"

    # What: unknown-keyword, vertex-keyword (only Vertex has it), type-list, type-invalid, type-missing, item-untyped,
    # root-untyped, root-not-object, anyof-siblings, anyof-typed (siblings with a type), anyof-annotated (siblings that
    # only describe), ref-siblings, empty-object, items-missing, items-on-non-array, properties-on-non-object,
    # enum-non-string, enum-not-of-strings, required-undefined, format-unsupported, not-object, too-deep, written-twice
    # (as JSON Schema, too).
    problem: str
    word: str  # the keyword, type, name or format it is about
    field: str  # parameters, response, responseSchema
    path: str  # where in the schema, as in properties.city.type
    name: str | None  # of the function
    places: int  # in how many places it is found
    within: str  # the same in words, as in "parameters of now, today (2 places)"


class MisfitFact(Fact, frozen=True, kw_only=True):
    """A call that does not fit what the request declares. Only asked where it declares functions."""

    kind: ClassVar[str] = "misfit"

    how: str  # undeclared; args: they do not meet the schema; extra: arguments that the schema rules out
    sender: Peer  # server: the model called it; client: it stands in a recited history
    id: str | None
    name: str | None
    path: str  # where in args, as in days.0
    problem: str  # what is wrong there
    declared: tuple[str, ...]  # the functions there are
    finish: str | None  # the finish reason of the reply


class EndingFact(Fact, frozen=True, kw_only=True):
    """The last content of a request, or step of an interaction's input: what the model is asked to go on from."""

    kind: ClassVar[str] = "ending"

    role: Any
    speaker: Speaker
    contents: int  # how many there are
    parts: int
    calls: int
    answers: int
    value: Any


class RequestFact(Fact, frozen=True, kw_only=True):
    """A request: everything but its contents."""

    kind: ClassVar[str] = "request"

    contents: int
    streams: bool  # the reply was asked for in chunks
    keys: tuple[str, ...]
    body: Mapping[str, Any]  # as written, without the contents
    tools: tuple[str, ...] = ()  # the kinds of tools: functionDeclarations, googleSearch, …
    functions: int = 0  # how many are declared
    undescribed: tuple[str, ...] = ()  # those of them that have no description
    strangers: tuple[str, ...] = ()  # names in allowedFunctionNames that are not declared


class FieldFact(Fact, frozen=True, kw_only=True):
    """A field of a request or of a Live client's frame that is not as the API has it."""

    kind: ClassVar[str] = "field"

    message: (
        str  # what it stands in: request, content, part, generationConfig, …; of Live: frame, setup, realtimeInput, …
    )
    name: str  # as written
    # unknown: nothing of that name; misspelt, misplaced, foreign (of another API): likewise, and why is known; surface,
    # version, beta, model: known elsewhere; live: only a session acts on it; twice: in both spellings; list: a list for
    # one value; type: a value of another kind; enum: none of the words it takes; url: a URL where base64 belongs. Of
    # Live only: mixed: in another spelling than its neighbours; beside: a second one where there may be one; empty:
    # there is none.
    why: Why
    hint: str  # what is meant by it, as the end of a sentence; where it is there twice, the other spelling
    value: Any = None  # of a list, type, enum or url: what stands there


class ReplyFact(Fact, frozen=True, kw_only=True):
    """A reply, put together from all its chunks, when it is over."""

    kind: ClassVar[str] = "reply"

    streamed: bool
    chunks: int
    candidates: int
    blocked: str | None  # promptFeedback.blockReason
    error: str | None  # the message of an error in the body
    finish: str | None  # of the first candidate; of an interaction its status, once it is no longer in progress
    finish_message: str | None
    parts: int  # of the first candidate, all chunks together
    calls: int  # of the first candidate; one whose arguments are streamed counts when it is whole
    call_chunks: int  # in how many chunks they came
    waiting: str | None  # the name of a call whose streamed arguments were not over when the reply was
    empty: bool  # a candidate that says nothing: no part, or only empty text
    causes: tuple[str, ...] = ()  # of an empty reply: what in the request is known to lead to it on this model
    complete: bool  # the end of the reply was seen
    keys: tuple[str, ...]  # of all its chunks, in camelCase
    missing: tuple[str, ...]  # fields that full replies carry and this one does not
    snake: tuple[str, ...]  # keys written in snake_case, of the reply, its candidates and their parts
    odd: tuple[str, ...]  # of a stream: what chunks of Google's servers never have (another responseId, no role)
    usage: Mapping[str, Any]  # the last usageMetadata
    counted: int | None  # the sum of its counts
    total: int | None  # its totalTokenCount


class RejectionFact(Fact, frozen=True, kw_only=True):
    """A request was rejected, and nothing found in it says why. It stands where the server's text points.

    Not with `predict`.
    """

    kind: ClassVar[str] = "rejection"

    status: int | None
    text: str  # what the server said
    opaque: bool  # that names nothing
    # What it speaks of: key, access, quota, model, place, blocked, down, length, url, signature, complexity (of a
    # schema), no-properties (of an object in a schema), empty-value (in a response), unasked (a mistake whose rule is
    # known, but ignored or not selected), feature (one that the model lacks), or request.
    about: str
    causes: tuple[str, ...]  # likeliest first: rules whose texts fit, what was found, what is unusual in the request


class CandidateFact(Fact, frozen=True, kw_only=True):
    """One candidate of a reply or of a chunk, as it was written."""

    kind: ClassVar[str] = "candidate"

    shape: str  # of its content: object, string, list, null, missing
    finish: str | None
    late: bool  # it says something although a chunk before it gave a finish reason
    keys: tuple[str, ...]
    value: Any


class ConnectedFact(Fact, frozen=True, kw_only=True):
    """The websocket of a Live session, where the log holds its URL. Told with its first frame."""

    kind: ClassVar[str] = "connected"

    query: tuple[str, ...]  # the names in the query of the URL
    token: bool  # an ephemeral token is in the URL (auth_tokens/…)


class FrameFact(Fact, frozen=True, kw_only=True):
    """One Live frame, as it was written."""

    kind: ClassVar[str] = "frame"

    sender: Peer
    keys: tuple[str, ...]  # top-level keys in camelCase
    says: str  # the message: setup, clientContent, realtimeInput, toolResponse, …; a client's unknown one: other
    enveloped: bool  # false for tool responses that do not stand in toolResponse.functionResponses
    # Where the connection stood before it: amid and joined (the log lacks its beginning), connected, unset, setting-up,
    # ready, model-turn, generated, interrupted.
    state: str
    form: str  # object; what is none: json, text, bytes
    number: int  # counted from 0, per sender
    at: float | None  # the time of the record, in seconds
    value: Any


class SetupFact(Fact, frozen=True, kw_only=True):
    """The setup of a Live connection."""

    kind: ClassVar[str] = "setup"

    keys: tuple[str, ...]  # in camelCase
    path: str | None  # the model as written: models/…, projects/…
    modalities: tuple[str, ...]  # generationConfig.responseModalities, in capitals
    tools: tuple[str, ...]  # the kinds of tools: functionDeclarations, googleSearch, …
    functions: int  # how many are declared
    trigger: int | None  # contextWindowCompression.triggerTokens
    value: Any


class InputFact(Fact, frozen=True, kw_only=True):
    """Something about what a Live client sends by itself. Each is told once a connection."""

    kind: ClassVar[str] = "input"

    # signal: activityStart or activityEnd while the server finds out by itself who speaks (where a token holds the
    # setup: if the close says so); again: a second of them; stream-end: audioStreamEnd where the client has to mark
    # activity; chunks: mediaChunks; format: audio that is not PCM; rate: PCM without its rate; between: clientContent
    # amid audio; unseeded: realtimeInput before the history that was announced is complete; unannounced:
    # clientContent that is no such history; unfinished: turns that nothing completed.
    what: str
    name: str  # of the field; the format


class UntimelyFact(Fact, frozen=True, kw_only=True):
    """A Live frame or close that the table of the session's states lacks. Of each kind the first in a state."""

    kind: ClassVar[str] = "untimely"

    sender: Peer
    # setup, clientContent, realtimeInput, toolResponse, contextUpdate, other; setupComplete, output, toolCall,
    # interrupted, generationComplete, turnComplete, toolCallCancellation, goAway, sessionResumptionUpdate; left (the
    # client closed), silence (nothing came for half a minute)
    what: str
    came: str  # the same in words: "the client left", "toolCall came"
    # As of a frame; waiting: calls that hold the turn up have no answer yet; refused: it came while a call had none,
    # and the close speaks of an operation
    state: str
    waited: float | None  # seconds since the setup


class ResumedFact(Fact, frozen=True, kw_only=True):
    """A Live session is set up with the handle of an earlier connection."""

    kind: ClassVar[str] = "resumed"

    known: bool  # the handle was given in this log
    others: bool  # handles were given in this log at all
    latest: bool  # it is the last one that was given
    open: bool  # the older connection is still open
    expired: bool  # the older connection closed more than two hours ago
    former: str | None  # the model of the older connection
    other_model: bool
    open_calls: int  # calls of the older connection that were never answered


class EndedFact(Fact, frozen=True, kw_only=True):
    """A connection of a session ended."""

    kind: ClassVar[str] = "ended"

    recorded: bool
    at: float | None  # the time of the close, in seconds
    code: int | None
    reason: str
    by: str | None  # client, server; from the reason where the log does not say
    open_calls: int
    refused: bool  # the server closed, and not in peace
    # What the reason says: auth, model, handle, order, activity, input, setup, speech, schema, operation, argument,
    # quota, unavailable, limit, internal, keepalive, unknown.
    meaning: str
    state: str  # as of a frame
    resumed: bool  # it was set up with the handle of an older connection
    going_away: bool  # the server had announced the close
    suspect: str  # the client's message that is likely to blame, "" where there is none
    # What explains it: earlier (a mistake found before, of which the server says such words), here (one found with the
    # close itself), unasked (only a rule that is ignored or not selected has such words), "" nothing.
    explained: str
    because: str | None  # the rule of that mistake


class UnreadFact(Fact, frozen=True, kw_only=True):
    """A line or body that could not be read."""

    kind: ClassVar[str] = "unread"

    what: str  # unreadable, unterminated
    why: str


FACTS: dict[str, type[Fact]] = {
    fact.kind: fact
    for fact in (
        ContentFact,
        PartFact,
        CallFact,
        AnswerFact,
        CallPlacedFact,
        CallTurnFact,
        CallSettledFact,
        AnswerSettledFact,
        MisplacedFact,
        UnsignedFact,
        RecitedFact,
        ForgottenFact,
        ToolFact,
        DeclarationFact,
        SchemaFact,
        MisfitFact,
        EndingFact,
        RequestFact,
        FieldFact,
        ReplyFact,
        RejectionFact,
        CandidateFact,
        ConnectedFact,
        FrameFact,
        SetupFact,
        InputFact,
        UntimelyFact,
        ResumedFact,
        EndedFact,
        UnreadFact,
    )
}
