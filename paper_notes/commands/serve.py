"""`paper-notes serve`. Server and build are imported when they start: help and TAB are quick."""

from __future__ import annotations

import datetime
import errno
import os
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paper_notes.commands.progress import watched
from paper_notes.commands.terminal import fail, jobs_option, root_option, say, say_diagnostics, say_waiting
from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.user_cache import may_use
from paper_notes.extensions import brought
from paper_notes.output.plan import Plan
from paper_notes.serve.live_reload import Board
from paper_notes.sources.tree import SOURCE_FOLDER
from paper_notes.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from paper_notes.build import Build, BuildOptions
    from paper_notes.engine.cache import Cache
    from paper_notes.serve.server import Server
    from paper_notes.serve.session import Rebuilt

FIRST_PORT, PORTS = 8000, 50
_NAMED = 3
"""Notes that a line of the log names at most."""


@click.command()
@root_option
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help=f"Where to listen; 0 is any free port. Without it: {FIRST_PORT}, or the next that is free.",
)
@click.option("--open/--no-open", "open_browser", default=False, help="Open the home page in your browser.")
@click.option(
    "--keep-going/--no-keep-going",
    default=True,
    help="Mark mistakes in the pages, which is the default; or keep the last good site.",
)
@jobs_option
def serve(root: Path, port: int | None, open_browser: bool, keep_going: bool, jobs: int | None) -> None:
    """Show the site in a browser, and keep it as the sources say while you write.

    A change of a source, template, style or README is built at once; open pages whose content changed are loaded anew
    and keep their place. Mistakes are marked in the pages, and shown here, until they are fixed. Only this machine can
    connect.
    """
    if not (root / SOURCE_FOLDER).is_dir():
        from paper_notes.build import build

        say_diagnostics(build(root).diagnostics)
        fail("there is nothing to show")
    board = Board()
    try:
        server = _listening(root, port, board)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            _keep_current(root, board, server, jobs=jobs, open_browser=open_browser, keep_going=keep_going)
        finally:
            board.close()
            server.shutdown()
            server.server_close()
    except KeyboardInterrupt:
        say("")
        say("The server has ended; site/ stays as it is.")
        if board.state.errors:
            say("It is as it was before the mistakes: `paper-notes check` names them.")


def _listening(root: Path, port: int | None, board: Board) -> Server:
    """A server at the given port, or at the first free one."""
    from paper_notes.serve.files import listening_script
    from paper_notes.serve.server import Server

    script = listening_script()
    ports = range(FIRST_PORT, FIRST_PORT + PORTS) if port is None else range(port, port + 1)
    for number in ports:
        try:
            server = Server(root, number, board, script, lambda words: say(f"paper-notes: {words}"), brought("served"))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            if taken and number < ports[-1]:
                continue
            reason = "it is in use" if taken else error.strerror
            fail(f"cannot listen at port {number}: {reason}", "name another one with --port, or 0 for any free one")
        if number not in (FIRST_PORT, port):
            say(f"Port {FIRST_PORT} is in use; this is the next free one.")
        say(f"{server.address}  (Ctrl-C ends it)")
        break
    return server


def _keep_current(
    root: Path, board: Board, server: Server, *, jobs: int | None, open_browser: bool, keep_going: bool
) -> None:
    from paper_notes.engine.cache import open_cache
    from paper_notes.engine.outside_folders import may_read
    from paper_notes.serve.session import Session
    from paper_notes.serve.watch import watch

    reported: tuple[Diagnostic, ...] = ()
    cache = open_cache(root)
    debug = bool(os.environ.get("PAPER_NOTES_DEBUG"))
    session = Session(root, _update(root, jobs, cache, server, keep_going=keep_going), board, debug=debug)

    def outside() -> tuple[Path, ...]:
        return tuple(folder for folder in session.outside() if may_read(root, folder, cache))

    with closing(watch(root, say, outside)) as changes:
        for rebuilt in session.run(changes):
            new = (
                diagnostic
                for diagnostic in rebuilt.diagnostics
                if diagnostic.severity == "error" or diagnostic not in reported
            )
            say_diagnostics(tuple(new))
            reported = rebuilt.diagnostics
            saved = f"{_names(rebuilt.saved)}: " if rebuilt.saved else ""
            say(f"{datetime.datetime.now():%H:%M:%S} {saved}{_summary(rebuilt)}")  # noqa: DTZ005 -- the user's own clock
            if open_browser:
                click.launch(server.address)
                open_browser = False


def _update(root: Path, jobs: int | None, cache: Cache, server: Server, *, keep_going: bool) -> Callable[[], Build]:
    """Builds and writes the site, and the one with drafts, which is the one to be shown if there are any."""
    from paper_notes.build import update
    from paper_notes.commands.build import bring_in_sources
    from paper_notes.serve.session import with_drafts

    hidden: tuple[object, ...] = ()

    has_place = may_use(root)  # else there is none for another site than the published one

    def once(drafts: bool) -> Build:
        options: BuildOptions = {"drafts": drafts, "keep_going": keep_going and drafts, "watch": watched}
        build = update(root, jobs, waiting=say_waiting, cache=cache, **options)
        return build if has_place else replace(build, drafts=())

    def both() -> Build:
        nonlocal hidden
        bring_in_sources(root)
        build = with_drafts(once, keep_going=keep_going and has_place)
        if build.plan:
            server.files.show(build.place or root)
            if build.drafts and not hidden:
                count = "1 draft is" if len(build.drafts) == 1 else f"{len(build.drafts)} drafts are"
                names = _names([path.relative_to(SOURCE_FOLDER).as_posix() for path in build.drafts])
                say(f"{count} shown here only; site/ is without: {names}")
            hidden = build.drafts
        return build

    return both


def _names(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


def _summary(rebuilt: Rebuilt) -> str:
    if rebuilt.problem:
        return f"not rebuilt: {rebuilt.problem}"
    errors = sum(diagnostic.severity == "error" for diagnostic in rebuilt.diagnostics)
    counted = f"{errors} {'error' if errors == 1 else 'errors'}"
    if rebuilt.plan is None:
        return f"not rebuilt: {counted}"
    marked = f"; {counted} marked in the pages" if errors else ""
    return f"rebuilt in {rebuilt.seconds:.2f} s: {_counts(rebuilt.plan)}{marked}"


def _counts(plan: Plan) -> str:
    """`2 pages, 1 other file, 1 deleted`."""
    written = [artifact.path.suffix == ".html" for artifact in (*plan.create, *plan.update)]
    pages, others = sum(written), len(written) - sum(written)
    parts = [f"{pages} {'page' if pages == 1 else 'pages'}"] if pages else []
    parts += [f"{others} other {'file' if others == 1 else 'files'}"] if others else []
    parts += [f"{len(plan.delete)} deleted"] if plan.delete else []
    return ", ".join(parts) or "nothing changed"
