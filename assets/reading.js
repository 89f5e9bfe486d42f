// What has been read along the reading paths: kept in this browser only, for pages that show a path.
// A note counts as read when the reader says so, or has come to its end after a minute on the page.
(() => {
const { one, all, make, decode } = pn, d = document, on = addEventListener, root = d.documentElement;
const word = (...texts) => pn.word(root, ...texts);
const site = one('.crumbs a').textContent.trim(), KEY = 'pn-read ' + site, MINUTE = 60000;
const steps = all('.path,.step-of');
let store;
try { store = localStorage; store.setItem('pn-test', 1); store.removeItem('pn-test') } catch { for (const line of all('.progress')) line.remove(); return } // a private window
if (!steps.length) return;

const known = data => Object.fromEntries(Object.entries(data && typeof data == 'object' && !Array.isArray(data) ? data : {}).filter(([id, day]) => /^[^/]+\/[^/]+$/.test(id) && /^\d{4}-\d\d-\d\d$/.test(day)));
const load = () => { try { return known(JSON.parse(store.getItem(KEY))) } catch { return {} } };
const save = read => { try { store.setItem(KEY, JSON.stringify(read)) } catch { } draw() };
const id = href => { const [, topic, name] = href.match(/([^/]+)\/notes\/([^/?#]+)\.html(?:[?#]|$)/) || []; return topic && decode(topic + '/' + name) };
const own = id(location.href), today = () => new Date(Date.now() - new Date().getTimezoneOffset() * MINUTE).toISOString().slice(0, 10);
const mark = yes => {
  const read = load(); // another tab may have written since
  if (yes) read[own] ||= today(); else delete read[own];
  save(read);
};

const shown = new Map, text = (e, ...texts) => { const now = word(...texts); shown.set(e, texts); if (e.textContent != now) e.textContent = now; return e };
const button = (texts, onclick) => text(make('button', { type: 'button', onclick }), ...texts);

const tick = (a, yes) => {
  const old = a.querySelector('.tick');
  a.closest('li')?.classList.toggle('done', yes);
  if (yes && !old) a.lastElementChild.append(make('span', { className: 'tick' }, ' ✓', make('span', { className: 'vh' }, word(words('ui.reading.read')))));
  if (!yes) old?.remove();
};
const boxes = steps.map((path, place) => {
  const links = all('.track a,.turn a', path), line = path.querySelector('.progress');
  const count = make('span'), next = make('a'), toggle = own && !place && button([''], () => mark(!load()[own]));
  line?.append(...(toggle ? [toggle] : [count, next]));
  return () => {
    const read = load();
    for (const a of links) tick(a, id(a.href) in read);
    if (own && !toggle) return;
    if (toggle) {
      toggle.ariaPressed = String(own in read);
      text(toggle, ...(own in read ? [words('ui.reading.is-read')] : [words('ui.reading.mark')]));
      return;
    }
    const left = links.filter(a => !(id(a.href) in read)), total = links.length, done = total - left.length;
    text(count, words('ui.reading.progress'));
    next.hidden = !done || !left.length;
    if (left.length) {
      next.href = left[0].getAttribute('href');
      const named = left[0].cloneNode(true);
      for (const e of all(`.tick,[lang]:not([lang=${root.lang}])`, named)) e.remove();
      const title = [...named.children].map(e => e.textContent).join(' ').replace(/\s+/g, ' ').trim();
      next.textContent = word(words('ui.reading.continue'));
    }
  };
});
const draw = () => {
  for (const box of boxes) box();
  for (const [e, texts] of shown) text(e, ...texts);
};
draw();
on('storage', e => { if (e.key == KEY || e.key == null) draw() });
on('change', e => { if (e.target.name == 'view') draw() });
on('pageshow', e => { if (e.persisted) draw() });

if (own) { // the end of a note
  let seen = 0, since = performance.now(), hand = own in load();
  on('click', e => { if (e.target.closest('.progress')) hand = true });
  on('visibilitychange', () => { if (d.hidden) seen += performance.now() - since; else since = performance.now() });
  new IntersectionObserver(([end]) => {
    const spent = seen + performance.now() - since;
    if (end.isIntersecting && spent >= MINUTE && !hand) hand = true, mark(true);
  }, { threshold: 1 }).observe(one('.progress'));
}
pn.reading = { load, save, known, text, button, site };
})();
