// Comforts for the reader. Without it every page can be read, switched, and followed by its links.
// Kept small by hand: short names, one helper for each thing that is done often. `pn` is what other scripts share.
(() => {
const d = document, root = d.documentElement, on = addEventListener;
const one = s => d.querySelector(s), all = (s, e = d) => [...e.querySelectorAll(s)];
const box = e => e.getBoundingClientRect(), shown = e => e.getClientRects().length;
const get = k => { try { return localStorage.getItem(k) } catch { } };
const put = (k, v) => { try { localStorage.setItem(k, v) } catch { } };
const make = (tag, props, ...kids) => { const e = Object.assign(d.createElement(tag), props); e.append(...kids); return e };
const decode = s => { try { return decodeURIComponent(s) } catch { return s } };
const target = hash => hash[1] && d.getElementById(decode(hash.slice(1)));
// A word in the language of its place; labels follow the page when its language changes.
const word = (e, zh, en) => (e.closest('[lang]') || root).lang == 'en' ? en : zh;
const labels = new Map, label = (e, ...words) => { labels.set(e, words); e.textContent = word(e, ...words); return e };

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

// How pages look to this reader: colours, size of the text, width of the lines.
const looks = {
  theme: [['颜色', 'Colours'], ['auto', '自动', 'Auto'], ['light', '浅色', 'Light'], ['dark', '深色', 'Dark']],
  size: [['字号', 'Text size'], ['small', '小', 'S'], ['auto', '中', 'M'], ['large', '大', 'L'], ['larger', '特大', 'XL']],
  width: [['行宽', 'Line width'], ['narrow', '窄', 'Narrow'], ['auto', '适中', 'Medium'], ['wide', '宽', 'Wide']],
};
const look = (name, value) => {
  if (value == 'auto' || !looks[name].slice(1).some(o => o[0] == value)) delete root.dataset[name]; else root.dataset[name] = value;
};
for (const name in looks) look(name, get('pn-' + name));
const choose = (name, value) => {
  put('pn-' + name, value);
  moved(() => look(name, value));
  for (const i of all('#pn-looks input')) i.checked = i.value == (root.dataset[i.name] || 'auto');
};
const opener = one('#pn-theme');
opener.hidden = false;
root.classList.add('on');
opener.onclick = () => {
  if (!one('#pn-looks')) {
    one('.bar').append(make('div', { id: 'pn-looks', popover: 'auto' }, ...Object.keys(looks).filter(name => name != 'width' || rows[0]).map(name => {
      const [title, ...options] = looks[name];
      return make('fieldset', { className: 'views' }, label(make('legend'), ...title), ...options.map(([value, ...words]) =>
        make('label', {}, make('input', { type: 'radio', name, value, checked: value == (root.dataset[name] || 'auto'), onchange: () => choose(name, value) }), label(make('span'), ...words))));
    })));
  }
  one('#pn-looks').togglePopover();
};

// The reader's place: marked in the contents, and kept when the page is set anew.
let rows = [], links = { __proto__: null }, place, current; // sections may be named as what all objects have
const line = 90, halves = row => all(':scope > .body', row).filter(shown);
const here = () => {
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
const moved = change => {
  const was = place;
  change();
  if (was) {
    const { row, n, count, top, part } = was, kids = halves(row)[0]?.children || [];
    const at = n >= 0 && kids.length == count ? kids[n] : row, b = box(at);
    scrollBy({ top: b.top - (part > 0 ? line - part * b.height : at == row && n >= 0 ? line : top), behavior: 'instant' });
  }
  here();
  dispatchEvent(new Event('pn-moved'));
};
const reach = () => {
  const e = target(location.hash);
  for (let fold = e; fold = fold?.parentElement?.closest('details');) fold.open = true;
  if (e && !shown(e)) e.closest('.row')?.scrollIntoView();
};
for (const i of views) i.onchange = () => moved(() => { put('pn-view', i.value); setLang() });

// Where this note was left: kept for the home page, and offered when it is opened again.
const [, note] = location.pathname.match(/([^/]+\/notes\/[^/]+)\.html$/) || [];
const id = note && decode(note.replace('/notes/', '/')), PLACES = 'pn-place ' + one('.crumbs a').textContent.trim();
const places = () => { try { return JSON.parse(get(PLACES)) || {} } catch { return {} } };
const leave = () => {
  const at = scrollY / (root.scrollHeight - innerHeight || 1), known = places();
  if (!id || at < .01) return;
  known[id] = { id: current || '', no: links[current]?.querySelector('.sn').textContent || '', at: +at.toFixed(3), t: Date.now() };
  put(PLACES, JSON.stringify(Object.fromEntries(Object.entries(known).filter(e => e[1]?.t).sort((a, b) => b[1].t - a[1].t).slice(0, 50))));
};
const offer = () => {
  const { id: section, no, at } = places()[id] || {}, a = links[section];
  if (!a || location.hash || scrollY || !(at > .03 && at < .97)) return;
  const go = make('a', { className: 'resume', href: a.hash }, label(make('span'), '↓ 上次读到 ', '↓ Continue at '), no || label(make('span'), ...['zh', 'en'].map(l => (a.querySelector('.' + l) || a).textContent)));
  one('main').append(go);
  on('scroll', () => setTimeout(() => go.remove(), 900), { once: true });
};

// Keys: each one presses what is on the page already.
const help = make('dialog'), more = make('button', { type: 'button' });
const keys = {
  l: ['切换语言', 'Switch the language', () => views[(views.indexOf(view()) + 1) % views.length]],
  t: ['切换颜色', 'Switch the colours', () => ({ click: () => choose('theme', { light: 'dark', dark: 'auto' }[root.dataset.theme] || 'light') })],
  '[': ['阅读路径上一篇', 'Previous in the reading path', () => one('.step-of:nth-of-type(1) .prev')],
  ']': ['阅读路径下一篇', 'Next in the reading path', () => one('.step-of:nth-of-type(1) .next')],
  h: ['首页', 'Home page', () => one('.crumbs a')],
  '/': ['搜索', 'Search', () => make('a', { href: one('.crumbs a').href + '#pn-q' })],
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
  if (!e.ctrlKey && !e.metaKey && !e.altKey && !/text|search|select/.test(e.target.type) && (!help.open || e.key == '?'))
    keys[e.key]?.[2]()?.click?.();
});

// Nothing is drawn before the math font is ready.
const fonts = [...d.fonts];
if (fonts[0]) {
  root.style.visibility = 'hidden';
  Promise.allSettled(fonts.map(f => f.load())).then(() => root.style.visibility = '');
}
on('DOMContentLoaded', () => {
  rows = all('.row,.end > section');
  for (const a of all('.toc a')) links[a.hash.slice(1)] = a, a.onclick = () => one('.toc').hidePopover();
  one('.foot p').append(more);
  label(more, '? 快捷键', '? Keys');
  if (matchMedia('(prefers-reduced-motion:reduce)').matches) for (const svg of all('svg')) svg.pauseAnimations?.();
  let due;
  on('scroll', () => due ||= requestAnimationFrame(() => { due = 0; here() }), { passive: true });
  on('resize', () => { here(); dispatchEvent(new Event('pn-moved')) });
  on('hashchange', reach);
  on('pagehide', leave);
  on('visibilitychange', () => { if (d.hidden) leave() });
  reach();
  here();
  offer();
});
window.pn = { one, all, box, shown, get, make, decode, target, word, label, view, places, keys };
})();
