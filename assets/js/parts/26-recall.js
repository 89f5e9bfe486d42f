// What a reader knew of a self-test: kept in this browser only. A question that was known comes back later each time.
(() => {
const { one, all, make, decode, label, load, save, day } = pn, on = addEventListener, LATER = [0, 1, 3, 7, 16, 35, 80], DAY = 864e5;
const note = pn.id || decode(location.pathname.match(/[^/]*$/)[0]);
if (!pn.stores) return; // a private window
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
const judge = (q, knew, item) => {
  const all = load('recall'), own = mine(all), s = known(own[q.key]); // another tab may have written since
  if (!knew || !s || days(s[1]) <= 0) {
    const step = knew ? Math.min((s ? s[0] : 0) + 1, LATER.length - 1) : 0;
    save('recall', { ...all, [note]: { ...own, [q.key]: [step, day(LATER[step])] } });
  }
  for (const e of q.items) e.open = false;
  draw();
  const next = item.closest('.quiz') ? ask(q) : item;
  next?.querySelector('summary').focus();
};
const judged = (q, e) => {
  const button = (onclick, ...texts) => label(make('button', { type: 'button', onclick }), ...texts);
  e.append(make('div', { className: 'judge' }, button(() => judge(q, 1, e), words('ui.recall.knew')), button(() => judge(q, 0, e), words('ui.recall.not-yet'))));
  e.querySelector('summary').append(make('small', { className: 'again' }));
};
for (const q of questions) for (const e of q.items) judged(q, e);
const after = one('.after .progress'), quiz = after && make('div', { className: 'quiz' }), title = make('p', { className: 'count' });
const put = (e, ...texts) => { if (texts[0]) label(e, ...texts); else label(e, '') };
const draw = () => {
  const own = mine(load('recall'));
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
  const count = questions.filter(q => q.due).length;
  one('.top .again')?.remove();
  if (count) one('.top')?.append(label(make('a', { className: 'again', href: '#' + (quiz ? 'after' : questions[0].items[0].closest('.row').id) }), words('ui.recall.questions')));
};
// At the end of the note up to three of them, one after the other: those that are due, then those never asked.
let asked = [], at = 0;
const ask = q => {
  at = q ? at + 1 : 0;
  asked.forEach(({ cards }, k) => { for (const e of cards) e.hidden = k != at });
  const number = at + 1, total = asked.length;
  if (at < total) label(title, words('ui.recall.ask')); else label(title, words('ui.recall.done'));
  return asked[at]?.cards.find(pn.shown);
};
draw();
if (quiz) {
  const order = q => { const s = known(mine(load('recall'))[q.key]); return s ? s[1] <= day() ? '' : s[1] : '0' };
  asked = questions.map((q, k) => [order(q), k, q]).sort(([a, i], [b, j]) => a < b ? -1 : a > b ? 1 : i - j).slice(0, 3).map(([, , q]) => q);
  for (const q of asked) {
    q.cards = q.items.map(e => {
      const copy = e.cloneNode(true), half = e.closest('.body');
      for (const e of [copy, ...all('[id]', copy)]) e.removeAttribute('id');
      for (const e of all('.judge,.again', copy)) e.remove();
      copy.lang = half.lang;
      copy.open = false;
      copy.classList.add(...[...half.classList].filter(c => !/^(body|c\d)$/.test(c)), 'ui');
      judged(q, copy);
      return copy;
    });
    q.items = [...q.items, ...q.cards];
    quiz.append(...q.cards);
  }
  quiz.prepend(title);
  after.after(quiz);
  ask();
  draw();
}
on('storage', draw);
on('pageshow', e => { if (e.persisted) draw() });
})();
