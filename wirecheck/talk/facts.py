"""Facts: what happened, one class a kind. Rules are asked about nothing else.

A field is what a rule may name in `where`, in its check and in its message. The docstrings and the comments are the
reference in docs/writing-rules.md, so they are written for authors of rules.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import Struct

from wirecheck.dialects.messages import Call, Container, Speaker, Spot
from wirecheck.dialects.vocabulary.field_tables import Why
from wirecheck.wire.records import Peer


class Context(Struct, frozen=True, kw_only=True):
    """What holds for all facts of one request, session or transcript.

    `whole`: a complete request or session as it was sent, not bare contents, a fragment or a transcript.
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
    """Another place that belongs to a fact, with a label; `turn` if it is in the same conversation."""

    spot: Spot
    label: str
    turn: int | None = None


class Fact(Struct, frozen=True, kw_only=True):
    """Something that happened. `turn` is the index of the content it is in."""

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
    speaker: Speaker  # by the role: user, model, system, or "" for an unknown one
    container: Container
    # How its parts are written: list, object, string, null, other, missing; response: a bare functionResponse in place
    # of a content; none: the content is no object.
    shape: str
    keys: tuple[str, ...]  # in camelCase
    parts: int
    calls: int
    answers: int
    answered: tuple[str, ...]  # the names in its responses
    strays: tuple[str, ...]  # "name (id)" of each response whose call is not in the same content
    after: str  # what comes before it: user, answers, model, nothing; unclear where the role does not tell
    only: bool  # it is the only content
    last: bool  # it is the last content of its request
    beside: tuple[str, ...]  # if it has responses: the data of its other parts
    tail: tuple[str, ...]  # the data of other parts after the first response
    instead: tuple[str, ...] = ()  # if there is no list of parts: what there is instead, in words
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
    meant: str  # if none is set, in a request: the one that a key resembles, as with `texts`
    instead: tuple[str, ...] = ()  # if none is set: what there is instead, in words
    strange: tuple[str, ...] = ()  # for steps that call or answer: keys, as written, that such a step does not have
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
    references: tuple[str, ...] = ()  # targets of `{"$ref": …}` in it
    dangling: tuple[str, ...]  # those that no part has as displayName
    value: Any


class CallTurnFact(Fact, frozen=True, kw_only=True):
    """A turn with calls is over: something came after it, so its answers are known."""

    kind: ClassVar[str] = "call-turn"

    calls: int
    answers: int
    contents: int  # the number of contents with the answers
    call_contents: int  # the number of contents with the calls
    names: tuple[str, ...]  # of the calls, in order
    unanswered: tuple[str, ...]  # "name (id)" of each call without an answer
    surplus: tuple[str, ...]  # "name (id)" of each answer that belongs to no call
    ids: int  # how many of the calls have an id
    ordered: bool  # the answers are in the order of their calls
    twins: tuple[str, ...]  # names that several calls of the turn share, if no call has an id
    repeated_ids: tuple[str, ...]  # ids that several calls of the turn share


class CallPlacedFact(Fact, frozen=True, kw_only=True):
    """The place of a turn with calls in its history: what comes before it."""

    kind: ClassVar[str] = "call-placed"

    after: str  # user (a text of the user), answers (responses), model, nothing; unclear where the role does not tell
    calls: int
    names: tuple[str, ...]
    # nothing; answers: responses are in the same content; joined: likewise, in the model's own role, and the reply that
    # made the calls had none; parallel: one reply made them with earlier calls
    amid: str


class CallSettledFact(Fact, frozen=True, kw_only=True):
    """One call and how it ended. An open call at the end of a log has not ended."""

    kind: ClassVar[str] = "call-settled"

    # answered, unanswered, cancelled, unfinished (its last response had willContinue), open (it may still have been
    # running when the session was closed)
    how: str
    id: str | None
    name: str | None
    siblings: int  # how many calls its turn made
    sibling_answers: int  # how many answers the turn got
    # what showed it: answer, turn (the conversation went on), request (sent with the call at its end), close,
    # cancellation, silence
    by: str
    echo: str  # what a response must repeat, as members of a JSON object: "id": "c1", "name": "now"


