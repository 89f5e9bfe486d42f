"""Fields of application of the papers in a list, out of free text."""

from __future__ import annotations

from paper_notes.languages.text import Lang, Text
from paper_notes.render.pages.entries import Field, fields_of

ZH, EN = Lang("zh"), Lang("en")


def test_fields_are_those_that_several_papers_share_but_not_all() -> None:
    areas = [
        {ZH: "自然语言处理 (NLP) - 推理加速 / 全部"},
        {ZH: "NLP-代码大模型、强化学习（Reinforcement Learning, RL）；全部"},
        {ZH: "强化学习 · 视觉-语言模型，全部。"},
        {},
        {ZH: "这里有一句很长的话，讲的是机器人和具身智能在许多不同场景里分别怎样得到应用以及为什么 / 全部"},
        {ZH: "全部"},
    ]
    own, fields = fields_of(areas, (ZH,))
    assert [(field.id, field.count) for field in fields] == [("全部", 5), ("自然语言处理", 2), ("强化学习", 2)]
    assert own == (
        ("自然语言处理", "全部"),
        ("自然语言处理", "强化学习", "全部"),
        ("强化学习", "全部"),
        (),
        ("全部",),
        ("全部",),
    )
    _, fields = fields_of([areas[0], areas[1], areas[2]], (ZH,))
    assert [field.id for field in fields] == ["自然语言处理", "强化学习"], "what all papers have tells none apart"


def test_a_field_is_named_in_both_languages_where_both_texts_name_as_many() -> None:
    areas = [
        {ZH: "视觉 / 语音", EN: "Vision / Speech"},
        {ZH: "视觉、机器人", EN: "Vision"},
        {ZH: "语音", EN: "speech"},
        {ZH: "机器人", EN: ""},
    ]
    _, fields = fields_of(areas, (ZH, EN))
    assert fields == (
        Field("视觉", Text.of(zh="视觉", en="Vision"), 2),
        Field("语音", Text.of(zh="语音", en="Speech"), 2),
        Field("机器人", Text.of(zh="机器人"), 2),
    )


def test_a_filter_with_one_choice_is_none() -> None:
    assert fields_of([{ZH: "茶"}, {ZH: "茶"}, {ZH: "水"}], (ZH,)) == (((), (), ()), ())
    assert fields_of([], (ZH,)) == ((), ())
    assert fields_of([{}, {}], ()) == (((), ()), ()), "a note without a text"
