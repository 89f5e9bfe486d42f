// Cards: what a number, citation, footnote, term or note reference leads to, in the link's language; beside the text where there
// is room, else below the link. Footnotes and the first citation of each paper stand beside the text from the beginning.
(() => {
const { one, all, box, shown, make, target, word, view } = pn, root = document.documentElement, on = addEventListener;
const tags = [languages('tag')], carded = 'a.cite,a.gl,a.at,a[data-card],.footnote-ref a', card = make('div', { id: 'pn-card', className: 'card', popover: 'manual', role: 'tooltip' });
const roomy = () => one('.page') && innerWidth >= 1280 && view()?.value != 'both';
const edge = () => box(one('main')).right + scrollX + 32;
let owner, wait, touch;
const hide = () => {
  clearTimeout(wait);
  owner?.removeAttribute('aria-describedby');
  owner = null;
  if (card.isConnected) card.hidePopover();
};
// A copy of what a link leads to, without ids and without the other language.
const copied = (a, e = target(a.hash)) => {
  const copy = e?.cloneNode(true), own = word(a, ...tags);
  if (!copy) return [];
  for (const e of all('.bib,.footnote-backref' + tags.map(tag => tag == own ? '' : ',.' + tag).join(''), copy)) e.remove();
  for (const e of all('*', copy)) e.removeAttribute('id'), e.classList.remove(own);
  return [...copy.childNodes];
};
// Beside the text, or at the line of the link that is at this height of the window.
const place = (a, y) => {
  const beside = roomy(), parts = [...a.getClientRects()], r = parts.find(r => y < r.bottom) || parts[0];
  card.classList.toggle('sheet', innerWidth < 640 && a.matches('.at'));
  card.style.maxWidth = beside ? root.clientWidth - edge() - 12 + 'px' : '';
  const h = card.offsetHeight + 6;
  card.style.left = (beside ? edge() : scrollX + Math.max(12, Math.min(r.left, root.clientWidth - card.offsetWidth - 12))) + 'px';
  card.style.top = scrollY + (beside ? Math.max(60, Math.min(r.top - 8, innerHeight - h)) : r.bottom + h < innerHeight || r.top < h ? r.bottom + 6 : r.top - h) + 'px';
  if (card.matches('.sheet')) scrollBy(0, Math.max(0, r.bottom + h - innerHeight));
};
const show = (a, y) => {
  const kids = a.matches('[data-card]') ? [] : a.matches('.at') ? pn.source(a) : copied(a);
  hide();
  one('main').append(card);
  card.lang = a.closest('[lang]').lang;
  // Only the first link to a note has the texts of its card, in each language if they differ.
  const same = all('[data-title]').filter(e => e.pathname == a.pathname), told = same.find(e => e.closest('[lang]').lang == card.lang) || same[0] || a;
  card.replaceChildren(...kids[0] ? kids : [
    make('a', { className: 'note', href: a.href, textContent: told.dataset.title || a.innerText }),
    make('p', { textContent: told.dataset.summary ?? a.getAttribute('data-' + word(a, ...tags)) })]);
  for (const e of all('a', card)) e.tabIndex = -1;
  a.title = '';
  a.setAttribute('aria-describedby', card.id);
  owner = a;
  card.showPopover();
  place(a, y);
};
on('pointerdown', e => { touch = e.pointerType == 'touch' }, true);
on('pointerover', e => {
  if (e.pointerType == 'touch') return;
  const a = e.target.closest(carded + ',.card');
  clearTimeout(wait);
  if (a && a != card && a != owner) wait = setTimeout(show, 150, a, e.clientY);
  if (!a && owner && !owner.matches(':focus-visible')) wait = setTimeout(hide, roomy() ? 600 : 200);
});
on('focusin', ({ target: e }) => {
  if (e == owner || card.contains(e)) return;
  if (!touch && e.matches(carded) && e.matches(':focus-visible')) show(e); else hide();
});
on('click', e => {
  const a = e.target.closest('a');
  if (a?.matches('.card .at')) return e.preventDefault();
  if (touch && a?.matches(carded) && a != owner) e.preventDefault(), show(a, e.clientY);
  else if (a || !card.contains(e.target)) { if (owner && !a) e.pnSpent = true; hide() }
}, true);
on('keydown', e => { touch = 0; if (e.key == 'Escape') hide() });
Object.assign(pn, { card, copied, show, owner: () => owner });

// What stands beside the text: each level with its line, or below the one before.
const asides = new Map;
let set;
const arrange = () => {
  const now = roomy() && root.lang;
  if (now != set) {
    for (const e of asides.values()) e.remove();
    asides.clear();
    set = now;
    const seen = {};
    for (const a of now ? all('.body .footnote-ref a,.body a.cite') : []) {
      if (!shown(a) || seen[a.hash]) continue;
      seen[a.hash] = 1;
      const kids = copied(a);
      if (kids[0]) asides.set(a, make('div', { className: 'beside', lang: a.closest('[lang]').lang, ariaHidden: 'true' }, ...a.matches('.cite') ? [] : [make('b', { textContent: a.textContent + ' ' })], ...kids));
    }
    for (const e of asides.values()) for (const a of all('a', e)) a.tabIndex = -1;
    if (asides.size) one('main').append(...asides.values());
  }
  let low = 0;
  const tops = [...asides].map(([a, e]) => [e, box(a).top + scrollY - 4, e.offsetHeight, shown(a)]);
  for (const [e, top, height, visible] of tops) {
    e.hidden = !visible;
    if (!visible) continue;
    e.style.left = edge() + 'px';
    e.style.top = (low = Math.max(low, top)) + 'px';
    low += height + 14;
  }
  // What is asked for while a page is arranged is shown, and what is shown stays at its link.
  if (owner) shown(owner) ? place(owner) : hide();
};
let due;
const later = () => due ||= requestAnimationFrame(() => { due = 0; arrange() });
on('pn-moved', later);
on('toggle', e => { if (e.target.matches('details')) later() }, true);
on('load', later);
document.fonts.ready.then(later);
})();