class AnswerSettledFact(Fact, frozen=True, kw_only=True):
    """One response and the call it belongs to; `call` is null where it belongs to none."""

    kind: ClassVar[str] = "answer-settled"

    id: str | None
    name: str | None
    to: str  # call, nothing
    counts: str  # same, fewer, more, split: how the answers of the turn compare with its calls
    # same, missing (only the call has one), misnamed (likewise, and the response has an id under another key), foreign
    # (no call of the turn has it), none (neither has one)
    ids: str
    names: str  # same, other
    declared: bool = True  # false: its name is not that of its call, nor of any function the request declares
    called_id: str | None
    called_name: str | None
    answers: int
    calls: int
    # What comes right before it: call; words, `between` contents of them (only for the first response of a turn whose
    # responses are all in one content); nothing (no call), or, in a piece of a history, unknown.
    follows: str = "call"
    between: int | None = None
    keys: tuple[str, ...] = ()  # in Live: of the response, in camelCase
    held: bool = False  # in Live: the server waited for this answer; the function is declared and blocking


class MisplacedFact(Fact, frozen=True, kw_only=True):
    """A move of a call that the table of states does not have."""

    kind: ClassVar[str] = "misplaced"

    what: str  # answered, called, cancelled
    # Of the call that is answered or cancelled: unknown, none (nothing was ever called), open, answered, concluded
    # (answered, with willContinue on the way), cancelled, elsewhere (made on an older connection). Of a new call: open,
    # answered or cancelled (its id was used before), no-id, twin (no id, and neither has an open call of its name).
    state: str
    id: str | None
    name: str | None


class UnsignedFact(Fact, frozen=True, kw_only=True):
    """The first call in the current turn of a request that begins a step of the model without a thought signature."""

    kind: ClassVar[str] = "unsigned"

    name: str | None
    calls: int  # how many such calls the turn has
    # What the recorded reply had: signed: a signature; unsigned: none; beside: one at another of its calls; unknown:
    # the log does not have the reply.
    made: str
    later: bool  # another call of the same content has a signature
    stand_in: bool = False  # in its place is a stand-in that this surface does not know
    step: bool  # the call is a step of an interaction, not in a content


class RecitedFact(Fact, frozen=True, kw_only=True):
    """A part of the last reply that the request recites in another form than the server sent, or not at all."""

    kind: ClassVar[str] = "recited"

    # call, text, empty (a text without words), the key of other data (inlineData, toolCall, …); reply: all of it
    what: str
    # missing; replaced (by something else); for a call: renamed, args, id-dropped, id-replaced; for its signature:
    # unsigned, bypassed (a stand-in), forged, foreign (that of a call in another reply), moved (to another part),
    # merged (with a part of another signature)
    how: str
    id: str | None = None  # of the call, as the server made it
    name: str | None = None
    now: str | None = None  # the name or id that is there instead
    signed: bool = False  # the server signed it
    checked: bool = False  # the server requires this very signature: there is a fact `unsigned` as well
    sure: bool = True  # false where the request may recite another, similar reply
    calls: int  # of the reply


class ForgottenFact(Fact, frozen=True, kw_only=True):
    """Contents of the previous request are no longer in this one, and the conversation goes on. Placed where they
    were."""

    kind: ClassVar[str] = "forgotten"

    how: str  # gone: cut out; trimmed: the oldest were cut off; condensed: replaced by fewer others
    contents: int  # how many


class ToolFact(Fact, frozen=True, kw_only=True):
    """One entry of `tools`, as it was written, or a declaration in it that is a tool of another protocol."""

    kind: ClassVar[str] = "tool"

    again: bool  # an earlier entry of the same request has the same keys
    builtins: bool = False  # another entry holds one of Google's own tools
    keys: tuple[str, ...]
    shape: str  # object, list, string, null, other
    value: Any


