"""Questions to a model, and what becomes of its answers: checked, sent back with what is wrong, kept, counted."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache
from paper_notes.features.drafting.endpoint import Endpoint
from paper_notes.features.drafting.prompts import Prompt, estimate, sent_back
from paper_notes.sources.characters import lines
from paper_notes.sources.tree import with_plain_ends

T = TypeVar("T")

ROUNDS = 3
"""How often an answer is sent back with what is wrong with it."""
_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
"""What some models say before their answer."""
_LONGEST = 200_000
"""Characters of an answer that is looked at: a section has a few thousand."""


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """What an answer means, or why it cannot be used."""

    value: T | None
    findings: tuple[str, ...] = ()
    rest: T | None = None
    """What can be used of it if no better answer comes."""


@dataclass
class Asker:
    """Asks one model, with a budget of tokens."""

    source: Endpoint
    store: Cache | None = None
    budget: int | None = None
    tokens: int = field(default=0, init=False)
    """Used so far, as the server counts, or else by our estimate."""

    def ask(self, prompt: Prompt, check: Callable[[str], Checked[T]]) -> Checked[T]:
        """What `check` makes of the model's answer; one that passed before is not asked for again. Raises UserError.

        If no answer passes: what was wrong with the last one, and what can be used all the same.
        """
        key = self._key(prompt)
        if self.store and (kept := self.store.get(key, of_any_program=True)):
            checked = check(kept.decode(errors="replace"))
            if checked.value is not None:
                return checked
        messages = prompt.messages
        findings: tuple[str, ...] = ()
        rest: T | None = None
        for _ in range(1 + ROUNDS):
            text, cut_off = self._answer(prompt, messages)
            if not text.strip():
                findings = ("the answer is empty",)
            elif cut_off:
                findings = ("the answer is cut off, because it is too long or was stopped",)
            else:
                checked = check(text)
                findings, rest = checked.findings, checked.rest or rest
                if checked.value is not None:
                    if self.store:
                        self.store.put(key, text.encode(), of_any_program=True)
                        self.store.write()
                    return checked
            messages = sent_back(prompt, text[:_LONGEST], findings) if text.strip() else prompt.messages
        return Checked(rest, findings)

    def _answer(self, prompt: Prompt, messages: Sequence[Mapping[str, str]]) -> tuple[str, bool]:
        about = sum(estimate(message["content"]) for message in messages)
        if self.budget is not None and self.tokens + about + prompt.expected > self.budget:
            message = f"the budget of {self.budget:,} tokens is spent: {self.tokens:,} are used"
            raise UserError(message, "run it again with a larger --max-tokens: what is done is kept")
        left = prompt.most if self.budget is None else min(prompt.most, self.budget - self.tokens - about)
        answer = self.source.ask(messages, left, prompt.schema)
        text = _THOUGHTS.sub("", with_plain_ends(lines(answer.text[:_LONGEST])))
        self.tokens += answer.tokens if answer.tokens is not None else about + estimate(answer.text)
        return text, not answer.whole or len(answer.text) > _LONGEST

    def _key(self, prompt: Prompt) -> str:
        parts = (self.source.model.name, prompt.id, prompt.system, prompt.user, repr(prompt.schema))
        return f"model 1\n{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()}"
