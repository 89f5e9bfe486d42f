"""The features: all that could be left out, a row and a folder each.

A feature has its commands and transforms in its folder, and may use the core; words of its own on pages are in the
catalogues of `languages/`, their look in `assets/css/parts/`. Which features may use
which others, `tests/test_architecture.py` says.
"""

from __future__ import annotations

from paper_notes.extensions import Command, Feature

FEATURES = (
    Feature(
        "starting",
        commands={
            "init": Command(
                "paper_notes.features.starting.commands.init:init",
                "Begin a collection in FOLDER, by default the current one: settings, a topic, "
                "and a first note that shows how.",
                "Write",
            ),
        },
    ),
    Feature(
        "opening",
        commands={
            "open": Command(
                "paper_notes.features.opening.commands.open:open_page",
                "Open a page of the site in your browser.",
                "Look",
                {"--in": "--lang"},
            ),
            "edit": Command(
                "paper_notes.features.opening.commands.edit:edit",
                "Open a note in your editor.",
                "Write",
                {"--in": "--lang"},
            ),
            "guide": Command(
                "paper_notes.features.opening.commands.open:guide",
                "Open the guide, which came with the program: no network is needed.",
                "Look",
            ),
        },
    ),
    Feature(
        "explaining",
        commands={
            "explain": Command(
                "paper_notes.features.explaining.commands.explain:explain",
                "Show the cause of findings and how to fix them, and what components are for.",
                "Look",
            ),
        },
    ),
    Feature(
        "queries",
        commands={
            "list": Command(
                "paper_notes.features.queries.commands.listing:list_notes",
                "List the notes of the collection, with the filters of the home page.",
                "Look",
                {"--in": "--lang", "--language": "--written"},
            ),
            "show": Command(
                "paper_notes.features.queries.commands.listing:show",
                "Show all that is known of NOTE: facts, papers, sections and their length, and links from and to it.",
                "Look",
                {"--in": "--lang"},
            ),
            "stats": Command(
                "paper_notes.features.queries.commands.stats:stats",
                "Count notes, words and what is left to do.",
                "Look",
            ),
        },
    ),
    Feature("library"),  # its functions are for programs
    Feature(
        "translations",
        commands={
            "sync": Command(
                "paper_notes.features.translations.commands.sync:sync",
                "Record that the two texts of NOTE are translations of each other as they stand now.",
                "Write",
                {"translated": "sync"},
            ),
        },
    ),
    Feature(
        "papers",
        commands={
            "lookup": Command(
                "paper_notes.features.papers.commands.lookup:lookup",
                "Look up what is not known of the paper of NOTE, and fill it in; "
                "or which papers of all notes are outdated.",
                "Change",
                {"complete": "lookup", "outdated": "lookup", "--exit-code": "--check"},
            ),
            "figures": Command(
                "paper_notes.features.papers.commands.figures:figures",
                "List the figures and tables of PDF, with previews and ready lines for notes in one HTML file.",
                "Look",
            ),
            "highlights": Command(
                "paper_notes.features.papers.commands.highlights:highlights",
                "Bring what you marked in the PDF of NOTE into its text, as quotations with page, colour and comment.",
                "Write",
            ),
        },
        prompts=("paper_notes.features.papers.prompts:without_prompts",),
    ),
    Feature(
        "importing",
        commands={
            "import": Command(
                "paper_notes.features.importing.commands.import_:import_",
                "Take in notes that exist: a folder of HTML or Markdown files, reports of a "
                "day's papers, lists of papers.",
                "Import",
            ),
        },
        sources=("paper_notes.features.importing.commands.sources:bring_in",),
        formats=(
            "paper_notes.features.importing.html.format:FORMAT",
            "paper_notes.features.importing.lists:FORMAT",
            "paper_notes.features.importing.markdown.reading:FORMAT",
            "paper_notes.features.importing.markdown.databases:FORMAT",
            "paper_notes.features.importing.notebook:FORMAT",
            "paper_notes.features.importing.roam:FORMAT",
        ),
    ),
    Feature(
        "lists",
        commands={
            "digest": Command(
                "paper_notes.features.lists.commands.digest:digest",
                "Make a note that lists the papers of a day, as Hugging Face or arXiv has them, or add to it.",
                "Write",
                {"--draft": "--ask-model"},
            ),
            "export": Command(
                "paper_notes.features.lists.commands.export:export",
                "Write a note that lists papers as a report of a day or as a list; or any .bib file as a list.",
                "Publish",
                {"--in": "--lang", "--out": "--output"},
            ),
            "new": Command(
                "paper_notes.features.lists.commands.new:new",
                "Start a note on PAPER, whatever it is known by.",
                "Write",
                {"promote": "new"},
            ),
        },
    ),
    Feature(
        "verify",
        commands={
            "verify": Command(
                "paper_notes.features.verify.commands.verify:verify",
                "Look in the papers for the numbers and quotations of NOTE, or of all notes.",
                "Look",
            ),
        },
        transforms=("paper_notes.features.verify.on_pages:with_sources",),
        syntax=("paper_notes.features.verify.on_pages:install",),
        facts=("paper_notes.features.verify.commands.verify:facts_of",),
    ),
    Feature(
        "drafting",
        commands={
            "draft": Command(
                "paper_notes.features.drafting.commands.draft:draft",
                "Let a model draft the sections of NOTE that are not written yet, from the PDF of its paper.",
                "Write",
                {"--to": "--lang"},
            ),
            "translate": Command(
                "paper_notes.features.drafting.commands.translate:translate",
                "Let a model translate the sections of NOTE that are missing in one language.",
                "Write",
                {"--to": "--lang"},
            ),
        },
        served=("paper_notes.features.drafting.commands.review_page:PAGE",),
    ),
    Feature(
        "lsp",
        commands={
            "lsp": Command(
                "paper_notes.features.lsp.commands.lsp:lsp",
                "Serve the notes to an editor, over standard input and output (Language Server Protocol).",
            ),
        },
    ),
    Feature(
        "mcp",
        commands={
            "mcp": Command(
                "paper_notes.features.mcp.commands.mcp:mcp",
                "Serve the notes to an assistant, over standard input and output (Model Context Protocol).",
            ),
        },
    ),
    Feature(
        "cards",
        commands={
            "cards": Command(
                "paper_notes.features.cards.commands.cards:cards",
                "Make cards of what notes have to remember, for Anki and other programs.",
                "Publish",
                {"--out": "--output"},
            ),
        },
    ),
    Feature(
        "epub",
    ),
    Feature(
        "pandoc",
    ),
    Feature(
        "diagrams",
        fences=(
            "paper_notes.features.diagrams.fences:MERMAID",
            "paper_notes.features.diagrams.fences:VEGA_LITE",
            "paper_notes.features.diagrams.fences:PLOT",
        ),
    ),
    Feature(
        "git",
    ),
    Feature(
        "moving",
        commands={
            "move": Command(
                "paper_notes.features.moving.commands.move:move",
                "Move NOTE to another topic, number or name, and rewrite all references to it and in it.",
                "Change",
            ),
            "remove": Command(
                "paper_notes.features.moving.commands.remove:remove",
                "Remove NOTE, and say what refers to it.",
                "Change",
            ),
            "topic": Command(
                "paper_notes.features.moving.commands.topic:topic",
                "Make, order, rename and remove topics: folders of notes below notes_src/, which site.yaml names.",
                "Change",
            ),
        },
    ),
    Feature(
        "repair",
        commands={
            "repair": Command(
                "paper_notes.features.repair.commands.repair:repair",
                "Repair the text of FILE, whose UTF-8 was read as another encoding and saved, as in `ä¸­æ–‡`.",
                "Change",
            ),
        },
        transforms=("paper_notes.features.repair.doubtful:with_doubts",),
    ),
    Feature(
        "doctor",
        commands={
            "doctor": Command(
                "paper_notes.features.doctor.commands.doctor:doctor",
                "Look at the installation, and what git publishes.",
                "Publish",
            ),
        },
    ),
)