class DeclarationFact(Fact, frozen=True, kw_only=True):
    """One function that `functionDeclarations` declares."""

    kind: ClassVar[str] = "declaration"

    name: str | None
    # The name if Gemini accepts it, else empty: a letter or an underscore, then letters, digits, underscores, dots,
    # colons and dashes, at most 64 characters.
    proper: str
    long: int | None  # the number of its characters, if more than 64
    overlong: bool  # only its length is wrong: 65 to 128 characters
    again: bool  # an earlier declaration of the same request has the same name
    keys: tuple[str, ...]  # in camelCase
    value: Any


class SchemaFact(Fact, frozen=True, kw_only=True):
    """Something in a schema that Gemini's Schema does not have. The same problem in several places is one fact.

    For `parameters`, `response` and `responseSchema`, which are a subset of OpenAPI. Of the fields that take JSON
    Schema (`parametersJsonSchema`, `responseJsonSchema`) only ref-undefined, ref-siblings and many-items are told.
    """

    kind: ClassVar[str] = "schema"

    # One of unknown-keyword, vertex-keyword (only Vertex has it), type-list, type-invalid, type-missing, item-untyped,
    # root-untyped, root-not-object, anyof-siblings, anyof-typed (siblings with a type), anyof-annotated (siblings that
    # only describe), ref-siblings, empty-object, items-missing, items-on-non-array, properties-on-non-object,
    # enum-non-string, enum-not-of-strings, required-undefined, format-unsupported, not-object, too-deep, written-twice
    # (as JSON Schema, too), enum-empty, ref-undefined (a `$ref` to nothing), many-items (what its arrays may hold,
    # added up, is more than servers take).
    problem: str
    word: str  # the keyword, type, name or format it is about
    field: str  # parameters, response, responseSchema, parametersJsonSchema, responseJsonSchema
    path: str  # the first place in the schema, as in properties.city.type
    name: str | None  # of the function
    places: int  # the number of places
    within: str  # the places in words, as in "parameters of now, today (2 places)"


class MisfitFact(Fact, frozen=True, kw_only=True):
    """A call that does not fit the declarations of the request. Only where it declares functions."""

    kind: ClassVar[str] = "misfit"

    how: str  # undeclared; args: arguments do not match the schema; extra: arguments that the schema excludes
    sender: Peer  # server: the model made the call; client: it is in a recited history
    id: str | None
    name: str | None
    path: str  # where in args, as in days.0
    problem: str  # what is wrong there
    declared: tuple[str, ...]  # the names of all declared functions
    finish: str | None  # the finish reason of the reply


class EndingFact(Fact, frozen=True, kw_only=True):
    """The last content of a request, or the last step of an interaction's input: what the model has to continue."""

    kind: ClassVar[str] = "ending"

    role: Any
    speaker: Speaker
    contents: int  # how many contents the request has
    parts: int
    calls: int
    answers: int
    value: Any


class RequestFact(Fact, frozen=True, kw_only=True):
    """A request, without its contents."""

    kind: ClassVar[str] = "request"

    contents: int
    streams: bool  # the reply was asked for in chunks
    keys: tuple[str, ...]
    body: Mapping[str, Any]  # as written, without the contents
    tools: tuple[str, ...] = ()  # the kinds of tools: functionDeclarations, googleSearch, …
    functions: int = 0  # how many are declared
    undescribed: tuple[str, ...] = ()  # those of them that have no description
    broken: str | None = None  # the parameter of the URL whose value has a question mark, where another was to begin
    strangers: tuple[str, ...] = ()  # names in allowedFunctionNames that are not declared


class SettingFact(Fact, frozen=True, kw_only=True):
    """A setting of a request whose value its model or surface does not take, by the limits in rules/models.yaml."""

    kind: ClassVar[str] = "setting"

    name: str  # its path, as in generationConfig.thinkingConfig.thinkingBudget
    why: str  # small, large (out of the range), word (not one of the words), none (no word is taken), refused
    value: Any
    takes: str  # what is taken, in words: "128 to 32768, or -1"
    beside: tuple[str, ...]  # the other settings in the same object, in camelCase


