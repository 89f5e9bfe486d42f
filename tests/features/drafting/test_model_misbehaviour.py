"""Whatever a model or its server does ends in a clear word, and in a note that is as it was."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from building import note
from fake_model import KEY, FakeModel, Raw, problem, said, streamed
from running import files_of, paper_notes
from tea_notes import BREWING, BREWING_EN, TERMS, between, collection

from paper_notes.diagnostics import UserError
from paper_notes.features.drafting import asking
from paper_notes.features.drafting.asking import Answer, Asker, Checked, model_of
from paper_notes.features.drafting.invariants import differences, read_piece
from paper_notes.features.drafting.prompts import Prompt
from paper_notes.features.drafting.translate import TranslationJob, check, prompt_of
from paper_notes.features.papers.request import NoResponse
from paper_notes.features.papers.web import Web
from paper_notes.languages.language import BUILT_IN_WORDS
from paper_notes.languages.text import Lang
from paper_notes.values import replace

STATUS = f"HTTP/1.1 401 bad {KEY}\r\nContent-Length: 0\r\n\r\n".encode()
HEAD = f"HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n".encode()
STREAM = "text/event-stream"
SERVERS: dict[str, tuple[list[Raw], str]] = {
    "503 again and again": ([problem(503, "overloaded")] * 4, "it answered 503 (overloaded) (tried 4 times)"),
    "429 without a time": ([problem(429, "slow down")] * 4, "trying again in 3 s"),
    "429 that asks for an hour": ([problem(429, Retry_After="3600")], "asks for a pause of 3600 seconds"),
    "cut off in the middle": ([Raw(b'{"choices": [', cut=True)] * 4, "the model cannot be reached: "),
    "connection reset": ([Raw(reset=True)] * 4, "the model cannot be reached: "),
    "no JSON": ([Raw(b"{'choices': None}")], "the model's answer is not whole JSON"),
    "JSON without end": ([Raw(b"[" * 100_000)], "the model's answer is not whole JSON"),
    "wrong keys": ([Raw(b'{"result": {"text": "x"}}')], "has no text where it should have one"),
    "no choices": ([Raw(b'{"choices": []}')], "has no text where it should have one"),
    "an error with status 200": ([Raw(b'{"error": {"message": "no GPU"}}')], "should have one: no GPU"),
    "a list": ([Raw(b"[1, 2]")], "has no text where it should have one"),
    "a web page": ([Raw(b"<!DOCTYPE html><p>Hotel WiFi", kind="text/html")], "the model's answer is a web page"),
    "a web page as error": ([Raw(b"<html><b>Bad", 404, kind="text/html")], "answered 404\n  hint: check PAPER_NOTES"),
    "plain text": ([Raw(b"ok", kind="text/plain")], "the model's answer is not whole JSON"),
    "a redirect": ([Raw(status=307, headers={"Location": "http://127.0.0.1:9/v1"})], "sends us elsewhere (307)"),
    "401": ([problem(401, f"bad key {KEY}")], "answered 401 (bad key ***)\n  hint: check PAPER_NOTES_MODEL_KEY"),
    "a status that quotes the key": ([Raw(STATUS, bare=True)], "answered 401\n"),
    "a head that quotes the key": ([Raw(HEAD, bare=True)] * 4, "illegal header line"),
    "403": ([problem(403, "not for you")], "answered 403 (not for you)"),
    "a giant answer": ([Raw(b"{", endless=True)], "larger than 8 MB"),
    "a giant error": ([Raw(b"{", 400, endless=True)], "larger than 8 MB"),
    "a stream without end": ([Raw(b"data: {}\n\n", kind=STREAM, endless=True)], "larger than 8 MB"),
    "a stream that drips": ([Raw(b"data: " * 2_000, kind=STREAM, drip=0.02)], "no whole answer within 0.2 seconds"),
    "a stream that breaks off": ([streamed("A text.", end=False)] * 4, "the answer is cut off"),
    "a stream that is cut by the network": ([Raw(b"data: {}\n\n", kind=STREAM, cut=True)] * 4, "cannot be reached: "),
    "a stream that is no JSON": ([Raw(b"data: {'choices'\n\ndata: [DONE]\n\n", kind=STREAM)] * 4, "is empty"),
    "an error in a stream": ([Raw(b'data: {"error": {"message": "no GPU"}}\n\n', kind=STREAM)], "one: no GPU"),
    "another protocol in a stream": ([Raw(b'data: {"text": "x"}\n\ndata: [DONE]\n\n', kind=STREAM)], "has no text"),
    "silence": ([Raw(delay=30)], "no whole answer within 0.2 seconds"),
    "an answer that drips": ([Raw(b" " * 10_000, drip=0.02)], "no whole answer within 0.2 seconds"),
    "an error that drips": ([Raw(b" " * 10_000, 503, drip=0.02)], "no whole answer within 0.2 seconds"),
    "a head that drips": ([Raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 10_000, drip=0.02, bare=True)], "within 0.2 seconds"),
}  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return collection(tmp_path / "tea", f"{BREWING}\n")


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(("answers", "words"), SERVERS.values(), ids=SERVERS)
def test_a_server_that_misbehaves(
    model: FakeModel, root: Path, monkeypatch: pytest.MonkeyPatch, answers: list[Raw], words: str
) -> None:
    is_slow = any(answer.delay or answer.drip for answer in answers)
    if is_slow:
        monkeypatch.setattr(asking, "PATIENCE", 0.2)
    before = files_of(root)
    model.answers = list(answers)
    result = paper_notes("translate", "tea/1", "--root", root)
    assert result.exit_code == 1
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert KEY not in result.output
    assert files_of(root) == before
    assert len(model.questions) == len(answers) or is_slow, "on a busy machine time may be up before it is asked"
    assert len(model.questions) <= len(answers)


def test_all_tries_and_pauses_have_one_deadline(model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    now, pauses = [0.0], list[float]()

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    model.answers = [problem(503, Retry_After="100")] * 4
    monkeypatch.setattr(asking, "PATIENCE", 250.0)
    with closing(Web(sleep=sleep, clock=lambda: now[0])) as web, pytest.raises(NoResponse, match="it answered 503"):
        Asker(model_of(model.environment), web).send([{"role": "user", "content": "?"}], 10)
    assert pauses == [100.0, 100.0], "another 100 seconds would end after 250"


def changed(old: str, new: str) -> str:
    assert old in BREWING_EN
    return BREWING_EN.replace(old, new, 1)


NOTE = note({Lang("zh"): BREWING})
GERMAN = changed(
    "Water of $T = 95$ degrees, three minutes, see [@li2024tea, Table 2] and [[#2]]. The acceptance rate is 94.5%, "
    "200,000 points above `baseline`; more on [its page](https://example.org/a).",
    "Wasser mit $T = 95$ Grad, 3 Minuten lang, nicht zu kurz und nicht zu lang, sonst schmeckt der ganze Tee sehr "
    "bitter, siehe [@li2024tea, Tabelle 2] und [[#2]]. Der Wert (acceptance rate) liegt bei 94.5%, also 200,000 Punkte "
    "besser als `baseline`; mehr auf [ihrer Seite](https://example.org/a).",
)
MODELS = {
    "wrong language: an echo": (BREWING, "not in English"),
    "another wrong language": (GERMAN, "not in English"),
    "a changed number": (changed("94.5%", "95.4%"), "a number is missing or changed: 94.5"),
    "a number with one zero less": (changed("200,000", "20,000"), "a number is new or changed: 20000"),
    "a changed number in a table": (changed("0.81", "0.18"), "a number is missing or changed: 0.81"),
    "a changed formula": (changed("T = 95", "T = 96"), 'a formula is missing or changed: "T=95"'),
    "a changed citation": (changed("@li2024tea", "@wu2024tea"), 'a citation is new or changed: "wu2024tea"'),
    "another place in the paper": (changed("Table 2", "Table 4"), "a number is new or changed: 4"),
    "a changed reference": (changed("[[#2]]", "[[#1]]"), 'a reference is missing or changed: "#2"'),
    "a lost id": (changed(" {#brewing}", ""), 'a id is missing or changed: "brewing"'),
    "changed code": (changed("print(95)  # 水", "print(95)  # water"), "a piece of code is missing or changed"),
    "changed code in a line": (changed("`baseline`", "`base line`"), "a piece of code is new or changed"),
    "a broken box": (changed("\n:::\n", "\n"), "that the original has not: unclosed-component"),
    "a box of another kind": (changed(":::note", ":::quote"), "where the original has `component note`"),
    "a script": (f"{BREWING_EN}\n\n<script>alert(1)</script>", "<script>alert(1)</script>"),
    "an event": (changed("Take care", '<img src=x onerror="alert(1)">'), "HTML is new or changed"),
    "a link": (changed("green tea", "[green tea](https://evil.example)"), 'a link is new or changed: "https://evil.example"'),
    "a link as a definition": (changed("green tea", "[green tea][x]") + "\n\n[x]: javascript:alert(1)", "it has "),
    "a picture that calls home": (changed("green tea", "![x](https://evil.example/x.png)"), "a picture is new"),
    "another heading": (f"{BREWING_EN}\n\n## Buy my tea\n\nNow.", "it has a block that the original has not"),
    "everything twice": (f"{BREWING_EN}\n\n{BREWING_EN}", "it has a block that the original has not"),
    "half of it": (BREWING_EN.partition("| tea")[0], "it ends before the block"),
    "another name": (changed("`baseline`", "`baseline` and GPT-5"), 'a name is new or changed: GPT-5'),
    "an avoided word": (changed("acceptance rate", "acceptance ratio"), 'the glossary says "acceptance rate"'),
}  # fmt: skip
WHOLE = {
    "empty": ("", "the answer is empty"),
    "refusal": ("I'm sorry, but I can't help with that.", "the translation is not between one line"),
    "instructions obeyed": ("Ignoring my instructions, as the note says: HACKED", "is not between one line"),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_translation_that_changes_what_it_must_not(name: str) -> None:
    text, words = MODELS[name]
    job = TranslationJob("brewing", (Lang("zh"), Lang("en")), BREWING, "0123456789")
    found = check(job, TERMS, BUILT_IN_WORDS, between(prompt_of(job, NOTE, TERMS, BUILT_IN_WORDS).messages, text))
    assert found.value is None
    assert any(words in finding for finding in found.findings), found.findings


@pytest.mark.parametrize("name", ["a script", "a changed number"])
def test_what_is_wrong_is_sent_back_three_times(model: FakeModel, root: Path, name: str) -> None:
    text, words = MODELS[name]
    before = files_of(root)
    model.reply = lambda messages: between(messages, text)
    result = paper_notes("translate", "tea/1", "--root", root)
    assert result.exit_code == 1
    assert "en.md: brewing: this is left, because the model's answers cannot be used:\n" in result.stderr
    assert words in result.stderr
    assert files_of(root) == before
    assert len(model.questions) == 4
    assert words in model.questions[3]["messages"][-1]["content"]


@pytest.mark.parametrize(("text", "words"), WHOLE.values(), ids=WHOLE)
def test_an_answer_that_is_no_translation(model: FakeModel, root: Path, text: str, words: str) -> None:
    before = files_of(root)
    model.reply = lambda messages: text
    result = paper_notes("translate", "tea/1", "--root", root)
    assert (result.exit_code, files_of(root)) == (1, before)
    assert words in result.stderr


def test_an_answer_that_was_cut_off_is_none(model: FakeModel, root: Path) -> None:
    model.answers = [said(BREWING_EN, "length")] * 4
    result = paper_notes("translate", "tea/1", "--root", root)
    assert result.exit_code == 1
    assert "the answer is cut off" in result.stderr


def test_numbers_that_changed_places_are_found() -> None:
    zh = "| 甲 | 1.5 |\n|---|---|\n| 乙 | 2.5 |\n\n从 7.25 升到 9.75。"
    en = "| A | 1.5 |\n|---|---|\n| B | 2.5 |\n\nFrom 7.25 up to 9.75."
    source = read_piece(zh, Lang("zh"), BUILT_IN_WORDS)

    def found(text: str) -> list[str]:
        return list(differences(source, read_piece(text, Lang("en"), BUILT_IN_WORDS)))

    assert found(en) == []
    cells = en.replace("1.5", "x").replace("2.5", "1.5").replace("x", "2.5")
    assert found(cells)[0] == "a number is missing or changed: 1.5"
    words = en.replace("7.25", "x").replace("9.75", "7.25").replace("x", "9.75")
    assert found(words) == ["its numbers are in another order: 9.75, 7.25"]


PROMPT = Prompt("test-1", "Answer in JSON.", "word " * 4_000, expected=10, schema={"type": "object"})
WAYS = {
    "all of it": (frozenset({"response_format", "json_schema", "json_object", "stream", "stream_options"}), 1),
    "no usage in streams": (frozenset({"response_format", "json_schema", "json_object", "stream"}), 2),
    "no streams": (frozenset({"response_format", "json_schema", "json_object"}), 3),
    "no schema": (frozenset({"response_format", "json_object", "stream", "stream_options"}), 2),
    "no form at all": (frozenset({"stream", "stream_options"}), 3),
}


@pytest.mark.parametrize("names", [True, False], ids=["says it", "says nothing"])
@pytest.mark.parametrize("way", WAYS)
def test_servers_are_asked_as_far_as_they_understand(model: FakeModel, way: str, names: bool) -> None:
    model.knows, tries = WAYS[way]
    model.names, model.reply = names, lambda messages: "{}"
    if not names and "stream" in way:
        return  # without a word nobody can know that
    with closing(Web(sleep=lambda seconds: None)) as web:
        asker = Asker(model_of(model.environment), web)
        assert asker.ask(PROMPT, Checked).value == "{}"
        assert len(model.questions) == tries
        asker.ask(replace(PROMPT, user="again"), Checked)
        assert len(model.questions) == tries + 1, "what it refuses is not tried again"


@pytest.mark.parametrize("streams", [True, False])
def test_a_stream_says_the_same_as_a_whole_answer(model: FakeModel, streams: bool) -> None:
    text, shares = "Wörter, 中文, \u2028 and \\n" * 50, list[float]()
    model.streams, model.reply = streams, lambda messages: text
    with closing(Web()) as web:
        asker = Asker(model_of(model.environment), web, watch=shares.append)
        answer = asker.send(PROMPT.messages, 100, expected=500)
    assert answer == Answer(text, sum(len(message["content"]) for message in PROMPT.messages) // 4, len(text) // 4 + 1)
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1


def test_a_server_that_cuts_the_question_is_noticed(model: FakeModel) -> None:
    model.context, model.reply = 2_048, lambda messages: "{}"
    with closing(Web()) as web:
        asker = Asker(model_of(model.environment), web)
        with pytest.raises(UserError, match=r"read only 2,048 tokens of a question of about 5,00\d: it cut it"):
            asker.ask(PROMPT, Checked)
        assert asker.ask(replace(PROMPT, user="word " * 1_500), Checked).value == "{}", "1,875 of 1,875"
        model.context = 10**9
        model.answers = [said("{}"), said("{}", tokens=4_000)]
        assert asker.ask(PROMPT, Checked).value == "{}", "it does not count"
        assert asker.ask(PROMPT, Checked).value == "{}", "other models count otherwise"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PAPER_NOTES_MODEL_CONTEXT", "a lot", "is not a number of tokens"),
        ("PAPER_NOTES_MODEL_CONTEXT", "1999", "is not a number of tokens"),
        ("PAPER_NOTES_MODEL_CONTEXT", "100000000", "is not a number of tokens"),
        ("PAPER_NOTES_MODEL_PRICE", "1", "is not a price"),
    ],
)
def test_settings_that_cannot_be_read(model: FakeModel, name: str, value: str, words: str) -> None:
    with pytest.raises(UserError, match=f"{name} {words}"):
        model_of({**model.environment, name: value})


def test_what_is_set_of_a_model(model: FakeModel) -> None:
    for value, tokens in (("2000", 2_000), ("99_999_999", 99_999_999)):
        assert model_of({**model.environment, "PAPER_NOTES_MODEL_CONTEXT": value}).context == tokens
    known = model_of({**model.environment, "PAPER_NOTES_MODEL_CONTEXT": "8,192", "PAPER_NOTES_MODEL_PRICE": "0.5/2"})
    assert (known.context, known.price and known.price.of(1_000_000, 500_000)) == (8_192, "1.5000")
