"""Typographic signs, and `:rocket:`, in words: not in code, formulas, addresses and the text's own HTML."""

from __future__ import annotations

import re

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.patterns import regex
from paper_notes.typography import KEPT, OBJECT, may_change, typeset

_NAMES = """
+1 👍 -1 👎 100 💯 1234 🔢 1st_place_medal 🥇 2nd_place_medal 🥈 3rd_place_medal 🥉 abacus 🧮 abc 🔤 airplane ✈️
alarm_clock ⏰ alembic ⚗️ alien 👽 anchor ⚓ angry 😠 ant 🐜 apple 🍎 arrow_backward ◀️ arrow_down ⬇️
arrow_forward ▶️ arrow_left ⬅️ arrow_right ➡️ arrow_up ⬆️ arrows_counterclockwise 🔄 art 🎨 atom_symbol ⚛️
baby 👶 back 🔙 balance_scale ⚖️ ballot_box_with_check ☑️ bangbang ‼️ bank 🏦 bar_chart 📊 basketball 🏀
battery 🔋 bee 🐝 beer 🍺 beers 🍻 bell 🔔 bike 🚲 bird 🐦 black_circle ⚫ blue_book 📘 blue_circle 🔵
blue_heart 💙 blue_square 🟦 blush 😊 bomb 💣 book 📖 bookmark 🔖 bookmark_tabs 📑 books 📚 boom 💥 brain 🧠
briefcase 💼 broken_heart 💔 bug 🐛 bulb 💡 bus 🚌 bust_in_silhouette 👤 busts_in_silhouette 👥 cake 🍰
calendar 📅 camera 📷 car 🚗 card_index 📇 cat 🐱 cd 💿 chart_with_downwards_trend 📉
chart_with_upwards_trend 📈 checkered_flag 🏁 cherry_blossom 🌸 clap 👏 clapper 🎬 clipboard 📋 closed_book 📕
cloud ☁️ cn 🇨🇳 coffee ☕ collision 💥 compass 🧭 computer 💻 confetti_ball 🎊 confused 😕 construction 🚧
cool 🆒 cop 👮 credit_card 💳 crossed_swords ⚔️ crown 👑 cry 😢 crystal_ball 🔮 dart 🎯 dash 💨 date 📅
deciduous_tree 🌳 desktop_computer 🖥️ detective 🕵️ disappointed 😞 dizzy 💫 dizzy_face 😵 dna 🧬 dog 🐶
dollar 💵 door 🚪 dragon 🐉 droplet 💧 earth_americas 🌎 earth_asia 🌏 eight 8️⃣ electric_plug 🔌 email 📧
end 🔚 envelope ✉️ evergreen_tree 🌲 exclamation ❗ exploding_head 🤯 expressionless 😑 eye 👁️ eyes 👀 family 👪
file_folder 📁 fire 🔥 five 5️⃣ flashlight 🔦 floppy_disk 💾 four 4️⃣ four_leaf_clover 🍀 fr 🇫🇷 free 🆓
frowning 😦 game_die 🎲 gb 🇬🇧 gear ⚙️ gem 💎 ghost 👻 gift 🎁 globe_with_meridians 🌐 green_book 📗
green_circle 🟢 green_heart 💚 green_square 🟩 grey_exclamation ❕ grey_question ❔ grin 😁 grinning 😀
guitar 🎸 hammer 🔨 hammer_and_wrench 🛠️ handshake 🤝 heart ❤️ heart_eyes 😍 heavy_check_mark ✔️
heavy_exclamation_mark ❗ heavy_minus_sign ➖ heavy_multiplication_x ✖️ heavy_plus_sign ➕ high_brightness 🔆
honeybee 🐝 hospital 🏥 hourglass ⌛ hourglass_flowing_sand ⏳ house 🏠 hugs 🤗 inbox_tray 📥
information_source ℹ️ interrobang ⁉️ iphone 📱 jigsaw 🧩 joy 😂 jp 🇯🇵 key 🔑 keyboard ⌨️ keycap_ten 🔟 label 🏷️
large_blue_circle 🔵 large_blue_diamond 🔷 large_orange_diamond 🔶 laughing 😆 leaves 🍃 ledger 📒
leftwards_arrow_with_hook ↩️ lemon 🍋 link 🔗 llama 🦙 lock 🔒 loudspeaker 📢 mag 🔍 mag_right 🔎 mailbox 📫
man_technologist 👨‍💻 medal 🎖️ medal_sports 🏅 mega 📣 memo 📝 microscope 🔬 milky_way 🌌 moneybag 💰 moon 🌙
mortar_board 🎓 mountain ⛰️ movie_camera 🎥 muscle 💪 musical_note 🎵 negative_squared_cross_mark ❎
neutral_face 😐 new 🆕 newspaper 📰 nine 9️⃣ no_entry ⛔ no_entry_sign 🚫 notebook 📓 notes 🎶 nut_and_bolt 🔩
ocean 🌊 octopus 🐙 office 🏢 ok 🆗 ok_hand 👌 older_man 👴 on 🔛 one 1️⃣ open_book 📖 open_file_folder 📂
orange_book 📙 orange_circle 🟠 outbox_tray 📤 package 📦 page_facing_up 📄 page_with_curl 📃 panda_face 🐼
paperclip 📎 pen 🖊️ pencil 📝 pencil2 ✏️ penguin 🐧 pensive 😔 pill 💊 pizza 🍕 point_down 👇 point_left 👈
point_right 👉 point_up ☝️ pray 🙏 purple_circle 🟣 pushpin 📌 puzzle_piece 🧩 question ❓ rage 😡 rainbow 🌈
raised_hand ✋ raised_hands 🙌 recycle ♻️ red_circle 🔴 red_square 🟥 relieved 😌 repeat 🔁 robot 🤖 rocket 🚀
rofl 🤣 rose 🌹 rotating_light 🚨 round_pushpin 📍 runner 🏃 santa 🎅 satellite 📡 satisfied 😆 school 🏫
scream 😱 scroll 📜 see_no_evil 🙈 seedling 🌱 seven 7️⃣ shield 🛡️ ship 🚢 six 6️⃣ skull 💀 sleeping 😴
slightly_smiling_face 🙂 small_blue_diamond 🔹 small_orange_diamond 🔸 small_red_triangle 🔺 smile 😄 smiley 😃
smirk 😏 snail 🐌 snake 🐍 snowflake ❄️ sob 😭 soccer ⚽ soon 🔜 sos 🆘 sparkles ✨ speech_balloon 💬 star ⭐
star2 🌟 stop_sign 🛑 stopwatch ⏱️ straight_ruler 📏 sun_with_face 🌞 sunglasses 😎 sunny ☀️ sweat 😓
sweat_drops 💦 sweat_smile 😅 syringe 💉 tada 🎉 tea 🍵 telephone ☎️ telescope 🔭 test_tube 🧪 thermometer 🌡️
thinking 🤔 thought_balloon 💭 three 3️⃣ thumbsdown 👎 thumbsup 👍 timer_clock ⏲️ top 🔝 tophat 🎩
triangular_flag_on_post 🚩 trophy 🏆 turtle 🐢 tv 📺 two 2️⃣ uk 🇬🇧 umbrella ☔ unamused 😒 unicorn 🦄 unlock 🔓
up 🆙 us 🇺🇸 v ✌️ walking 🚶 warning ⚠️ wastebasket 🗑️ watch ⌚ wave 👋 whale 🐳 white_check_mark ✅
white_circle ⚪ wink 😉 woman_technologist 👩‍💻 world_map 🗺️ worried 😟 wrench 🔧 writing_hand ✍️ x ❌
yellow_circle 🟡 yellow_heart 💛 yen 💴 zap ⚡ zero 0️⃣ zzz 💤
""".split()
SIGNS = dict(zip(_NAMES[::2], _NAMES[1::2], strict=True))
"""The emoji by their names on GitHub, GitLab, Slack and in Obsidian."""
NAMED = regex(r"(?<![A-Za-z0-9_:/]):([a-z0-9_+-]{1,30}):(?![A-Za-z0-9_:/])")


