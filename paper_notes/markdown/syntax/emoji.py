"""`:rocket:`: the emoji that notes and READMEs mostly name so. Other words between colons stay as they are."""

from __future__ import annotations

import re

from markdown_it.rules_core import StateCore

_NAMES = """
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 100 💯 1st_place_medal 🥇 2nd_place_medal 🥈 3rd_place_medal 🥉
abacus 🧮 airplane ✈️ alarm_clock ⏰ alembic ⚗️ alien 👽 anchor ⚓ arrow_down ⬇️ arrow_left ⬅️
arrow_right ➡️ arrow_up ⬆️ art 🎨 atom_symbol ⚛️ balance_scale ⚖️ bangbang ‼️ bar_chart 📊
battery 🔋 beers 🍻 bell 🔔 black_circle ⚫ blue_book 📘 blue_heart 💙 blush 😊 bomb 💣 book 📖
bookmark 🔖 bookmark_tabs 📑 books 📚 boom 💥 brain 🧠 briefcase 💼 broken_heart 💔 bug 🐛 bulb 💡
calendar 📅 camera 📷 chart_with_downwards_trend 📉 chart_with_upwards_trend 📈 checkered_flag 🏁 clap 👏
clapper 🎬 clipboard 📋 closed_book 📕 cloud ☁️ cn 🇨🇳 coffee ☕ collision 💥 compass 🧭 computer 💻
confused 😕 construction 🚧 cry 😢 crystal_ball 🔮 dart 🎯 date 📅 disappointed 😞 dizzy 💫 dna 🧬
door 🚪 earth_americas 🌎 earth_asia 🌏 electric_plug 🔌 email 📧 envelope ✉️ exclamation ❗
exploding_head 🤯 eyes 👀 file_folder 📁 fire 🔥 flashlight 🔦 floppy_disk 💾 fr 🇫🇷 gear ⚙️ gem 💎
gift 🎁 globe_with_meridians 🌐 green_book 📗 green_circle 🟢 green_heart 💚 grey_question ❔ grin 😁
hammer 🔨 hammer_and_wrench 🛠️ handshake 🤝 heart ❤️ heart_eyes 😍 heavy_check_mark ✔️
heavy_exclamation_mark ❗ heavy_minus_sign ➖ heavy_plus_sign ➕ high_brightness 🔆 hourglass ⌛
hourglass_flowing_sand ⏳ house 🏠 hugs 🤗 inbox_tray 📥 information_source ℹ️ joy 😂 jp 🇯🇵 key 🔑
keyboard ⌨️ label 🏷️ laughing 😆 ledger 📒 link 🔗 lock 🔒 loudspeaker 📢 mag 🔍 mag_right 🔎
mailbox 📫 medal 🎖️ medal_sports 🏅 mega 📣 memo 📝 microscope 🔬 milky_way 🌌 mortar_board 🎓
mountain ⛰️ muscle 💪 neutral_face 😐 new 🆕 newspaper 📰 no_entry ⛔ no_entry_sign 🚫 notebook 📓
ocean 🌊 ok 🆗 ok_hand 👌 open_book 📖 open_file_folder 📂 orange_book 📙 outbox_tray 📤 package 📦
page_facing_up 📄 paperclip 📎 pencil 📝 pencil2 ✏️ pensive 😔 point_down 👇 point_left 👈
point_right 👉 point_up ☝️ pray 🙏 pushpin 📌 puzzle_piece 🧩 question ❓ rainbow 🌈 raised_hands 🙌
recycle ♻️ red_circle 🔴 repeat 🔁 robot 🤖 rocket 🚀 rotating_light 🚨 round_pushpin 📍 satellite 📡
scream 😱 scroll 📜 seedling 🌱 shield 🛡️ ship 🚢 skull 💀 slightly_smiling_face 🙂 smile 😄 smiley 😃
smirk 😏 snail 🐌 snake 🐍 snowflake ❄️ sob 😭 sos 🆘 sparkles ✨ speech_balloon 💬 star ⭐ star2 🌟
stop_sign 🛑 stopwatch ⏱️ straight_ruler 📏 sun_with_face 🌞 sunglasses 😎 sunny ☀️ sweat 😓
sweat_smile 😅 tada 🎉 telescope 🔭 test_tube 🧪 thermometer 🌡️ thinking 🤔 thought_balloon 💭
timer_clock ⏲️ tophat 🎩 triangular_flag_on_post 🚩 trophy 🏆 tv 📺 unicorn 🦄 unlock 🔓 us 🇺🇸 v ✌️
warning ⚠️ wastebasket 🗑️ watch ⌚ wave 👋 whale 🐳 white_check_mark ✅ white_circle ⚪ wink 😉
wrench 🔧 writing_hand ✍️ x ❌ yellow_circle 🟡 yellow_heart 💛 zap ⚡ zzz 💤
""".split()
SIGNS = dict(zip(_NAMES[::2], _NAMES[1::2], strict=True))
"""The emoji by their names on GitHub, GitLab, Slack and in Obsidian."""
_NAMED = re.compile(r"(?<![A-Za-z0-9_:/]):([a-z0-9_+-]{1,30}):(?![A-Za-z0-9_:/])")


def emoji(state: StateCore) -> None:
    """Replace the names in words, not in code, formulas and addresses."""
    for block in state.tokens:
        if block.type == "inline" and _NAMED.search(block.content):
            for token in block.children or []:
                if token.type == "text":
                    token.content = _NAMED.sub(lambda found: SIGNS.get(found[1], found[0]), token.content)
