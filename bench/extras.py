"""What stands beside a candidate when tools of the server ran, and what a question shows. It knows no conversation."""

from random import Random

from bench.client import HARMS, Client
from bench.shares import CANDIDATE, SHOWN, known
from bench.words import Json, data, text, token

KINDS = ("image/png", "image/jpeg", "application/pdf", "audio/mpeg", "video/mp4")
STYLE = ".container{align-items:center;border-radius:8px;display:flex;font-family:Roboto,sans-serif;font-size:14px}"


def shown(rng: Random) -> list[Json]:
    """Media beside the first question."""
    parts: list[Json] = []
    if rng.random() < known(SHOWN, "inlineData"):
        parts.append({"inlineData": {"mimeType": rng.choice(KINDS[:2]), "data": data(rng, rng.randint(100, 30_000))}})
    if rng.random() < known(SHOWN, "fileData"):
        uri = f"https://generativelanguage.googleapis.com/v1beta/files/{token(rng, 12)}"
        parts.append({"fileData": {"mimeType": rng.choice(KINDS), "fileUri": uri}})
    return parts


def added(rng: Random, client: Client, reply: Json) -> None:
    """To the last chunk of a reply."""
    kinds = {kind for tool in client.around.get("tools", []) for kind in tool}
    candidate = reply["candidates"][0]
    parts = candidate["content"]["parts"]
    spoke = all("text" in part for part in parts)
    if spoke and ("googleSearch" in kinds or rng.random() < known(CANDIDATE, "groundingMetadata") / 4):
        candidate["groundingMetadata"] = grounding(rng)
    if spoke and "urlContext" in kinds:
        met = {"retrievedUrl": f"https://{token(rng, 8)}.example", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"}
        candidate["urlContextMetadata"] = {"urlMetadata": [met]}
    if rng.random() < known(CANDIDATE, "safetyRatings"):
        candidate["safetyRatings"] = [{"category": harm, "probability": "NEGLIGIBLE"} for harm in HARMS]
    if spoke and rng.random() < known(CANDIDATE, "logprobsResult") and client.server.logprobs:
        candidate["logprobsResult"] = logprobs(rng)


def grounding(rng: Random) -> Json:
    sites = [f"{token(rng, 7)}.example" for _ in range(rng.randint(1, 5))]
    host = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
    chunks = [{"web": {"uri": host + token(rng, 120), "title": site}} for site in sites]
    chips = "".join(f'<a class="chip" href="{host}{token(rng, 90)}">{text(rng, 2, 5)}</a>' for _ in sites)
    supports = [
        {
            "segment": {"startIndex": at * 80, "endIndex": at * 80 + rng.randint(20, 79), "text": text(rng, 4, 14)},
            "groundingChunkIndices": [rng.randrange(len(sites))],
            "confidenceScores": [rng.random()],
        }
        for at in range(rng.randint(1, 6))
    ]
    return {
        "searchEntryPoint": {"renderedContent": f"<style>\n{STYLE}\n</style>\n<div>{chips}</div>\n"},
        "groundingChunks": chunks,
        "groundingSupports": supports,
        "webSearchQueries": [text(rng, 2, 6) for _ in range(rng.randint(1, 3))],
    }


def logprobs(rng: Random) -> Json:
    def token_of(rng: Random) -> Json:
        return {"token": token(rng, 3), "tokenId": rng.randint(1, 250_000), "logProbability": -rng.random() * 9}

    count = rng.randint(1, 30)
    chosen = [token_of(rng) for _ in range(count)]
    return {"chosenCandidates": chosen, "topCandidates": [{"candidates": [one, token_of(rng)]} for one in chosen]}
