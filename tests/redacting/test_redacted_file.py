"""No secret is left in a file, whatever it is and wherever it stands; and nothing else of it is changed."""

from pathlib import Path

import pytest

from tests.redacting.planting import FORMS, PLACES, left, written


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_gone_from_any_place(tmp_path: Path, place: str) -> None:
    name, carrier = PLACES[place]
    still = {}
    for kind, secret in FORMS.items():
        data = carrier(secret)
        after = written(data, name, tmp_path)
        if found := left(after, secret):
            still[kind] = found
        assert written(after, name, tmp_path) == after
    assert not still
