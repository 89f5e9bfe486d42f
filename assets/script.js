// Comforts for the reader. Without it every page can be read, switched, and followed by its links.
// Kept small by hand: short names, one helper for each thing that is done often. `pn` is what other scripts share.
// A call of `words` with an id is replaced by that word in each language of the site, and `languages` by their names.
(() => {
const d = document, root = d.documentElement, on = addEventListener;
const one = s => d.querySelector(s), all = (s, e = d) => [...e.querySelectorAll(s)];
const box = e => e.getBoundingClientRect(), shown = e => e.getClientRects().length;
const get = k => { try { return localStorage.getItem(k) } catch { } };
const put = (k, v) => { try { localStorage.setItem(k, v); return 1 } catch { } };
const make = (tag, props, ...kids) => { const e = Object.assign(d.createElement(tag), props); e.append(...kids); return e };
const decode = s => { try { return decodeURIComponent(s) } catch { return s } };
const target = hash => hash[1] && d.getElementById(decode(hash.slice(1)));
// A word in the language of its place; labels follow the page when its language changes.
const langs = [languages('html')], word = (e, ...texts) => texts[langs.indexOf((e.closest('[lang]') || root).lang)] ?? texts[0];
const texts = (e, or = e) => langs.map(l => (e.querySelector(`:scope>[lang=${l}]`) || or).textContent);
const labels = new Map, label = (e, ...texts) => { labels.set(e, texts); e.textContent = word(e, ...texts); return e };

// What the reader has done here, by notes: kept in this browser only. `stores` is false in a private window.
// `read` has days, with a minus for notes marked as unread; `recall` the questions' own; `place` where pages were left.
const SITE = one('.crumbs a').textContent.trim(), plain = o => o && typeof o == 'object' && !Array.isArray(o) ? o : {};
const load = name => { try { return plain(JSON.parse(get(`pn-${name} ${SITE}`))) } catch { return {} } };
const save = (name, record) => put(`pn-${name} ${SITE}`, JSON.stringify(record)), stores = put('pn-test', 1);
const day = (n = 0) => new Date(Date.now() - new Date().getTimezoneOffset() * 6e4 + n * 864e5).toISOString().slice(0, 10);
const idOf = href => { const [, topic, name] = href.match(/([^/]+)\/notes\/([^/?#]+)\.html(?:[?#]|$)/) || []; return topic && decode(topic + '/' + name) };

// A view is a language of the site, or `both`; the choice is kept for the next page.
const views = all('input[name=view]'), view = () => views.find(i => i.checked);
const title = d.title;
const setLang = () => {
  const chosen = view();
  if (!chosen) return;
  root.lang = langs[views.indexOf(chosen)] || langs[0];
  d.title = one('title').getAttribute('data-' + chosen.value) || title;
  for (const [e, texts] of labels) label(e, ...texts);
};
const [named, kept] = [new URLSearchParams(location.search).get('lang'), get('pn-view')].map(l => views.find(i => i.value == l)), wanted = named || kept;
if (wanted) wanted.checked = true;
if (named && !kept) put('pn-view', named.value); // who came for one language goes on in it
setLang();
// From disk, Firefox keeps what each page stores apart: links take the language along.
if (location.protocol == 'file:') on('click', e => {
  const a = e.target.closest('a[href*=".html"]');
  if (a?.protocol == 'file:' && !a.search && view()) a.search = '?lang=' + view().value;
}, true);

// How pages look to this reader: colours, size of the text, width of the lines.
const looks = {
  theme: [[words('ui.looks.theme')], ['auto', words('ui.looks.auto')], ['light', words('ui.looks.light')], ['dark', words('ui.looks.dark')]],
  size: [[words('ui.looks.size')], ['small', words('ui.looks.small')], ['auto', words('ui.looks.usual')], ['large', words('ui.looks.large')], ['larger', words('ui.looks.larger')]],
  width: [[words('ui.looks.width')], ['narrow', words('ui.looks.narrow')], ['auto', words('ui.looks.medium')], ['wide', words('ui.looks.wide')]],
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
      return make('fieldset', { className: 'views' }, label(make('legend'), ...title), ...options.map(([value, ...texts]) =>
        make('label', {}, make('input', { type: 'radio', name, value, checked: value == (root.dataset[name] || 'auto'), onchange: () => choose(name, value) }), label(make('span'), ...texts))));
    }), ...pn.carry ? [pn.carry()] : []));
  }
  one('#pn-looks').togglePopover();
};

// The reader's place: marked in the contents, and kept when the page is set anew.
let rows = [], links = { __proto__: null }, place, current; // sections may be named as what all objects have
const line = 90, halves = row => all(':scope > .body', row).filter(shown);
const here = () => {
  const at = y => rows.findLast(r => box(r).top <= y), row = at(line), id = at(innerHeight * .3)?.id;
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
for (const i of views) i.onchange = () => {
  moved(() => { put('pn-view', i.value); setLang() });
  // An address with a language must not bring back what the reader has left.
  history.replaceState(0, '', location.href.replace(/([?&]lang=)[^&#]*/, '$1' + i.value));
};

// Where this note was left: kept for the home page, and offered when it is opened again.
const id = idOf(location.href), places = () => load('place');
const leave = () => {
  const at = scrollY / (root.scrollHeight - innerHeight || 1), known = places(), a = links[current];
  if (!id || at < .01) return;
  known[id] = { id: current || '', no: a?.querySelector('.sn').textContent || '', at: +at.toFixed(3), t: Date.now(), h: a ? texts(a.lastElementChild) : [], n: texts(one('h1')) };
  save('place', Object.fromEntries(Object.entries(known).filter(e => e[1]?.t).sort((a, b) => b[1].t - a[1].t).slice(0, 100)));
};
const offer = () => {
  const { id: section, no, at } = places()[id] || {}, a = links[section];
  if (!a || location.hash || scrollY || !(at > .03 && at < .97)) return;
  const go = make('a', { className: 'resume', href: a.hash }, label(make('span'), words('ui.script.left-at')), ' ', no && no + ' ', label(make('span'), ...texts(a.lastElementChild)));
  one('main').append(go);
  on('scroll', () => setTimeout(() => go.remove(), 900), { once: true });
};

// Search, commands and the list of keys are in files beside the home page, read when they are first asked for: style
// sheets, as a page on disk may read these without letting in every script there. That of the palette has a program as a
// string, which the policy of the page allows by its hash.
const finder = one('#pn-seek'), more = make('button', { type: 'button' }), base = one('.crumbs a').href.replace(/[^/]*$/, '');
const bring = name => new Promise((done, fail) => {
  const sheet = make('link', { rel: 'stylesheet', href: `${base}search-${name}.css`, onerror: fail });
  sheet.onload = () => {
    try { done(JSON.parse(JSON.parse(getComputedStyle(d.head).getPropertyValue('--pn-' + name)))) } catch (e) { fail(e) }
    if (name != 'palette') sheet.remove();
  };
  d.head.append(sheet);
});
let program, typed; // what is typed before the palette is there
const engine = () => program ||= bring('palette').then(text => { d.head.append(make('script', { textContent: text })) });
const call = name => engine(typed = '').then(() => pn[name](typed), () => { // a page that is somewhere else, alone
  const told = make('dialog', { textContent: word(root, words('ui.palette.alone')), onclick: () => told.close(), onclose: () => told.remove() });
  program = 0;
  one('main').append(told);
  told.showModal();
}).finally(() => typed = null);
if (finder) finder.hidden = false, finder.onclick = () => call('open'), finder.onpointerenter = () => { engine().catch(() => program = 0) };
more.onclick = () => call('help');

// Keys: each one presses what is on the page already; `pn.keys` has what that is. The palette knows what they are called.
const keys = {
  l: [() => views[(views.indexOf(view()) + 1) % views.length]],
  t: [() => ({ click: () => choose('theme', { light: 'dark', dark: 'auto' }[root.dataset.theme] || 'light') })],
  '[': [() => one('.after [rel=prev]')],
  ']': [() => one('.after [rel=next]')],
  h: [() => one('.crumbs a')],
  '/': [() => finder],
  '?': [() => more],
  Esc: [() => 1],
};
on('keydown', e => {
  if (typed != null && e.key.length == 1) return typed += e.key, e.preventDefault();
  if (e.altKey || one('dialog[open]')) return;
  const key = e.ctrlKey || e.metaKey ? e.key == 'k' && '/' : !/text|search|select/.test(e.target.type) && e.key, press = keys[key]?.[0]();
  if (press?.click) {
    if (key == '/') e.preventDefault();
    press.click();
  }
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
  one('.foot p').append('\u2003', more);
  label(more, words('ui.keys.help'));
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
window.pn = { one, all, box, shown, get, make, decode, target, langs, texts, word, label, view, views, places, keys, load, save, plain, stores, day, idOf, id, base, bring, engine, looks, choose };
})();