class FieldFact(Fact, frozen=True, kw_only=True):
    """A field of a request or of a Live client's frame that the API does not have like this."""

    kind: ClassVar[str] = "field"

    message: (
        str  # what contains it: request, content, part, generationConfig, …; in Live: frame, setup, realtimeInput, …
    )
    name: str  # as written
    # unknown: no such field; misspelt, misplaced, foreign (of another API): likewise, for a known reason; surface,
    # version, beta, model: only available elsewhere; live: only used in Live sessions; twice: in both spellings; list:
    # a list for a single value; type: a value of another type; enum: a word the field does not accept; url: a URL in
    # place of base64; mime: a type of a medium that is none; json: JSON in place of a thought signature. In Live only:
    # mixed: spelled otherwise than its neighbours; beside: a second message where one is allowed; empty: no message.
    why: Why
    hint: str  # what was probably meant, as the end of a sentence; for twice, the other spelling
    value: Any = None  # for list, type, enum, url, mime and json: the value


class ReplyFact(Fact, frozen=True, kw_only=True):
    """A complete reply, put together from all its chunks."""

    kind: ClassVar[str] = "reply"

    streamed: bool
    chunks: int
    candidates: int
    blocked: str | None  # promptFeedback.blockReason
    error: str | None  # the message of an error in the body
    finish: str | None  # of the first candidate; of an interaction its status, once it is no longer in progress
    finish_message: str | None
    parts: int  # of the first candidate, all chunks together
    calls: int  # of the first candidate; one with streamed arguments counts when it is complete
    call_chunks: int  # in how many chunks they came
    waiting: str | None  # the name of a call whose streamed arguments were incomplete at the end
    empty: bool  # it has candidates, but no part, or only empty text
    causes: tuple[str, ...] = ()  # for an empty reply: what in the request is known to cause it on this model
    complete: bool  # the end of the reply was seen
    keys: tuple[str, ...]  # of all its chunks, in camelCase
    missing: tuple[str, ...]  # fields that complete replies have and this one has not
    snake: tuple[str, ...]  # keys written in snake_case, of the reply, its candidates and their parts
    odd: tuple[str, ...]  # in a stream: what chunks of Google's servers never do (another responseId, no role)
    usage: Mapping[str, Any]  # the last usageMetadata
    counted: int | None  # the sum of its counts
    total: int | None  # its totalTokenCount


class RejectionFact(Fact, frozen=True, kw_only=True):
    """A request was rejected, and no finding in it explains why. Placed where the server's text points.

    Not with `predict`.
    """

    kind: ClassVar[str] = "rejection"

    status: int | None
    text: str  # what the server said
    opaque: bool  # the text names nothing in the request
    # What the text is about: key, access, quota, model, place, blocked, down, length, url, signature, complexity (of a
    # schema), no-properties (of an object in a schema), empty-value (in a response), unasked (a mistake whose rule is
    # known, but ignored or not selected), feature (one that the model lacks), or request.
    about: str
    causes: tuple[str, ...]  # likeliest first: rules with similar texts, findings, unusual things in the request


class CandidateFact(Fact, frozen=True, kw_only=True):
    """One candidate of a reply or of a chunk, as it was written."""

    kind: ClassVar[str] = "candidate"

    shape: str  # of its content: object, string, list, null, missing
    finish: str | None
    late: bool  # it has content although an earlier chunk had a finish reason
    keys: tuple[str, ...]
    value: Any


class ConnectedFact(Fact, frozen=True, kw_only=True):
    """The websocket of a Live session, if the log has its URL. Comes with its first frame."""

    kind: ClassVar[str] = "connected"

    query: tuple[str, ...]  # the names in the query of the URL
    token: bool  # an ephemeral token is in the URL (auth_tokens/…)


