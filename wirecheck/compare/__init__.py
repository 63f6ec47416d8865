"""What an application wrote down, beside what crossed the wire.

`Listener` makes conversations of the facts of one side, `compare` finds where two sides differ, `findings` asks the
rules about it.
"""

from wirecheck.compare.comparison import Compared, compare
from wirecheck.compare.judging import compare_records, findings
from wirecheck.compare.listener import Listener

__all__ = ["Compared", "Listener", "compare", "compare_records", "findings"]