def emoji(state: StateCore) -> None:
    """Replace the names in words, not in code, formulas and addresses."""
    for block in state.tokens:
        if block.type == "inline" and NAMED.search(block.content):
            for token in block.children or []:
                if token.type == "text":
                    token.content = NAMED.sub(lambda match: SIGNS.get(match[1], match[0]), token.content)


_LITERAL = regex(r"<(/?)(?:code|kbd|samp|pre|var|tt)\b", re.IGNORECASE)
"""HTML elements whose text stays as it is."""


def typographer(state: StateCore) -> None:
    r"""Replace the signs of each block. `\"` stays as it is."""
    for block in state.tokens:
        if block.type == "inline" and block.children and may_change(block.content):
            _typeset(block.children)


def _typeset(tokens: list[Token]) -> None:
    texts: list[Token] = []
    starts: list[int] = []
    shown: list[str] = []
    length = literal = 0
    for token in tokens:
        if token.info == "auto":  # a link made from a bare address
            literal += token.nesting
        elif token.type == "html_inline" and (tag := _LITERAL.match(token.content)):
            literal = max(literal - 1, 0) if tag[1] else literal + 1  # an end without a start is not ours to count
        elif token.type == "image" and token.children:
            _typeset(token.children)
        if token.type == "text" and not literal:
            texts.append(token)
            starts.append(length)
            shown.append(token.content)
        else:
            shown.append(_placeholder(token))
        length += len(shown[-1])
    for token, content in zip(texts, typeset([token.content for token in texts], "".join(shown), starts), strict=True):
        token.content = content


def _placeholder(token: Token) -> str:
    """What replaces a token that stays as it is in the text for the rules: a line break, a placeholder, or nothing."""
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "text_special":
        return KEPT * len(token.content)
    return OBJECT if token.content and token.type != "html_inline" else ""
