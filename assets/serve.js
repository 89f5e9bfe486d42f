// Only in pages that `paper-notes serve` shows, never in the files it serves: loads the page anew when it has changed,
// keeps the reader's place, and tells what is wrong with the sources.
(() => {
const d = document, root = d.documentElement, on = addEventListener, { version } = d.currentScript.dataset;
const KEY = 'pn-serve', BAR = 70; // pixels at the top that the bar of a page may cover
const all = s => [...d.querySelectorAll(s)], box = e => e.getBoundingClientRect(), shown = e => e.getClientRects().length;
const make = (tag, props, ...kids) => { const e = Object.assign(d.createElement(tag), props); e.append(...kids); return e };

// The reader's place: the first blocks in sight, told by their own words, and the section they are in. What is written
// above them, or in one of them, moves none of the others. Blocks that are there twice tell nothing.
const nameOf = e => e.tagName + e.textContent.slice(0, 400);
const blocks = () => {
  const found = new Map;
  for (const e of all('main :is(h1,h2,h3,h4,h5,h6,p,li,dt,dd,tr,pre,figcaption,summary,math)')) {
    const name = nameOf(e);
    found.set(name, found.has(name) ? null : e);
  }
  return found;
};
const folds = () => all('details').map(e => [(e.closest('[id]')?.id || '') + ' ' + e.firstElementChild?.textContent, e]);
const asLoaded = new Map(folds().map(([, e]) => [e, e.open]));
const view = () => d.querySelector('input[name=view]:checked')?.id;
const leave = () => {
  const near = [], typing = d.activeElement, section = all('main [id]').findLast(e => shown(e) && box(e).top <= BAR);
  for (const [name, e] of blocks()) {
    if (near.length == 40) break;
    const b = e && shown(e) && box(e);
    if (b && b.bottom > BAR && b.top < innerHeight) near.push([name, b.top]);
  }
  sessionStorage.setItem(KEY, JSON.stringify({
    page: location.pathname, y: scrollY, near, view: view(), section: section && [section.id, box(section).top],
    folds: folds().filter(([, e]) => asLoaded.has(e) && asLoaded.get(e) != e.open).map(([name, e]) => [name, e.open]),
    typing: typing?.id && typeof typing.selectionStart == 'number' ? [typing.id, typing.selectionStart, typing.selectionEnd] : null,
  }));
  history.scrollRestoration = 'manual';
  location.reload();
};
const find = ({ near, section }) => {
  const now = blocks(), there = near.map(([name, top]) => [now.get(name), top]);
  if (section) there.push([d.getElementById(section[0]), section[1]]);
  return there.find(([e]) => e && shown(e));
};
const arrive = place => {
  const chosen = place.view && d.getElementById(place.view), opened = new Map(place.folds);
  if (chosen && !chosen.checked) chosen.click();
  for (const [name, e] of folds()) if (opened.has(name)) e.open = opened.get(name);
  // Fonts, a box that is hidden at first, and lists that grow while they are scrolled, need some moments; the reader's
  // own hand is stronger.
  let free = false;
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown']) on(event, () => { free = true }, { passive: true, once: true });
  const [id, from, to] = place.typing || [], field = id && d.getElementById(id);
  const settle = () => {
    if (free) return;
    if (field && field != d.activeElement) {
      field.focus({ preventScroll: true });
      field.setSelectionRange(from, to);
    }
    if (place.y < 1) return;
    const at = find(place);
    scrollBy({ top: at ? box(at[0]).top - at[1] : place.y - scrollY, behavior: 'instant' });
  };
  settle();
  on('DOMContentLoaded', settle);
  on('load', settle);
  for (const ms of [50, 150, 300, 600, 1200]) setTimeout(settle, ms);
};
let place;
try { place = JSON.parse(sessionStorage.getItem(KEY)) } catch { } // written by something else
sessionStorage.removeItem(KEY); // so that a page that is opened by hand starts where it always does
history.scrollRestoration = 'auto';
if (place?.page == location.pathname) arrive(place);

// What is wrong, in a box of its own that no style of the page reaches.
const host = make('div', {}), shadow = host.attachShadow({ mode: 'open' }), style = new CSSStyleSheet;
style.replaceSync(`
:host{all:initial;color-scheme:inherit;position:fixed;inset:auto 0 0;z-index:2147483647;font:15px/1.5 system-ui,"Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
@media print{:host{display:none}}
details{box-sizing:border-box;max-width:64rem;margin:0 auto;background:light-dark(#fff,#20242b);color:light-dark(#1b1d22,#e2e5ea);
border:1px solid light-dark(#b3303b,#ff9799);border-top-width:4px;border-radius:8px 8px 0 0;box-shadow:0 0 24px light-dark(#0003,#000a)}
summary{padding:.6rem 1rem;font-weight:650;cursor:pointer;min-height:1.5rem}
summary:focus-visible,div:focus-visible,a:focus-visible{outline:2px solid light-dark(#a83216,#ff9478);outline-offset:-3px}
div{max-height:min(45vh,26rem);overflow:auto;padding:0 1rem .75rem}
p,ol{margin:0 0 .5rem}ol{padding:0;list-style:none}li{padding:.5rem 0;border-top:1px solid light-dark(#dfe1e6,#31363f)}
code{font:13px/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.rule{color:light-dark(#a3212d,#ff9799);font-weight:650}.quiet{color:light-dark(#595f6a,#a3aab6)}a{color:light-dark(#1c4a94,#9dbdf5)}`);
shadow.adoptedStyleSheets = [style];
const alert = make('section', { role: 'alert', ariaLabel: 'paper-notes serve' });
shadow.append(alert);
// In the language of the page, which may be switched.
const say = (text, className = '') => { const [lang, part] = text.find(([lang]) => lang == root.lang) || text[0]; return make('span', { lang, className }, part) };
const item = ({ place, rule, message, hint }) => make('li', {},
  ...(place ? [make('code', {}, place + ': ', make('span', { className: 'rule' }, `error[${rule}]`), ': ')] : []), say(message),
  ...(hint ? [make('br'), say(hint, 'quiet')] : []));
let drawn = '', last;
const draw = told => {
  last = told;
  const { page, moved, errors, count, texts } = told, what = JSON.stringify([root.lang, page, moved, errors, count, texts]);
  if (what == drawn) return;
  drawn = what;
  const title = [], body = [];
  if (page == 'gone') {
    title.push(say(texts.gone));
    const link = (href, ...words) => make('p', {}, make('a', { href }, ...words));
    body.push(moved ? link(moved, say(texts.moved), ': ' + decodeURIComponent(moved)) : link('/', say(texts.home)));
  }
  if (count) {
    if (title.length) title.push(make('br'));
    title.push(say(texts.errors));
    if (texts.stale && version != '-') body.push(make('p', { className: 'quiet' }, say(texts.stale)));
    body.push(make('ol', {}, ...errors.map(item)));
    if (count > errors.length) body.push(make('p', {}, say(texts.more)));
  }
  const open = alert.firstElementChild?.open ?? (page == 'gone' || version == '-' || 'stale' in texts); // else the page marks them
  alert.replaceChildren(...(body.length ? [make('details', { open }, make('summary', {}, ...title), make('div', { tabIndex: 0, role: 'group', ariaLabel: say(texts.details).textContent }, ...body))] : []));
};

new MutationObserver(() => { if (last) draw(last) }).observe(root, { attributeFilter: ['lang'] });

// What the server tells. A tab that nobody sees does not listen: browsers allow six connections to a server, not more.
let source;
const loaded = () => performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname);
const listen = () => {
  if (source || d.hidden) return;
  source = new EventSource('/.paper-notes/events?' + new URLSearchParams({ page: location.pathname, version }));
  source.onmessage = ({ data }) => {
    const told = JSON.parse(data), files = loaded();
    if (told.page == 'changed' || told.files.some(file => files.includes(file))) leave(); else draw(told);
  };
  source.onerror = () => { stop(); setTimeout(listen, 1000) };
};
const stop = () => { source?.close(); source = null };
d.body.append(host);
d.addEventListener('visibilitychange', () => { if (!d.hidden) listen(); else if (!loaded().length) stop() });
on('pagehide', stop);
on('pageshow', listen);
listen();
})();
