"""How long a server asks to wait: the header `Retry-After`."""

from __future__ import annotations

import email.utils
from collections.abc import Mapping


def pause_asked(headers: Mapping[str, str], now: float) -> float:
    """Seconds to wait, 0 if the answer asks for none; a date counts from the date of the answer, or else from `now`."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:6])
    try:
        until = email.utils.parsedate_to_datetime(value).timestamp()
        date = headers.get("Date")
        return max(0.0, until - (email.utils.parsedate_to_datetime(date).timestamp() if date else now))
    except (ValueError, TypeError, OverflowError):
        return 0.0
