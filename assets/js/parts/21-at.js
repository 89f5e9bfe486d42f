// Numbers and their sources. A block of numbers is one stop of the Tab key; arrows go from one to the next, in a table
// also up and down. Enter goes into the card, Escape back.
(() => {
const { all, make, target, shown, card, copied, show, owner } = pn, d = document, on = addEventListener;
// The source of a number: its place in the paper, then the cell between its labels, the sentence, or the sum and the
// sources of its operands.
const source = pn.source = (a, from = a, seen = {}) => {
  const e = target(a.hash), group = e?.parentNode.closest('li'), labels = group ? all('b', e).map(b => b.textContent) : [];
  if (!e || seen[a.hash]) return [];
  seen[a.hash] = 1;
  const cell = (...texts) => make('tr', {}, ...texts.map((textContent, i) => make(i ? 'td' : 'th', { textContent })));
  return [make('p', {}, ...copied(from, (group || e).firstElementChild)),
    ...!labels[1] ? group ? copied(from, e) : []
      : [make('table', { className: 'cell' }, ...labels[2] ? [cell(labels.join(' × '), a.textContent)]
        : [make('tr', {}, make('td'), make('th', { textContent: labels[1] })), cell(labels[0], a.textContent)])],
    ...all('.at', e).map(o => make('div', { className: 'of' }, make('b', { textContent: o.textContent }), ...source(o, from, seen))).filter(o => o.childNodes[1])];
};
const marks = all('article .at'), block = a => a.closest('table') || a.closest('p,li,dd,dt,td,th,h2,h3,h4,figcaption,summary,div');
let last;
for (const a of marks) {
  const b = block(a);
  if (b == last) a.tabIndex = -1;
  last = b;
}
on('click', e => {
  const a = e.target.closest('.at');
  if (!a || e.ctrlKey || e.metaKey || a.closest('.sources,.card')) return;
  e.preventDefault();
  if (a != owner()) show(a, e.clientY);
  if (!e.detail) card.querySelector('a:not(.at)')?.focus();
});
on('keydown', e => {
  const a = d.activeElement, back = card.contains(a) && owner();
  if (back && /Escape|Tab/.test(e.key)) back.focus();
  if (!a.matches('article .at') || !/^Arrow/.test(e.key)) return;
  const near = marks.filter(b => shown(b) && block(b) == block(a)), at = near.indexOf(a), cell = /Up|Down/.test(e.key) && a.closest('td,th');
  const next = (/Right|Down/.test(e.key) ? near.slice(at + 1) : near.slice(0, at).reverse()).find(b => !cell || b.closest('td,th').cellIndex == cell.cellIndex);
  if (!next) return;
  e.preventDefault();
  a.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}, true);
})();
