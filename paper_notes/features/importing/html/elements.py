"""Which elements HTML has, and how they nest."""

from __future__ import annotations

VOID = frozenset("area base br col embed hr img input link meta param pn-tex source track wbr".split()) | {
    "pn-block",
    "pn-inline",
}
"""`pn-tex` is a formula that was set already, see `mathml`; the others are holes, see `fragments`."""
MATHML = frozenset(
    "mrow mi mn mo ms mtext mspace mphantom mpadded mstyle merror menclose mfenced mfrac msqrt mroot msub msup msubsup"
    " munder mover munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd semantics".split()
)
"""What stands inside of `<math>`."""
MATHJAX = frozenset(
    "MathJax MathJax_Preview MathJax_Display MathJax_CHTML MathJax_SVG MathJax_SVG_Display MJXc-display mjx-chtml"
    " MathJax_MathML".split()
)
"""Classes of what MathJax 2 shows of the TeX that is in a script behind it."""
INLINE = MATHML | frozenset(
    "a abbr b bdi bdo big button cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span"
    " strike strong sub sup time tt u var input img br wbr drawing pn-tex pn-inline audio video canvas object select"
    " option textarea progress meter output map math annotation annotation-xml mjx-container nobr".split()
)
BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p picture pre search section"
    " summary table tbody td tfoot th thead tr ul pn-block".split()
)
UNSEEN = frozenset("base link meta title style script template noscript iframe colgroup col param source track".split())
"""Elements whose content no page shows."""
KNOWN = VOID | INLINE | BLOCKS | UNSEEN | {"head"}
"""All others, such as `<think>`, are words of the author's."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
CELLS = ("td", "th")
ROWS = ("thead", "tbody", "tfoot")
PICTURES = ("drawing", "img")