class FrameFact(Fact, frozen=True, kw_only=True):
    """One Live frame, as it was written."""

    kind: ClassVar[str] = "frame"

    sender: Peer
    keys: tuple[str, ...]  # top-level keys in camelCase
    says: str  # the message: setup, clientContent, realtimeInput, toolResponse, …; a client's unknown one: other
    enveloped: bool  # false for tool responses outside toolResponse.functionResponses
    # State of the connection before it: amid and joined (the log lacks its beginning), connected, unset, setting-up,
    # ready, model-turn, generated, interrupted.
    state: str
    form: str  # object; otherwise json, text or bytes
    number: int  # from 0, for each sender
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
    """Something about what a Live client sends unasked. Each once a connection."""

    kind: ClassVar[str] = "input"

    # signal: activityStart or activityEnd while the server detects activity itself (if a token holds the setup: only
    # if the close says so); again: a second one in a row; stream-end: audioStreamEnd where the client has to mark
    # activity; chunks: mediaChunks; format: audio that is not PCM; rate: PCM without its rate; between: clientContent
    # amid audio; completed: likewise, with nothing but turnComplete; unseeded: realtimeInput before the history that
    # was announced is complete; unannounced: clientContent that is no such history; unfinished: turns that nothing
    # completed.
    what: str
    name: str  # of the field; the format


class UntimelyFact(Fact, frozen=True, kw_only=True):
    """A Live frame or close that the session's table of states does not have. For each kind the first in a state."""

    kind: ClassVar[str] = "untimely"

    sender: Peer
    # setup, clientContent, realtimeInput, toolResponse, contextUpdate, other; setupComplete, output, toolCall,
    # interrupted, generationComplete, turnComplete, toolCallCancellation, goAway, sessionResumptionUpdate; left (the
    # client closed), silence (nothing came for half a minute)
    what: str
    came: str  # the same in words: "the client left", "toolCall came"
    # As for a frame; waiting: blocking calls have no answer yet; refused: it came while a call had no answer, and the
    # close speaks of an operation
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
    waiting: tuple[str, ...]  # "name (id)" of each call that had no answer when it ended
    refused: bool  # the server closed, and not in peace
    # What the reason says: auth, model, handle, order, activity, input, setup, speech, schema, operation, argument,
    # quota, unavailable, limit, aborted (a limit, or a call that waits), internal, keepalive, unknown.
    meaning: str
    state: str  # as of a frame
    resumed: bool  # it was set up with the handle of an older connection
    going_away: bool  # the server had announced the close
    suspect: str  # the client's message that is likely to blame, "" where there is none, or the server took it
    found: tuple[str, ...] = ()  # where nothing explains it: the rules of errors and warnings before, likeliest first
    # What explains it: earlier (a mistake found before, of which the server says such words), here (one found with the
    # close itself), unasked (only a rule that is ignored or not selected has such words), "" nothing.
    explained: str
    because: str | None  # the rule of that mistake


class UnreadFact(Fact, frozen=True, kw_only=True):
    """A line or body that could not be read, or not in the order in which it was sent."""

    kind: ClassVar[str] = "unread"

    what: str  # unreadable, unterminated, unordered
    why: str


class LoggedFact(Fact, frozen=True, kw_only=True):
    """Something in which an application's log and the wire differ, as `wirecheck diff` compares them.

    Placed in the log, but for what the log lacks. Its related place is where the other side has it, or goes on without
    it.
    """

    kind: ClassVar[str] = "logged"

    what: str  # text, call, answer; conversation: all of it
    # unlogged (it crossed the wire, and the log does not have it), unsent (the log alone has it); where both have it:
    # id, name, role, order, content (another text, other arguments, another response)
    how: str
    speaker: Speaker
    role: str
    id: str | None
    name: str | None
    says: str  # a line of it
    other: str  # of id, name, role and content: what it is on the wire
    utterances: int  # how many a conversation has


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
        SettingFact,
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
        LoggedFact,
    )
}
