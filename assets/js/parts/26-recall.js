// What a reader knew of a self-test: kept in this browser only. A question that was known comes back later each time.
(() => {
const { one, all, make, decode, label } = pn, on = addEventListener;
const KEY = 'pn-recall ' + one('.crumbs a').textContent.trim(), LATER = [0, 1, 3, 7, 16, 35, 80], DAY = 864e5;
const note = decode((location.pathname.match(/[^/]+\/notes\/[^/]+(?=\.html$)/) || location.pathname.match(/[^/]*$/))[0].replace('/notes/', '/'));
let store;
try { store = localStorage; store.setItem('pn-test', 1); store.removeItem('pn-test') } catch { return } // a private window
const load = () => { try { const all = JSON.parse(store.getItem(KEY)); return all && typeof all == 'object' && !Array.isArray(all) ? all : {} } catch { return {} } };
const day = n => new Date(Date.now() - new Date().getTimezoneOffset() * 6e4 + n * DAY).toISOString().slice(0, 10);
const mine = all => { const own = all[note]; return own && typeof own == 'object' ? own : {} };
const known = s => Array.isArray(s) && LATER[s[0]] >= 0 && /^\d{4}-\d\d-\d\d$/.test(s[1]) ? s : null;
const days = due => Math.round((Date.parse(due) - Date.parse(day(0))) / DAY);
// A question goes by its name, else by its letters in the first language. Both languages have it at the same place.
const name = e => {
  const s = e.querySelector('summary'), id = s.querySelector('span[id]')?.id;
  if (id) return '^' + id.replace(/-[^-]+$/, '');
  const text = s.textContent.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return [...text].reduce((h, c) => Math.imul(h, 31) + c.codePointAt() | 0, 7).toString(36);
};
const questions = all('.row:has(.recall-item)').flatMap(row => {
  const halves = all(':scope > .body', row).map(half => all('.recall-item', half)).filter(half => half.length);
  const agree = halves.every(half => half.length == halves[0].length);
  return (agree ? halves[0].map((_, n) => halves.map(half => half[n])) : halves.flat().map(e => [e])).map(items => ({ items, key: name(items[0]) }));
});
const judge = (q, knew) => {
  const all = load(), own = mine(all), s = known(own[q.key]); // another tab may have written since
  if (!knew || !s || days(s[1]) <= 0) {
    const step = knew ? Math.min((s ? s[0] : 0) + 1, LATER.length - 1) : 0;
    try { store.setItem(KEY, JSON.stringify({ ...all, [note]: { ...own, [q.key]: [step, day(LATER[step])] } })) } catch { }
  }
  const here = q.items.find(pn.shown);
  for (const e of q.items) e.open = false;
  draw();
  here?.querySelector('summary').focus();
};
for (const q of questions) for (const e of q.items) {
  const button = (onclick, ...texts) => label(make('button', { type: 'button', onclick }), ...texts);
  e.append(make('div', { className: 'judge' }, button(() => judge(q, 1), words('ui.recall.knew')), button(() => judge(q, 0), words('ui.recall.not-yet'))));
  e.querySelector('summary').append(make('small', { className: 'again' }));
}
const put = (e, ...texts) => { if (texts[0]) label(e, ...texts); else label(e, '') };
const draw = () => {
  const own = mine(load());
  for (const q of questions) {
    const s = known(own[q.key]), count = s ? days(s[1]) : 0;
    q.due = s && count <= 0;
    for (const e of q.items) {
      e.classList.toggle('due', !!q.due);
      put(e.querySelector('.again'), ...(q.due ? [words('ui.recall.now')] : s ? [words('ui.recall.again')] : []));
    }
  }
  for (const e of all('.recall')) {
    const count = all('.due', e).length, title = e.querySelector('.box-title');
    const small = title.querySelector('small') || title.appendChild(make('small', { className: 'again' }));
    put(small, ...(count ? [words('ui.recall.due')] : []));
  }
  const first = questions.find(q => q.due), count = questions.filter(q => q.due).length;
  one('.top .again')?.remove();
  if (first) one('.top')?.append(label(make('a', { className: 'again', href: '#' + first.items[0].closest('.row').id }), words('ui.recall.questions')));
};
draw();
on('storage', e => { if (e.key == KEY || e.key == null) draw() });
on('pageshow', e => { if (e.persisted) draw() });
})();
