"""`paper-notes schema`."""

from __future__ import annotations

import json

import click

from paper_notes.cli.terminal import print_json

NAMES = ("site", "topic", "note", "glossary")


@click.command()
@click.argument("name", type=click.Choice(NAMES))
def schema(name: str) -> None:
    """Print the JSON Schema of a kind of YAML file.

    site, topic, note and glossary are site.yaml, topic.yaml, note.yaml and glossary.yaml. Editors complete keys and
    underline mistakes with it; `paper-notes init` writes all of them for Visual Studio Code.
    """
    from paper_notes.corpus.json_schema import json_schema

    print_json(**json.loads(json_schema(name)))
