// The list of the home page, by words and filters. It has its search, and what it knows of the notes, from the palette.
(async () => {
const { one, all, make } = pn, d = document, root = d.documentElement;
const main = one('main'), input = one('#pn-q'), list = one('#pn-results ol'), nothing = one('#pn-nothing'), found = one('#pn-found');
const selects = all('.filters select'), opener = one('#pn-open'), clear = one('#pn-clear'), chosen = one('#pn-chosen');
const chips = all('.jump a'), topicOf = a => a.getAttribute('href').slice(1);
const FIRST = 10, AT_ONCE = 40, LONGEST = 400;

// What is asked for: the query, the filters and the order, as they are in the page's address.
const asked = {};
for (const name of ['q', 'topic', ...selects.map(s => s.name)]) asked[name] = (new URLSearchParams(location.search).get(name) || '').slice(0, LONGEST);
const active = () => Object.values(asked).some(v => v.trim());
input.value = asked.q;
const used = () => selects.filter(s => s.name != 'sort' && asked[s.name]).length;
for (const a of chips) a.setAttribute('role', 'button');
const header = () => { // before the list below is drawn
  main.classList.toggle('searching', active());
  clear.classList.toggle('on', active());
  opener.lastElementChild.textContent = used() || '';
  for (const a of chips) a.setAttribute('aria-pressed', asked.topic == topicOf(a));
};
header();
if (location.hash == '#pn-q') { // from the key `/` on another page
  input.focus();
  try { history.replaceState(history.state, '', location.pathname + location.search) } catch { }
}
if (active()) main.style.visibility = 'hidden'; // until what was found is there
let engine;
try {
  await pn.engine();
  engine = await pn.search;
} catch {
  main.classList.remove('searching');
  main.style.visibility = '';
  input.disabled = true; // a line more would move the page
  input.value = '';
  input.placeholder = [words('ui.palette.alone')][Math.max(pn.langs.indexOf(root.lang), 0)];
  return;
}
const { data, notes, byId, lang, word, tags, ALL, ownFirst, titled, regexp, parse, weigh, inText, piece, missing } = engine, langs = pn.langs;
let groups = [], hits = [], count = 0, every, due, texts = 0, perTopic, { large } = engine;
const marked = (e, text) => engine.marked(e, text, every);

const remember = () => {
  const parameters = new URLSearchParams(location.search);
  for (const name in asked) {
    parameters.delete(name);
    if (asked[name].trim()) parameters.set(name, asked[name]);
  }
  const query = String(parameters);
  try { history.replaceState(history.state, '', location.pathname + (query && '?' + query) + location.hash) } catch { }
};

const filters = {
  topic: (n, v) => data.topics[n.topic][0] == v,
  kind: (n, v) => data.kinds[n.kind][0] == v,
  tag: (n, v) => n.tags.some(t => data.tags[t][0] == v),
  year: (n, v) => n.year == v,
  status: (n, v) => data.statuses[n.status][0] == v,
  language: (n, v) => v == 'both' ? n.langs == ALL : n.langs & 1 << tags.indexOf(v),
  rating: (n, v) => n.rating >= v,
};
const passes = (n, but) => Object.keys(filters).every(f => f == but || !asked[f] || filters[f](n, asked[f]));
const collator = {};
const ranks = () => collator[root.lang] ||= (compare => [...notes].sort((a, b) => compare(titled(a), titled(b))).reduce((m, n, i) => m.set(n, i), new Map))(new Intl.Collator(root.lang).compare);
const orders = {
  newest: (a, b) => b.date.localeCompare(a.date),
  papers: (a, b) => b.published.localeCompare(a.published),
  rating: (a, b) => b.rating - a.rating,
  title: (a, b) => ranks().get(a) - ranks().get(b),
};

const search = (withTexts) => {
  const text = [];
  hits = [];
  perTopic = data.topics.map(() => 0);
  for (const n of notes) if (passes(n, 'topic')) {
    let score = 0, part = !groups.length;
    for (const g of groups) if (part = weigh(n, g)) score += part; else break;
    if (!part && !(withTexts && groups.every(g => weigh(n, g) || inText(n, g)))) continue;
    perTopic[n.topic]++;
    if (n.marks & 8 && !groups[0] && !asked.topic && !asked.kind) continue; // lists of a day, which nobody asked for
    if (!asked.topic || filters.topic(n, asked.topic)) (part ? hits : text).push({ n, score: part && score });
  }
  if (groups.length) hits.sort((a, b) => b.score - a.score);
  text.sort(({ n: a }, { n: b }) => (a.marks & 8) - (b.marks & 8) || a.marks & 8 && b.date.localeCompare(a.date));
  texts = text.length;
  hits.push(...text);
  if (orders[asked.sort]) hits.sort((a, b) => orders[asked.sort](a.n, b.n));
};

// Rows of results, made when they come into sight.
const row = ({ n }) => {
  const [k, other = k] = ownFirst(), title = n.titles[k], about = n.abouts[k], why = [];
  let left = groups.filter(g => g.number != n.number && !g.any.test(title) && !g.any.test(about)), link = '';
  const reason = (text, lang, name, nameLang) => { // a label, or, with a language, the heading that is above the text
    const all = nameLang ? name + '\n' + text : text;
    if (!text || !left.some(g => regexp(g.source).test(all)) || why.some(e => e.lastChild.textContent == text)) return;
    left = left.filter(g => !g.any.test(all) && !(g.words.length && g.words.every(w => w.any.test(all))));
    why.push(make('p', { className: 'why', lang: lang ?? root.lang }, ...(name ? [nameLang ? marked(make('span', { className: 'in', lang: nameLang }), name) : make('span', { className: 'count' }, name), ' '] : []), marked(make('span'), text)));
  };
  if (n.titles[other] != title) reason(n.titles[other], langs[other]);
  reason(n.abouts[other], langs[other]);
  reason(n.tags.map(t => {
    const [id, ...names] = data.tags[t], name = names[k] || id, fits = w => left.some(g => regexp(g.source).test(w));
    const other = !fits(name) && data.tags[t].find(fits); // found by another of its names
    return name + (other ? ` (${other})` : '');
  }).join(' · '), null, word(words('ui.search.tags')));
  reason(n.keywords.join(' · '), null, word(words('ui.note.keywords')));
  for (const p of n.papers) reason([...data.papers[p].slice(1, 6), data.papers[p][0]].filter(s => s).join(' · '), null, word(words('ui.search.paper')));
  for (let i = 0; i < 2 && left.length; i++) {
    const [to, ...part] = piece(n, left) || [];
    if (!to) break;
    link ||= to;
    reason(...part);
  }
  const when = asked.sort == 'newest' ? n.date : n.published.slice(0, 7), by = authors(data.papers[n.papers[0]]), count = n.minutes[k];
  const [kind, ...kinds] = data.kinds[n.kind], [status, ...statuses] = data.statuses[n.status], [, emoji, ...topics] = data.topics[n.topic];
  const facts = make('span'), fact = (className, ...texts) => facts.append(make('span', { className }, word(...texts)), ' ');
  if (n.marks & 2) fact('new', words('label.new'));
  if (n.marks & 4) fact('new', words('label.updated'));
  if (n.marks & 1) fact('kind own', words('ui.base.own-paper'));
  if (kind != 'paper') fact('kind kind-' + kind, ...kinds);
  if (status != 'read') fact(status == 'draft' ? 'new' : '', ...statuses);
  if (n.langs < ALL) fact('', ...n.langs & 1 ? [words('label.only', 0)] : [words('label.only', 1)]);
  if (!asked.topic && data.topics.length > 1) fact('of', ...topics.map(t => `${emoji} ${t}`.trim()));
  if (n.rating) facts.append(make('span', { className: 'stars' }, make('span', { className: 'vh' }, `${word(words('ui.base.rating'))} ${n.rating}/5`),
    make('span', { ariaHidden: 'true' }, '★'.repeat(n.rating), make('i', {}, '★'.repeat(5 - n.rating)))));
  return make('li', {},
    make('span', { className: 'no' }, '#' + n.number),
    make('div', { className: 'what' }, make('h3', {}, marked(make('a', { href: n.href + link }), title)), ...(about ? [marked(make('p'), about)] : []), ...why),
    make('p', { className: 'facts' }, make('span', { className: 'by' }, ...(by ? [make('span', {}, by), ' '] : []), ...(when ? [make('time', {}, when), ' '] : []), make('span', { className: 'min' }, word(words('count.minutes')))), ' ', facts));
};
const authors = p => { // as the list has them
  const families = p?.[2].split(', ').map(name => name.slice(name.lastIndexOf(' ') + 1)) || [''];
  return p?.[6] ?? (families.length > 2 ? families[0] + ' et al.' : families.join(' and '));
};
const end = make('li', { className: 'sentinel', ariaHidden: 'true' });
const more = () => {
  list.append(...hits.slice(count, count += count ? AT_ONCE : FIRST).map(row));
  if (count < hits.length) list.append(end); else end.remove();
  sight.unobserve(end); // so that it is told anew, also where the end is still in sight
  sight.observe(end);
};
const sight = new IntersectionObserver(seen => { if (seen.at(-1).isIntersecting && count < hits.length) more() }, { rootMargin: '900px' });

const tell = state => {
  const n = hits.length, total = notes.length, count = total;
  for (const a of chips) a.lastElementChild.textContent = perTopic[data.topics.findIndex(([id]) => id == topicOf(a))];
  found.replaceChildren(!active() ? word(words('count.notes')) : word(words('ui.search.found')));
  if (texts) found.append(' · ', word(words('ui.search.in-texts')));
  if (state == 'loading') found.append(' · ', word(words('ui.search.searching')));
  if (state == 'ask') found.append(' · ', make('button', { type: 'button', onclick: () => { large = false; later() } }, word(words('ui.search.texts-too')) + ` (${Math.round(data.bytes / 1e6)} MB)`));
  if (missing.size) found.append(' · ', word(words('ui.search.unread')));
};
const draw = state => {
  const on = active();
  header();
  list.replaceChildren();
  count = 0;
  if (on) more();
  tell(state);
  nothing.hidden = !on || hits.length > 0 || state == 'loading';
  if (nothing.hidden) return;
  const query = asked.q.trim(), kids = [make('p', {}, query ? word(words('ui.search.nothing-for')) : word(words('ui.search.nothing')))];
  if (groups.length > 1) kids.push(make('p', {}, word(words('ui.search.fewer-words'))));
  const without = (used() || asked.topic) && notes.filter(n => groups.every(g => weigh(n, g) || inText(n, g))).length;
  if (without) {
    kids.push(make('p', {}, make('button', { type: 'button', onclick: unfilter }, word(words('ui.search.without')))));
  }
  if (query) kids.push(make('p', {}, word(words('ui.search.searched'))));
  nothing.replaceChildren(...kids);
  if (query) (async asking => {
    const better = await engine.corrected(query);
    if (better && asking == groups) nothing.firstChild.after(make('p', {}, make('button', { type: 'button', onclick: () => { input.value = better; run(); remember(); input.focus() } }, word(words('ui.palette.better')))));
  })(groups);
};

const later = async () => {
  remember();
  if (!groups.length || !data.shards.length) return;
  if (large) return tell('ask');
  let files = 0, next = 1; // after 1, 2, 4, 8 ... of them: what is rare is not looked for in all texts after each file
  const asking = groups, reading = engine.texts(groups, () => { // what is found first is shown while the rest is read
    if (asking == groups && !hits.length && ++files == next) {
      next *= 2;
      search(true);
      if (hits.length) draw('loading');
    }
    return asking != groups;
  });
  tell('loading');
  if (await reading && asking == groups) read(); // with the characters of the texts
  else if (asking != groups) return;
  const before = hits.length, shown = new Set(hits.map(({ n }) => n));
  search(true);
  if (!orders[asked.sort]) hits.sort((a, b) => shown.has(b.n) - shown.has(a.n)); // rows that stand there stay
  performance.mark('pn-texts');
  if (orders[asked.sort] || !before) return hits.length > before || !before ? draw() : tell();
  if (count >= before && hits.length > before) count = before, more();
  tell();
};
const read = () => {
  groups = parse(asked.q);
  every = groups.length ? regexp(groups.map(g => g.source).join('|'), 'gi') : null;
};
const run = () => {
  if (!asked.q.trim() != !input.value.trim()) asked.q = input.value, fill(selects.at(-1)); // the order that there is without a choice
  asked.q = input.value;
  read();
  search();
  clearTimeout(due);
  const wait = groups.length && data.shards.length && !large;
  draw(wait && !hits.length ? 'loading' : '');
  due = setTimeout(later, 120);
};

// Filters: what can be chosen, with how many notes each choice leaves.
const named = list => list.map(([id, ...names]) => [id, word(...names)]);
const choices = {
  topic: () => data.topics.map(([id, emoji, ...names]) => [id, `${emoji} ${word(...names)}`.trim()]),
  kind: () => named(data.kinds),
  tag: () => data.tags.map(([id, ...names]) => [id, names[lang()] || id]),
  year: () => [...new Set(notes.map(n => n.year))].filter(y => y).sort((a, b) => b - a).map(y => [String(y), String(y)]),
  status: () => named(data.statuses),
  language: () => named([...[languages('name')].map((name, k) => [tags[k], name]), ['both', words('ui.search.both')]].slice(0, ALL)),
  rating: () => [5, 4, 3, 2, 1].map(r => [String(r), r < 5 ? `${r}+ ★` : '5 ★']),
  sort: () => named([['newest', words('ui.search.newest')], ['papers', words('ui.search.by-paper')], ['rating', words('ui.base.rating')], ['title', words('ui.search.title')]]).filter(([v]) => v != 'rating' || notes.some(n => n.rating)),
};
const fill = s => {
  const counts = new Map, test = filters[s.name];
  let options = choices[s.name]();
  if (test) {
    const add = v => counts.set(v, (counts.get(v) || 0) + 1);
    for (const n of notes) if (passes(n, s.name) && groups.every(g => weigh(n, g))) {
      if (s.name == 'tag') for (const t of n.tags) add(data.tags[t][0]);
      else if (s.name == 'year') add(String(n.year));
      else for (const [v] of options) if (test(n, v)) add(v);
    }
    options = options.filter(([v]) => counts.get(v) || v == asked[s.name]);
    if (s.name == 'tag') options.sort((a, b) => (counts.get(b[0]) || 0) - (counts.get(a[0]) || 0));
  }
  const first = s.name == 'sort' ? asked.q.trim() ? word(words('ui.search.relevance')) : word(words('ui.search.by-number')) : word(words('ui.search.all'));
  s.replaceChildren(new Option(first, ''), ...options.map(([v, label]) => new Option(test && v != asked[s.name] ? `${label} (${counts.get(v) || 0})` : label, v)));
  s.value = asked[s.name];
  if (!s.value) s.value = asked[s.name] = '';
  s.classList.toggle('on', !!s.value);
};
const fillAll = () => {
  for (const s of selects) fill(s);
  chosen.replaceChildren(...Object.keys(filters).filter(f => asked[f] && !(f == 'topic' && chips.length)).map(f => {
    const [, name] = choices[f]().find(([v]) => v == asked[f]);
    return make('button', { type: 'button', ariaLabel: word(words('ui.search.remove')), onclick: () => { set(f, ''); opener.focus() } }, name, make('span', { ariaHidden: 'true' }, '×'));
  }));
  input.placeholder = word(words('ui.search.ask'));
};
const set = (name, value) => { asked[name] = value; fillAll(); run(); remember() };
const unfilter = () => { for (const f in filters) asked[f] = ''; set('topic', '') };
for (const s of selects) {
  s.onfocus = s.onpointerdown = () => fill(s);
  s.onchange = () => set(s.name, s.value);
}
opener.onclick = () => opener.ariaExpanded = String(main.classList.toggle('filtering'));
clear.onclick = () => { input.value = ''; asked.sort = ''; unfilter(); input.focus() };
input.oninput = run;
for (const view of all('input[name=view]')) view.addEventListener('change', () => { fillAll(); run() });
d.addEventListener('click', e => {
  const a = e.target.closest('.more a,.jump a');
  if (a && !e.ctrlKey && !e.metaKey && !e.shiftKey) {
    e.preventDefault();
    const chip = chips.includes(a), topic = chip ? topicOf(a) : a.closest('.topic').id;
    set('topic', chip && asked.topic == topic ? '' : topic);
    if (!chip) scrollTo({ top: 0, behavior: 'instant' });
  } else if (e.target.closest('#pn-results a')) remember();
});

// Keys.
const links = () => all('.rows h3 a').filter(a => a.getClientRects().length);
d.addEventListener('keydown', e => {
  if (e.isComposing || e.keyCode == 229 || e.ctrlKey || e.metaKey || e.altKey || one('dialog[open]')) return;
  const inBox = e.target == input, a = e.target.closest('.rows h3 a'), typing = /text|search|select/.test(e.target.type);
  let to;
  if (e.key == ' ' && chips.includes(e.target)) e.preventDefault(), e.target.click();
  else if (inBox && e.key == 'ArrowDown') to = links()[0];
  else if (inBox && e.key == 'Enter' && active()) to = links()[0], to && (remember(), to.click());
  else if (a && e.key == 'ArrowDown') to = links()[links().indexOf(a) + 1] || a;
  else if (a && e.key == 'ArrowUp') to = links()[links().indexOf(a) - 1] || input;
  else if (e.key == 'Escape' && (inBox || a || main.classList.contains('searching') && !typing)) {
    if (!inBox) to = input; else if (input.value) input.value = '', run(), remember(), to = input; else if (active()) clear.click();
  }
  if (to) e.preventDefault(), to.focus({ preventScroll: to == a }), to.scrollIntoView({ block: 'nearest' });
});

if (!data.topics.some(([id]) => id == asked.topic)) asked.topic = '';
fillAll();
pn.exists(id => byId.has(id));
const { keys } = pn, here = () => 1; // the help of all pages: these keys are listed there and work here
delete keys.Esc; // the last of the list
Object.assign(keys, { '↓ ↑': [here, words('ui.keys.move')], Enter: [here, words('ui.keys.open')], Esc: [here, words('ui.keys.clear')] });
if (input.value || active()) run(); else header();
main.style.visibility = '';
performance.mark('pn-ready');
})();
