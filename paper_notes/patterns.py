"""Regular expressions that are compiled when they are first used: most of them are not, in most builds."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_NAMES = "match fullmatch search sub subn split findall finditer pattern flags groups groupindex".split()


class _Expression:
    """Takes what a compiled expression has from one, when it is asked for any of it."""

    def __init__(self, *asked: Any) -> None:
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        if name not in _NAMES:
            raise AttributeError(name)
        compiled = re.compile(*self._asked)
        vars(self).update({every: getattr(compiled, every) for every in _NAMES})
        return getattr(compiled, name)


def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, later: a mistake in it is raised by whoever uses it first."""
    return cast("re.Pattern[AnyStr]", _Expression(text, flags))
