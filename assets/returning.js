// What home says first to a reader who comes back: where notes were left, which questions are due, what is new.
// It runs before the rest of the page is there, so that nothing moves: names of notes are in the reader's own records.
(() => {
const { one, all, make, label, langs, load, save, idOf, day } = pn, VISIT = 18e5, plain = o => o && typeof o == 'object' ? o : {};
const again = one('#pn-again'), due = one('#pn-due'), fresh = one('#pn-new'), start = one('#pn-start');
const link = (id, names, hash, ...said) => {
  const [topic, name] = id.split('/').map(encodeURIComponent), [, number, rest = id] = id.match(/\/0*(\d+)_(.*)/) || [];
  const short = langs.map((_, k) => (names?.[k] || rest.replace(/_[\d.]+$/, '').replace(/_/g, ' ')).replace(/\s*[:：].*/, ''));
  return make('a', { href: './' + (name ? `${topic}/notes/${name}.html` : topic) + hash }, number ? make('span', { className: 'no' }, `#${number} `) : '', label(make('b'), ...short), ' ', label(make('span', { className: 'count' }), ...said));
};
const fill = (row, links) => { row.hidden = !links.length; row.lastElementChild.replaceChildren(...links) };
let exists = () => 1;
const draw = () => {
  const places = load('place'), read = load('read'), recall = load('recall'), today = day(), place = '\0', most = 3;
  const begun = Object.entries(places).filter(([id, p]) => p?.at > .03 && p.at < .97 && !(read[id] > '0') && exists(id)).sort((a, b) => b[1].t - a[1].t);
  fill(again, begun.slice(0, 2).map(([id, { id: section, no, h, n }]) => link(id, n, '#' + (section || ''),
    ...[words('ui.search.place')].map((text, k) => h?.[k] || no ? text.replace(place, `${no} ${h?.[k] || ''}`.trim()) : ''))));
  const asked = Object.entries(recall).map(([id, own]) => [id, Object.values(plain(own)).filter(s => s?.[1] <= today).length]).filter(([id, count]) => count && (!id.includes('/') || exists(id)));
  fill(due, asked.slice(0, most).map(([id, count]) => link(id, places[id]?.n, id.includes('/') ? '#after' : '', words('ui.recall.due'))));
  if (asked[most]) due.lastElementChild.append(make('span', {}, `+${asked.length - most}`));
  if (start) start.hidden = [places, read, recall].some(record => Object.keys(record).length);
};
draw();
pn.exists = known => { exists = known; draw() };
addEventListener('pageshow', e => { if (e.persisted) draw() });
if (!fresh) return;
// New is what was not among the newest when the last visit ended; a visit ends after half an hour without this page.
const notes = all('a', fresh), stamp = a => `${a.dataset.date} ${idOf(a.href)}`, now = notes.map(stamp), seen = load('seen');
const list = l => Array.isArray(l) ? l.map(String) : now, was = list(Date.now() - seen.t > VISIT ? seen.now : seen.was);
save('seen', { t: Date.now(), now, was });
const isNew = a => !was.includes(stamp(a)) && stamp(a) > [...was].sort()[0], any = notes.some(isNew);
notes.forEach((a, k) => a.hidden = any ? !isNew(a) || k > 5 : k > 2);
if (notes.length > 6 && notes.every(isNew)) fresh.lastElementChild.append(make('a', { href: '?sort=newest' }, label(make('span'), words('ui.home.more'))));
all('dt>span', fresh).forEach((e, k) => e.hidden = k != any);
})();
