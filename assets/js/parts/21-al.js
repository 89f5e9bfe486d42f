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
const peek = e => {
  const open = e?.querySelector(':scope > .peek'), told = () => dispatchEvent(new Event('pn-moved'));
  if (open) return open.remove(), told();
  const other = view()?.value != 'both' && e && counterpart(e);
  if (!other?.textContent.trim()) return;
  const span = d.createElement('span'), copy = other.cloneNode(true);
  for (const k of all('ul,ol,table,figure,.copy', copy)) k.remove();
  for (const k of all('[id]', copy)) k.removeAttribute('id');
  span.className = 'peek';
  span.lang = other.closest('[lang]').lang;
  span.append(...copy.childNodes);
  const below = [...e.children].find(k => /^(UL|OL|TABLE|FIGURE)$/.test(k.tagName));
  below ? below.before(span) : e.append(span);
  told();
};
const close = () => { for (const e of all('.peek')) e.remove() };
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
on('change', e => { if (e.target.name == 'view') close() }, true);
})();
