"""The formats that files are recognised as, before anything is searched for inside."""

from wirecheck.sources.formats.format import FileFormat

FORMATS = (
    FileFormat(
        name="vcr-yaml",
        title="a VCR cassette",
        known_by="`interactions:` or `http_interactions:` at the top, with `request:` in them",
        recognises=lambda b: b.is_yaml("interactions", "http_interactions") and b"request:" in b.head,
        where="`tests/**/cassettes/**/*.yaml` (vcrpy, pytest-recording), `spec/**/*.yml` (VCR for Ruby)",
        endings=(".yaml", ".yml"),
        module="cassettes.vcr:yaml",
    ),
    FileFormat(
        name="vcr-json",
        title="a VCR cassette (JSON)",
        known_by="`interactions[].request.uri`",
        recognises=lambda b: b.has("interactions[].request.uri") or b.has("http_interactions[].request"),
        where="the same folders, where cassettes are serialized as JSON",
        endings=(".json",),
        module="cassettes.vcr:json",
    ),
)
BY_NAME = {each.name: each for each in FORMATS}
