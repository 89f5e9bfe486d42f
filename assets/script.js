// Comforts for the reader. Without it every page can be read, switched, and followed by its links.
// Kept small by hand: short names, one helper for each thing that is done often.
(() => {
const d = document, root = d.documentElement, on = addEventListener;
const one = s => d.querySelector(s), all = (s, e = d) => [...e.querySelectorAll(s)];
const box = e => e.getBoundingClientRect(), shown = e => e.getClientRects().length;
const get = k => { try { return localStorage.getItem(k) } catch { } };
const put = (k, v) => { try { localStorage.setItem(k, v) } catch { } };
const make = (tag, props, ...kids) => { const e = Object.assign(d.createElement(tag), props); e.append(...kids); return e };
const target = hash => hash[1] && d.getElementById(decodeURIComponent(hash.slice(1)));
// A word in the language of its place; labels follow the page when its language changes.
const word = (e, zh, en) => e.closest('[lang]').lang == 'en' ? en : zh;
const labels = new Map, label = (e, ...words) => { labels.set(e, words); e.textContent = word(e, ...words) };

// Languages. A view is `zh`, `en` or `both`; the choice is kept for the next page.
const views = all('input[name=view]'), view = () => views.find(i => i.checked), first = root.dataset.first;
const titles = { [first]: d.title, ...one('title').dataset };
const setLang = () => {
  let l = view()?.value;
  if (!l) return;
  if (l == 'both') l = first;
  root.lang = l == 'en' ? l : 'zh-CN';
  d.title = titles[l];
  for (const [e, words] of labels) label(e, ...words);
};
const wanted = [new URLSearchParams(location.search).get('lang'), get('pn-view')].map(l => views.find(i => i.value == l)).find(i => i);
if (wanted) wanted.checked = true;
setLang();

// Colours.
const theme = one('#theme'), modes = { auto: ['自动', 'automatic'], light: ['浅色', 'light'], dark: ['深色', 'dark'] };
const setTheme = () => {
  if (mode == 'auto') delete root.dataset.theme; else root.dataset.theme = mode;
  theme.querySelector('.vh > :last-child').textContent = theme.title = word(root, ...modes[mode]);
};
let mode = get('pn-theme');
if (!modes[mode]) mode = 'auto';
setTheme();
theme.hidden = false;
root.classList.add('on');
theme.onclick = () => {
  const order = Object.keys(modes);
  put('pn-theme', mode = order[(order.indexOf(mode) + 1) % 3]);
  setTheme();
};

// The reader's place: marked in the contents, and kept when the language changes.
let rows = [], links = {}, place, current;
const line = 90, halves = row => all(':scope > .body', row).filter(shown);
const look = () => {
  const row = rows.findLast(r => box(r).top <= line), id = row?.id;
  if (id != current) {
    links[current]?.removeAttribute('aria-current');
    const a = links[current = id];
    if (a) {
      a.setAttribute('aria-current', 'true');
      const toc = a.closest('.toc'), t = box(a), b = box(toc);
      if (t.top < b.top + 60 || t.bottom > b.bottom - 60) toc.scrollTop += t.top - b.top - b.height / 2;
    }
  }
  place = 0;
  if (!row || scrollY < 100) return;
  const kids = [...halves(row)[0]?.children || []], n = kids.findIndex(e => box(e).bottom > line), b = box(kids[n] || row);
  place = { row, n, count: kids.length, top: b.top, part: (line - b.top) / b.height };
};
const restore = () => {
  if (!place) return;
  const { row, n, count, top, part } = place, kids = halves(row)[0]?.children || [];
  const at = n >= 0 && kids.length == count ? kids[n] : row, b = box(at);
  scrollBy({ top: b.top - (part > 0 ? line - part * b.height : at == row && n >= 0 ? line : top), behavior: 'instant' });
};
const reach = () => {
  const e = target(location.hash);
  if (e && !shown(e)) e.closest('.row')?.scrollIntoView();
};

// On phones, formulas that are too wide shrink a little; what is wider still scrolls, by keyboard too.
const fit = () => {
  const phone = innerWidth < 800, wide = all('.math-block').filter(e => phone || e.style.fontSize);
  for (const e of wide) e.style.fontSize = '';
  const parts = wide.map(e => e.clientWidth / e.scrollWidth);
  wide.forEach((e, i) => { if (parts[i] < 1) e.style.fontSize = Math.max(.74, parts[i] * .98) + 'em' });
  for (const e of all(phone ? '.body dt,.body math' : '.body dt')) if (e.scrollWidth > e.clientWidth + 1) e.tabIndex = 0;
};
for (const i of views) i.onchange = () => { hide(); put('pn-view', i.value); setLang(); setTheme(); restore(); look(); fit() };

// Cards: what a citation, footnote, term or note reference leads to, beside the link, in the link's language.
const carded = 'a.cite,a.gl,a[data-card],.footnote-ref a', card = make('div', { id: 'pn-card', className: 'card', popover: 'manual', role: 'tooltip' });
let owner, wait, touch;
const hide = () => {
  clearTimeout(wait);
  owner?.removeAttribute('aria-describedby');
  owner = null;
  if (card.isConnected) card.hidePopover();
};
const show = (a, y) => {
  const copy = !a.matches('[data-card]') && target(a.hash)?.cloneNode(true), [own, other] = word(a, ['zh', 'en'], ['en', 'zh']);
  hide();
  one('main').append(card);
  card.lang = a.closest('[lang]').lang;
  if (copy) {
    for (const e of all('.bib,.footnote-backref,.' + other, copy)) e.remove();
    for (const e of all('*', copy)) e.removeAttribute('id'), e.classList.remove(own);
    card.replaceChildren(...copy.childNodes);
  } else card.replaceChildren(make('a', { className: 'note', href: a.href, textContent: a.dataset.title || a.innerText }), make('p', { textContent: a.dataset.summary ?? a.dataset[own] }));
  for (const e of all('a', card)) e.tabIndex = -1;
  a.title = '';
  a.setAttribute('aria-describedby', card.id);
  owner = a;
  card.showPopover();
  const parts = [...a.getClientRects()], r = parts.find(r => y < r.bottom) || parts[0], h = card.offsetHeight + 6;
  card.style.left = scrollX + Math.max(12, Math.min(r.left, root.clientWidth - card.offsetWidth - 12)) + 'px';
  card.style.top = scrollY + (r.bottom + h < innerHeight || r.top < h ? r.bottom + 6 : r.top - h) + 'px';
};
on('pointerdown', e => { touch = e.pointerType == 'touch' }, true);
on('pointerover', e => {
  if (e.pointerType == 'touch') return;
  const a = e.target.closest(carded + ',.card');
  clearTimeout(wait);
  if (a && a != card && a != owner) wait = setTimeout(show, 150, a, e.clientY);
  if (!a && owner && !owner.matches(':focus-visible')) wait = setTimeout(hide, 200);
});
on('focusin', ({ target: e }) => {
  if (!touch && e.matches(carded) && e.matches(':focus-visible')) show(e); else if (!card.contains(e)) hide();
});
on('click', e => {
  const a = e.target.closest('a');
  if (touch && a?.matches(carded) && a != owner) e.preventDefault(), show(a, e.clientY);
  else if (a || !card.contains(e.target)) hide();
});

// Keys: each one presses what is on the page already.
const help = make('dialog'), more = make('button', { type: 'button' });
const keys = window.pnKeys = {
  l: ['切换语言', 'Switch the language', () => views[(views.indexOf(view()) + 1) % views.length]],
  t: ['切换颜色', 'Switch the colours', () => theme],
  '[': ['阅读路径上一篇', 'Previous in the reading path', () => one('.step-of:nth-of-type(1) .prev')],
  ']': ['阅读路径下一篇', 'Next in the reading path', () => one('.step-of:nth-of-type(1) .next')],
  h: ['首页', 'Home page', () => one('.crumbs a')],
  '/': ['搜索', 'Search', () => make('a', { href: one('.crumbs a').href + '#q' })],
  '?': ['这份说明', 'This help', () => more],
  Esc: ['关闭', 'Close', () => 1],
};
more.onclick = () => {
  if (help.open) return help.close();
  help.replaceChildren(
    make('h2', { textContent: help.ariaLabel = word(root, '快捷键', 'Keyboard') }),
    make('dl', {}, ...Object.keys(keys).filter(k => keys[k][2]()).map(k =>
      make('div', {}, make('dt', {}, make('kbd', { textContent: k })), make('dd', { textContent: word(root, ...keys[k]) })))),
    make('button', { type: 'button', textContent: word(root, '关闭', 'Close') }));
  one('main').append(help);
  help.showModal();
};
help.onclick = e => { if (e.target == help || e.target.type) help.close() };
on('keydown', e => {
  touch = 0;
  if (e.key == 'Escape') hide();
  else if (!e.ctrlKey && !e.metaKey && !e.altKey && !/text|search|select/.test(e.target.type) && (!help.open || e.key == '?'))
    keys[e.key]?.[2]()?.click?.();
});

// Nothing is drawn before the math font is ready.
const fonts = [...d.fonts];
if (fonts[0]) {
  root.style.visibility = 'hidden';
  Promise.allSettled(fonts.map(f => f.load())).then(() => root.style.visibility = '');
}
on('DOMContentLoaded', () => {
  rows = all('.row');
  for (const a of all('.toc a')) links[a.hash.slice(1)] = a, a.onclick = () => one('.toc').hidePopover();
  one('.foot p').append(more);
  label(more, '? 快捷键', '? Keys');

  const button = (after, words, onclick) => {
    const b = make('button', { className: 'copy', type: 'button', ariaLive: 'polite', onclick });
    after.after(b);
    label(b, ...words);
    return b;
  };
  for (const pre of all('.code > pre,.bib > pre')) {
    const words = ['复制', 'Copy'], b = button(pre, words, async () => {
      try { await navigator.clipboard.writeText(pre.textContent) } catch { getSelection().selectAllChildren(pre); d.execCommand('copy') }
      label(b, '已复制', 'Copied');
      setTimeout(label, 1500, b, ...words);
    });
  }
  for (const e of all('.recall')) {
    const items = all('details', e);
    button(e.lastElementChild, ['全部展开／收起', 'Show / hide all'], () => { const open = items.some(i => !i.open); for (const i of items) i.open = open });
  }
  if (matchMedia('(prefers-reduced-motion:reduce)').matches) for (const svg of all('svg')) svg.pauseAnimations?.();
  let due;
  on('scroll', () => due ||= requestAnimationFrame(() => { due = 0; look() }), { passive: true });
  on('resize', () => { look(); fit() });
  on('toggle', e => { if (e.target.open) fit() }, true);
  on('hashchange', reach);
  reach();
  look();
  fit();
});
})();
