"""Names of emoji as GitHub, MkDocs and Obsidian have them: `:rocket:`. Those that people write in notes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_NAMES = """
smile 😄|smiley 😃|grinning 😀|grin 😁|laughing 😆|satisfied 😆|joy 😂|rofl 🤣|wink 😉|blush 😊|heart_eyes 😍|thinking 🤔
sunglasses 😎|cry 😢|sob 😭|scream 😱|confused 😕|worried 😟|frowning 😦|angry 😠|rage 😡|sweat_smile 😅|sweat 😓
neutral_face 😐|expressionless 😑|unamused 😒|relieved 😌|sleeping 😴|dizzy_face 😵|skull 💀|ghost 👻|alien 👽|robot 🤖
+1 👍|thumbsup 👍|-1 👎|thumbsdown 👎|clap 👏|wave 👋|ok_hand 👌|muscle 💪|pray 🙏|point_right 👉|point_left 👈
point_up 👆|point_down 👇|raised_hands 🙌|raised_hand ✋|v ✌️|handshake 🤝|eyes 👀|eye 👁️|brain 🧠|heart ❤️|broken_heart 💔
star ⭐|star2 🌟|sparkles ✨|zap ⚡|fire 🔥|boom 💥|collision 💥|rocket 🚀|tada 🎉|confetti_ball 🎊|gift 🎁|trophy 🏆
medal_sports 🏅|1st_place_medal 🥇|2nd_place_medal 🥈|3rd_place_medal 🥉|100 💯|dart 🎯|game_die 🎲|art 🎨|bulb 💡
book 📖|books 📚|open_book 📖|notebook 📓|ledger 📒|bookmark 🔖|bookmark_tabs 📑|memo 📝|pencil 📝|pencil2 ✏️|pen 🖊️
page_facing_up 📄|page_with_curl 📃|newspaper 📰|scroll 📜|clipboard 📋|pushpin 📌|round_pushpin 📍|paperclip 📎|link 🔗
file_folder 📁|open_file_folder 📂|card_index 📇|calendar 📆|date 📅|chart_with_upwards_trend 📈|chart_with_downwards_trend 📉
bar_chart 📊|mag 🔍|mag_right 🔎|lock 🔒|unlock 🔓|key 🔑|hammer 🔨|wrench 🔧|gear ⚙️|hammer_and_wrench 🛠️|nut_and_bolt 🔩
package 📦|inbox_tray 📥|outbox_tray 📤|email 📧|envelope ✉️|mailbox 📫|bell 🔔|mega 📣|loudspeaker 📢|speech_balloon 💬
thought_balloon 💭|computer 💻|desktop_computer 🖥️|keyboard ⌨️|floppy_disk 💾|cd 💿|iphone 📱|telephone ☎️|tv 📺|camera 📷
movie_camera 🎥|microscope 🔬|telescope 🔭|test_tube 🧪|dna 🧬|satellite 📡|battery 🔋|electric_plug 🔌|flashlight 🔦
hourglass ⌛|hourglass_flowing_sand ⏳|alarm_clock ⏰|stopwatch ⏱️|watch ⌚|white_check_mark ✅|heavy_check_mark ✔️
ballot_box_with_check ☑️|x ❌|heavy_multiplication_x ✖️|negative_squared_cross_mark ❎|warning ⚠️|exclamation ❗
heavy_exclamation_mark ❗|grey_exclamation ❕|question ❓|grey_question ❔|bangbang ‼️|interrobang ⁉️|no_entry ⛔|no_entry_sign 🚫
construction 🚧|rotating_light 🚨|information_source ℹ️|recycle ♻️|heavy_plus_sign ➕|heavy_minus_sign ➖|arrow_right ➡️
arrow_left ⬅️|arrow_up ⬆️|arrow_down ⬇️|arrow_forward ▶️|arrow_backward ◀️|leftwards_arrow_with_hook ↩️|repeat 🔁
arrows_counterclockwise 🔄|new 🆕|up 🆙|cool 🆒|free 🆓|ok 🆗|sos 🆘|top 🔝|soon 🔜|back 🔙|end 🔚|on 🔛|abc 🔤|1234 🔢
one 1️⃣|two 2️⃣|three 3️⃣|four 4️⃣|five 5️⃣|six 6️⃣|seven 7️⃣|eight 8️⃣|nine 9️⃣|keycap_ten 🔟|zero 0️⃣|red_circle 🔴
orange_circle 🟠|yellow_circle 🟡|green_circle 🟢|blue_circle 🔵|large_blue_circle 🔵|purple_circle 🟣|white_circle ⚪
black_circle ⚫|red_square 🟥|green_square 🟩|blue_square 🟦|large_blue_diamond 🔷|large_orange_diamond 🔶|small_blue_diamond 🔹
small_orange_diamond 🔸|small_red_triangle 🔺|checkered_flag 🏁|triangular_flag_on_post 🚩|cn 🇨🇳|us 🇺🇸|jp 🇯🇵|gb 🇬🇧|uk 🇬🇧
sunny ☀️|cloud ☁️|rainbow 🌈|snowflake ❄️|umbrella ☔|ocean 🌊|earth_asia 🌏|globe_with_meridians 🌐|world_map 🗺️|moon 🌙
seedling 🌱|evergreen_tree 🌲|deciduous_tree 🌳|four_leaf_clover 🍀|leaves 🍃|cherry_blossom 🌸|rose 🌹|apple 🍎|lemon 🍋
coffee ☕|tea 🍵|beer 🍺|cake 🍰|pizza 🍕|dog 🐶|cat 🐱|bug 🐛|ant 🐜|bee 🐝|honeybee 🐝|snake 🐍|turtle 🐢|whale 🐳|octopus 🐙
penguin 🐧|bird 🐦|unicorn 🦄|panda_face 🐼|dragon 🐉|llama 🦙|house 🏠|office 🏢|school 🏫|hospital 🏥|bank 🏦|car 🚗|bus 🚌
bike 🚲|airplane ✈️|ship 🚢|anchor ⚓|moneybag 💰|dollar 💵|yen 💴|credit_card 💳|gem 💎|crown 👑|mortar_board 🎓|crystal_ball 🔮
puzzle_piece 🧩|jigsaw 🧩|balance_scale ⚖️|shield 🛡️|crossed_swords ⚔️|bomb 💣|pill 💊|syringe 💉|dash 💨|droplet 💧|sweat_drops 💦
musical_note 🎵|notes 🎶|guitar 🎸|soccer ⚽|basketball 🏀|runner 🏃|walking 🚶|man_technologist 👨‍💻|woman_technologist 👩‍💻
busts_in_silhouette 👥|bust_in_silhouette 👤|family 👪|baby 👶|older_man 👴|cop 👮|detective 🕵️|santa 🎅|see_no_evil 🙈|label 🏷️
"""
EMOJI: Mapping[str, str] = MappingProxyType(
    {name: sign for entry in _NAMES.replace("\n", "|").split("|") if entry for name, sign in [entry.split(" ", 1)]}
)
"""The sign of each name."""
