// Comforts for the reader. Without it every page can be read, switched, and followed by its links.
(() => {
const d = document, root = d.documentElement, all = (s, e = d) => [...e.querySelectorAll(s)];
const get = k => { try { return localStorage.getItem(k) } catch { return null } };
const put = (k, v) => { try { localStorage.setItem(k, v) } catch { } };
const shown = e => e && e.getClientRects().length > 0;
const make = (tag, props, ...kids) => { const e = Object.assign(d.createElement(tag), props); e.append(...kids); return e };
const word = (e, zh, en) => e.closest('[lang]').lang == 'en' ? en : zh;

// Languages. A view is `zh`, `en` or `both`; the choice is kept for the next page.
const views = all('input[name=view]'), view = () => views.find(i => i.checked);
const titles = { [root.dataset.first]: d.title, ...d.querySelector('title').dataset };
const setLang = () => {
  let l = view()?.value;
  if (!l) return;
  if (l == 'both') l = root.dataset.first;
  root.lang = l == 'en' ? l : 'zh-CN';
  d.title = titles[l];
};
for (const want of [new URLSearchParams(location.search).get('lang'), get('pn-view')]) {
  const v = views.find(i => i.value == want);
  if (v) { v.checked = true; break }
}
setLang();

// Colours.
const theme = d.getElementById('theme'), modes = ['auto', 'light', 'dark'], names = { auto: ['自动', 'automatic'], light: ['浅色', 'light'], dark: ['深色', 'dark'] };
const setTheme = m => {
  if (m == 'auto') delete root.dataset.theme; else root.dataset.theme = m;
  theme.querySelector('.vh > span:last-child').textContent = theme.title = word(root, ...names[m]);
};
let mode = modes.includes(get('pn-theme')) ? get('pn-theme') : 'auto';
setTheme(mode);
theme.hidden = false;
theme.onclick = () => { put('pn-theme', mode = modes[(modes.indexOf(mode) + 1) % 3]); setTheme(mode) };

// The reader's place: marked in the contents, and kept when the language changes.
let rows = [], links = {}, place = null, current;
const halves = row => all(':scope > .body', row).filter(shown);
const look = () => {
  const line = 90;
  const row = rows.findLast(r => r.getBoundingClientRect().top <= line);
  const id = row && row.id;
  if (id != current) {
    links[current]?.removeAttribute('aria-current');
    const a = links[current = id];
    if (a) {
      a.setAttribute('aria-current', 'true');
      const toc = a.closest('.toc'), t = a.getBoundingClientRect(), b = toc.getBoundingClientRect();
      if (t.top < b.top + 60 || t.bottom > b.bottom - 60) toc.scrollTop += t.top - b.top - b.height / 2;
    }
  }
  place = null;
  if (!row || scrollY < 100) return;
  const kids = halves(row)[0]?.children || [];
  const n = [...kids].findIndex(e => e.getBoundingClientRect().bottom > line);
  const at = n < 0 ? row : kids[n], box = at.getBoundingClientRect();
  place = { row, n, count: kids.length, top: box.top, part: (line - box.top) / box.height };
};
const restore = () => {
  if (!place) return;
  const { row, n, count, top, part } = place, kids = halves(row)[0]?.children || [];
  const at = n >= 0 && kids.length == count ? kids[n] : row, box = at.getBoundingClientRect();
  const want = part > 0 ? 90 - part * box.height : at == row && n >= 0 ? 90 : top;
  scrollBy({ top: box.top - want, behavior: 'instant' });
};
const reach = () => {
  const e = location.hash.length > 1 && d.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (e && !shown(e)) e.closest('.row')?.scrollIntoView();
};

// On phones, formulas that are too wide shrink a little; what is wider still scrolls, by keyboard too.
const fit = () => {
  const phone = innerWidth < 800, wide = all('.math-block').filter(e => phone || e.style.fontSize);
  for (const e of wide) e.style.fontSize = '';
  const parts = wide.map(e => {
    const pad = phone && 2 * parseFloat(getComputedStyle(e).paddingLeft);
    return (e.clientWidth - pad) / (e.scrollWidth - pad);
  });
  wide.forEach((e, i) => { if (parts[i] < 1) e.style.fontSize = Math.max(.8, parts[i] - .005) + 'em' });
  for (const e of phone ? all('.body math, .body dt') : []) if (e.scrollWidth > e.clientWidth + 1) e.tabIndex = 0;
};
for (const i of views) i.onchange = () => { hide(); put('pn-view', i.value); setLang(); setTheme(mode); restore(); look(); fit() };

// Cards: what a citation, footnote, term or note reference leads to, beside the link, in the link's language.
const carded = 'a.cite, a.gl, a[data-card], .footnote-ref a';
let card, owner, wait, touch;
const hide = () => {
  clearTimeout(wait);
  owner?.removeAttribute('aria-describedby');
  owner = card?.hidePopover();
};
const show = (a, y) => {
  const target = !a.dataset.card && d.getElementById(decodeURIComponent(a.hash.slice(1)))?.cloneNode(true);
  hide();
  if (!card) {
    card = make('div', { id: 'pn-card', className: 'card', popover: 'manual' });
    card.setAttribute('role', 'tooltip');
    d.body.append(card);
  }
  card.lang = a.closest('[lang]').lang;
  if (target) {
    const [own, other] = word(a, ['zh', 'en'], ['en', 'zh']);
    for (const e of all('.bib, .footnote-backref, .' + other, target)) e.remove();
    for (const e of all('*', target)) e.classList.remove(own), e.removeAttribute('id'), e.matches('a') && (e.tabIndex = -1);
    card.replaceChildren(...target.childNodes);
  } else card.replaceChildren(make('p', {}, make('a', { className: 'note', href: a.href, textContent: a.dataset.title || a.title, tabIndex: -1 })), make('p', {textContent: a.dataset.summary}));
  a.removeAttribute('title');
  a.setAttribute('aria-describedby', card.id);
  owner = a;
  card.showPopover();
  const lines = [...a.getClientRects()], r = lines.find(r => y < r.bottom) || lines[0], h = card.offsetHeight;
  const below = r.bottom + 6 + h <= innerHeight || r.top < h + 6;
  card.style.left = scrollX + Math.max(12, Math.min(r.left, root.clientWidth - card.offsetWidth - 12)) + 'px';
  card.style.top = scrollY + (below ? r.bottom + 6 : r.top - 6 - h) + 'px';
};
addEventListener('pointerdown', e => { touch = e.pointerType == 'touch' }, true);
addEventListener('pointerover', e => {
  if (e.pointerType == 'touch') return;
  const a = e.target.closest(carded + ', .card');
  clearTimeout(wait);
  if (!a) { if (owner && !owner.matches(':focus-visible')) wait = setTimeout(hide, 200) }
  else if (a != card && a != owner) wait = setTimeout(show, 150, a, e.clientY);
});
addEventListener('focusin', e => {
  if (e.target.closest('.card')) return;
  if (e.target.matches(carded) && e.target.matches(':focus-visible') && !touch) show(e.target); else hide();
});
addEventListener('click', e => {
  const a = e.target.closest('a');
  if (touch && a?.matches(carded) && a != owner) { e.preventDefault(); show(a, e.clientY) }
  else if (a || !e.target.closest('.card')) hide();
});

// Keys: each one presses what is on the page already.
let help;
const keys = {
  l: ['切换语言', 'Switch the language', () => views[(views.indexOf(view()) + 1) % views.length]],
  t: ['切换颜色', 'Switch the colours', () => theme],
  '[': ['阅读路径的上一篇', 'Previous note of the reading path', () => d.querySelector('.step-of:nth-of-type(1) .prev')],
  ']': ['阅读路径的下一篇', 'Next note of the reading path', () => d.querySelector('.step-of:nth-of-type(1) .next')],
  h: ['首页', 'Home page', () => d.querySelector('.crumbs a')],
  '?': ['打开或关闭这份说明', 'Open or close this help', () => more],
  Esc: ['关闭', 'Close'],
};
const more = make('button', { type: 'button', onclick() {
  if (help?.open) return help.close();
  help ||= d.body.appendChild(make('dialog', { onclick(e) { if (e.target == help || e.target.type) help.close() } }));
  help.ariaLabel = word(root, '快捷键', 'Keyboard');
  help.replaceChildren(make('h2', { textContent: help.ariaLabel }), make('dl', {}, ...Object.entries(keys).filter(([k, [, , find]]) => !find || find()).map(
    ([k, [zh, en]]) => make('div', {}, make('dt', {}, make('kbd', { textContent: k })), make('dd', { textContent: word(root, zh, en) })))),
    make('button', { type: 'button', textContent: word(root, '关闭', 'Close') }));
  help.showModal();
} });
addEventListener('keydown', e => {
  touch = false;
  if (e.key == 'Escape') return hide();
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.target.closest('input:not([type=radio]), textarea, select, [contenteditable]')) return;
  if (!help?.open || e.key == '?') keys[e.key]?.[2]?.()?.click();
});

addEventListener('DOMContentLoaded', () => {
  rows = all('.row');
  for (const row of rows) {
    const [a, b] = all(':scope > .body', row).map(e => [...e.children].map(k => k.tagName).join());
    if (a && a == b) row.classList.add('al'), row.style.setProperty('--n', a.split(',').length);
  }
  for (const a of all('.toc a')) links[a.hash.slice(1)] = a;
  d.getElementById('toc')?.addEventListener('click', e => { if (e.target.closest('a') && e.currentTarget.matches(':popover-open')) e.currentTarget.hidePopover() });
  d.querySelector('.foot p').append(more);
  more.textContent = '? ' + word(root, '快捷键', 'keys');

  const said = d.body.appendChild(make('p', { className: 'vh' }));
  said.setAttribute('role', 'status');
  const button = (after, zh, en, onclick) => {
    const b = make('button', { className: 'copy', type: 'button', onclick });
    after.after(b);
    b.textContent = word(b, zh, en);
    return b;
  };
  for (const pre of all('.code > pre, .bib > pre')) {
    const b = button(pre, '复制', 'Copy', async () => {
      try { await navigator.clipboard.writeText(pre.textContent) } catch { getSelection().selectAllChildren(pre); d.execCommand('copy') }
      b.textContent = said.textContent = word(b, '已复制', 'Copied');
      setTimeout(() => { b.textContent = word(b, '复制', 'Copy'); said.textContent = '' }, 1500);
    });
  }
  for (const box of all('.recall')) {
    const items = all('details', box);
    if (items[1]) {
      const b = button(box.lastElementChild, '全部展开', 'Show all', () => { const open = items.some(i => !i.open); for (const i of items) i.open = open });
      for (const i of items) i.ontoggle = () => { b.textContent = items.some(i => !i.open) ? word(b, '全部展开', 'Show all') : word(b, '全部收起', 'Hide all') };
    }
  }
  if (matchMedia('(prefers-reduced-motion:reduce)').matches) for (const svg of all('svg')) svg.pauseAnimations?.();
  let due = 0;
  const later = () => due ||= requestAnimationFrame(() => { due = 0; look() });
  addEventListener('scroll', later, { passive: true });
  addEventListener('resize', () => { later(); fit() });
  d.addEventListener('toggle', fit, true);
  addEventListener('hashchange', reach);
  let opened = [];
  addEventListener('beforeprint', () => { opened = all('details:not([open]):not(.bib)'); for (const e of opened) e.open = true });
  addEventListener('afterprint', () => { for (const e of opened) e.open = false });
  reach();
  look();
  fit();
});
})();
