"""The style sheet of a book: few rules, because readers of books support few, by day and by night."""

from __future__ import annotations

import re

from paper_notes.features.epub.drawings import Palette

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
_HUES = (
    *((name, "fig-blue") for name in ("callout", "thm-definition")),
    *((name, "fig-purple") for name in ("thm", "callout-important")),
    ("callout-intuition", "fig-teal"),
    *((name, "fig-green") for name in ("thm-example", "callout-tip", "good")),
    *((name, "fig-orange") for name in ("callout-warning", "callout-caveat", "partial")),
    *((name, "fig-red") for name in ("callout-caution", "bad")),
)
_CODE = (
    ("fig-purple", "k kc kd kn kp kr kt ow nt"),
    ("fig-green", "s s1 s2 sa sb sc sd se sh si sr ss sx dl gi"),
    ("fig-orange", "m mb mf mh mi mo il"),
    ("fig-blue", "nf fm nc ne nn"),
    ("fig-teal", "nb bp nd na vm"),
    ("quiet", "c c1 ch cm cp cs go gp"),
)
_STYLE = """
body{line-height:1.6;overflow-wrap:break-word}
p,ul,ol,dl,figure,pre,blockquote{margin:0 0 .9em}
h1,h2,h3,h4{line-height:1.3;margin:1.6em 0 .6em;page-break-after:avoid;break-after:avoid}
h1{font-size:1.6em;margin-top:.3em}
h1 .first,h1 .second,h2 .second,h3 .second{display:block}
h1 .second,h2 .second,h3 .second,h4 .second{font-size:.75em;font-weight:400;color:var(--quiet)}
.sn{color:var(--acc)}
a{color:var(--link)}
img,svg{max-width:100%;height:auto}
.kicker,.src,.none,figcaption,.notes,.refs{font-size:.88em;color:var(--quiet)}
.kicker{margin:0;color:var(--acc)}
.dek{font-size:1.1em}
.src a{margin-left:.4em}
div.beside{padding-left:.8em;border-left:2px solid var(--line)}
math{font-family:"STIX Two Math","Latin Modern Math","Cambria Math",math}
figure{margin-left:0;margin-right:0}
figure.fig{page-break-inside:avoid;break-inside:avoid}
.fig-body{text-align:center}
.fig-body svg{background:var(--fig-paper);font-family:sans-serif}
.crop{padding:.4em;background:#fff}
figcaption p{display:inline}
.fig-label,.fig-title,.box-title,.tldr-label,.callout-title,.thm-title{font-weight:700}
.fig-label,.fig-title{margin-right:.5em}
.math-block{margin:1em 0;overflow-x:auto;text-align:center}
.part{display:inline-block;margin:0 .6em}
.text-formula pre{text-align:center}
.tldr{margin:0 0 1.4em;padding:.8em 1em;border-top:3px solid var(--acc);background:var(--card)}
.tldr-label{margin:0 0 .4em;color:var(--acc)}
.stats dt{font-size:1.3em}
.formula,.card-box{margin:1.2em 0;padding:.7em 1em;border:1px solid var(--line)}
.symbols,.thm-example,.paper-card{margin:1.2em 0;padding:.7em 1em;background:var(--card)}
dt{font-weight:700}
.reading dt{font-weight:400;color:var(--acc)}
dd{margin:0 0 .5em 1.2em}
.callout,.thm{margin:1.2em 0;padding:.6em 1em;border-left:3px solid var(--fig-line)}
.callout-title,.thm-title{margin:0 0 .2em}
.thm-name{margin-left:.5em;font-weight:400}
.fix{margin:1em 0;padding:.6em 1em;border-left:3px solid var(--fig-orange);font-size:.9em}
blockquote{margin-left:0;padding-left:1em;border-left:2px solid var(--fig-line);color:var(--quiet)}
.quote blockquote{color:inherit}
.timeline dt{color:var(--acc)}
.fold,.recall-item{margin:.6em 0;padding:.4em 0;border-top:1px solid var(--line)}
summary{font-weight:700}
.table{overflow-x:auto;margin:1.2em 0}
table{border-collapse:collapse;font-size:.88em;line-height:1.45}
th,td{padding:.3em .6em;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
thead th{border-top:2px solid var(--rule);color:var(--quiet)}
.num,.right{text-align:right}
.center{text-align:center}
.best,.row-best,.row-own{font-weight:700}
pre{padding:.7em .9em;background:var(--card);white-space:pre-wrap;overflow-wrap:anywhere}
pre{font-size:.82em;line-height:1.5}
code{font-size:.9em}
pre code{font-size:1em}
.term{font-weight:700}
mark{background:var(--acc-soft)}
a.gl{color:inherit;text-decoration:underline dotted}
a.cite{color:var(--quiet)}
sup{line-height:0;font-size:.72em}
.footnotes-sep{display:none}
.refs{padding-left:0;list-style:none}
.refs li{margin-bottom:.5em}
.refs b{color:var(--ink)}
.terms h2{margin:1em 0 .2em;font-size:1.1em}
.cover{margin:0;text-align:center}
.cover img{height:100%;max-height:98vh}
nav ol{list-style:none;padding-left:1em}
"""


def book_style(palette: Palette) -> str:
    """The style sheet: plain colours first, then those of the night for readers that tell of it."""
    rules = [(selector.strip(), declared) for selector, declared in _RULE.findall(_STYLE)]
    for name, hue in _HUES:
        title = next((f".{name} .{kind}-title" for kind in ("callout", "thm") if name.startswith(kind)), "")
        rules.append((f".{name}", f"border-color:var(--{hue})" if title else f"color:var(--{hue})"))
        rules += [(title, f"color:var(--{hue})")] if title else []
    rules += [(",".join(f".hl .{name}" for name in names.split()), f"color:var(--{hue})") for hue, names in _CODE]

    def coloured(declared: str, *, night: bool) -> str:
        return _VARIABLE.sub(lambda match: palette(match[1], night=night), declared)

    day = [f"{selector}{{{coloured(declared, night=False)}}}" for selector, declared in rules]
    dark = []
    for selector, declared in rules:
        if colours := [declaration for declaration in declared.split(";") if "var(" in declaration]:
            dark.append(f"{selector}{{{coloured(';'.join(colours), night=True)}}}")
    night = "\n".join((*dark, *palette.rules()))
    return f":root{{color-scheme:light dark}}\n{chr(10).join(day)}\n@media (prefers-color-scheme:dark){{\n{night}\n}}\n"
