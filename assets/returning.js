// What home says first to a reader who comes back: where notes were left, which questions are due, what is new.
// It runs before the rest of the page is there, so that nothing moves: names of notes are in the reader's own records.
(() => {
const { one, all, make, label, langs, load, save, plain, idOf, day } = pn, VISIT = 18e5;
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

// In the panel of the looks: all of it to a file, and from one that another browser, or the same pages from disk, have given.
const site = one('.crumbs a').textContent.trim();
const DAY = /^-?\d{4}-\d\d-\d\d$/, strings = list => list.every(s => typeof s == 'string');
const FORM = 'paper-notes reading progress', records = { // of each: whether an entry is one
  read: v => DAY.test(v),
  recall: v => plain(v) == v && Object.values(v).every(s => s.length == 2 && s[0] >= 0 && s[0] < 9 && DAY.test(s[1])),
  place: v => v.t > 0 && v.at >= 0 && strings([v.id, v.no, ...v.h || [], ...v.n || []]),
};
// Of two entries the newer; questions one by one.
const when = v => v?.t || (v?.pop ? v[1] : v?.slice?.(-10));
const merged = (a, b) => ({ ...a, ...Object.fromEntries(Object.entries(b).filter(([k, v]) => !(when(a[k]) >= when(v))).map(([k, v]) => [k, when(v) ? v : merged(plain(a[k]), v)])) });
if (pn.stores) pn.carry = () => {
  const said = make('p', { role: 'status' }), file = make('input', { type: 'file', accept: '.json', hidden: true });
  const button = (onclick, ...texts) => label(make('button', { type: 'button', onclick }), ...texts);
  file.onchange = async () => {
    const [given] = file.files;
    file.value = '';
    if (given) try {
      const data = JSON.parse(await given.text()), mine = {};
      if (data.form != FORM || data.version > 2 || data.site != site || !data.read) throw 0;
      for (const name in records) {
        const given = data[name] ??= {};
        if (plain(given) != given || !Object.entries(given).every(([id, v]) => /^[^/]+(\/[^/]+)?$/.test(id) && records[name](v))) throw 0;
        mine[name] = merged(load(name), given);
      }
      for (const name in mine) if (!save(name, mine[name])) throw 0;
      dispatchEvent(new StorageEvent('storage'));
      const count = new Set(Object.keys(records).flatMap(name => Object.keys(data[name]))).size;
      label(said, words('ui.reading.added'));
    } catch { label(said, words('ui.reading.wrong-file')) }
  };
  return make('fieldset', { className: 'views carry' }, label(make('legend'), words('ui.reading.record')), button(() => {
    const data = { form: FORM, version: 2, site };
    for (const name in records) data[name] = Object.fromEntries(Object.entries(load(name)).filter(([, v]) => { try { return records[name](v) } catch { } }));
    make('a', { href: URL.createObjectURL(new Blob([JSON.stringify(data, null, 1)])), download: 'reading-progress.json' }).click();
  }, words('ui.reading.export')), button(() => file.click(), words('ui.reading.import')), file, said);
};

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
