// Fields and keywords of a list of papers: hidden are papers that have none of the chosen ones, of either kind.
(() => {
const { all } = pn, bars = [...all('.words-of')], papers = [...all('.entry')], left = document.createElement('p');
left.id = 'pn-left', left.className = 'meta', left.role = 'status';
bars.at(-1)?.after(left);
const chosen = bar => [...all('[aria-pressed=true]', bar)].map(b => b.value);
for (const bar of bars) {
  bar.addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (!button) return;
    button.setAttribute('aria-pressed', button.getAttribute('aria-pressed') != 'true');
    const wanted = bars.map(b => [b.dataset.of, chosen(b)]).filter(([, values]) => values.length);
    for (const paper of papers) paper.hidden = !wanted.every(([of, values]) => (paper.dataset[of] || '').split('|').some(v => values.includes(v)));
    const count = papers.filter(p => !p.hidden).length;
    left.textContent = wanted.length ? `${count} / ${papers.length}` : '';
  });
}
})();
