// In one language, a tap on a paragraph (or the key `p` at the pointer, or at the reader's line) shows its counterpart.
(() => {
const { all, box, shown, view, keys } = pn, d = document, on = addEventListener;
const BLOCKS = 'p,li,dd,dt,td,figcaption';
// The element at the same place in the other half: the same steps down from the halves, through the same tags.
const counterpart = e => {
  const half = e.closest('.al > .body'), other = half && all(':scope > .body', half.parentElement).find(h => h != half);
  const steps = [];
  for (let at = e; other && at != half; at = at.parentElement) steps.unshift([[...at.parentElement.children].filter(k => k.className != 'peek').indexOf(at), at.tagName]);
  return other && steps.reduce((at, [n, tag]) => at?.children[n]?.tagName == tag ? at.children[n] : null, other);
};
// What it says, to be shown beside its counterpart.
const said = other => {
  const span = d.createElement('span'), copy = other.cloneNode(true);
  for (const k of all('ul,ol,table,figure,.copy,.th', copy)) k.remove();
  for (const k of all('[id]', copy)) k.removeAttribute('id');
  span.className = 'peek';
  span.lang = other.closest('[lang]').lang;
  span.append(...copy.childNodes);
  return span;
};
const peek = e => {
  const open = e?.querySelector(':scope > .peek'), told = () => dispatchEvent(new Event('pn-moved'));
  if (open) return open.remove(), told();
  const other = view()?.value != 'both' && e && counterpart(e);
  if (!other?.textContent.trim()) return;
  const span = said(other);
  const below = [...e.children].find(k => /^(UL|OL|TABLE|FIGURE)$/.test(k.tagName));
  below ? below.before(span) : e.append(span);
  told();
};
// On a phone, a table of numbers is there once, with the words of both halves.
const narrow = matchMedia('(max-width:799px)');
const merge = () => {
  for (const e of all('.peek')) e.remove();
  for (const e of all('.twin')) e.classList.remove('twin');
  if (view()?.value != 'both' || !narrow.matches) return;
  const tables = [];
  for (const e of all('.al > .c1 :is(.table,.code)')) {
    const [own, its] = [e, counterpart(e)].map(e => e ? all('th,td,pre', e) : []), add = [];
    if (own.length != its.length) continue;
    const differ = own.filter((cell, n) => said(cell).textContent != said(its[n]).textContent && add.push([cell, its[n]]));
    if (differ.filter(c => /TD|PRE/.test(c.tagName)).length > all('td', e).length / 2) continue;
    for (const label of all('.th', e)) { // where rows are stacked
      const head = own.indexOf(label.closest('tr').parentElement.parentElement.rows[0].cells[label.parentElement.cellIndex]);
      if (differ.includes(own[head])) add.push([label, its[head]]);
    }
    tables.push([e, add, e.scrollWidth > e.clientWidth]);
  }
  // All are written before any is measured: each change between two measures would lay out the page once more.
  for (const [, add] of tables) for (const [cell, other] of add) cell.append(said(other));
  const fits = tables.map(([e, , wide]) => wide || e.scrollWidth <= e.clientWidth);
  tables.forEach(([e, add], n) => {
    if (fits[n]) counterpart(e).classList.add('twin');
    else for (const [cell] of add) cell.lastChild.remove(); // the words of both do not fit
  });
};
let under, still, touch;
const block = e => e?.closest('.al > .body') && e.closest(BLOCKS);
on('pointermove', e => { under = e.pointerType == 'mouse' ? e.target : null }, { passive: true });
on('scroll', () => { under = null }, { passive: true });
on('pointerdown', e => { touch = e.pointerType != 'mouse'; still = [e.clientX, e.clientY, e.timeStamp] }, true);
on('click', e => {
  const figure = view()?.value == 'both' && e.target.closest('.al > .c2 > .fig');
  if (figure) figure.classList.toggle('open');
  if (!touch || e.pnSpent || e.target.closest('a,button,summary,input,label,math,.card') || getSelection().toString()) return;
  if (Math.hypot(e.clientX - still[0], e.clientY - still[1]) < 10 && e.timeStamp - still[2] < 400) peek(block(e.target));
});
keys.p = [() => view()?.value != 'both' && ({ click: () => peek(
  block(d.activeElement) || block(under) || all('.al > .body').filter(shown).flatMap(b => all(BLOCKS, b)).find(e => shown(e) && box(e).bottom > 120)) }), words('ui.keys.counterpart')];
on('change', e => { if (e.target.name == 'view') merge() }, true);
narrow.onchange = merge;
merge();
})();
