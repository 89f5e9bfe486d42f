"""What `make test` leaves out of the suite."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from running import PROJECT


@pytest.mark.parametrize(
    ("named", "examples", "left"),
    [("tests", 0, ["a", "b[2]", "b[3]"]), ("tests", 20, []), ("tests/test_x.py::a", 0, [])],
    ids=["in the suite", "in make nightly", "if it is named"],
)
def test_what_is_nightly_is_left_out_but_for_every_so_many_of_its_cases(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, named: str, examples: int, left: list[str]
) -> None:
    plugin: Any = pytestconfig.pluginmanager.get_plugin(str(PROJECT / "tests/conftest.py"))
    monkeypatch.setattr(plugin, "EXAMPLES", examples)
    monkeypatch.setattr(plugin, "UPDATE", False)
    marks = {"a": pytest.mark.nightly.mark, "b": pytest.mark.nightly(but_every=3).mark, "c": None}
    items: list[Any] = [
        SimpleNamespace(nodeid=name, get_closest_marker=lambda _, name=name: marks[name[0]])
        for name in ("a", "b[1]", "b[2]", "b[3]", "b[4]", "c[1]", "c[2]")
    ]
    every, told = [item.nodeid for item in items], list[Any]()
    config = SimpleNamespace(args=[named], hook=SimpleNamespace(pytest_deselected=lambda items: told.extend(items)))
    plugin.pytest_collection_modifyitems(config, items)
    assert [item.nodeid for item in told] == left
    assert [item.nodeid for item in items] == [name for name in every if name not in left]
