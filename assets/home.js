// Search on the home page. What it needs to know of the notes stands at the end of the page (`#pn-data`); of notes beyond
// the first ones of each topic, title and summary are read from the list for readers without a script.
(() => {
const { one, all, get, make, langs } = pn, d = document, root = d.documentElement;
const main = one('main'), input = one('#pn-q'), list = one('#pn-results ol'), nothing = one('#pn-nothing'), found = one('#pn-found');
const selects = all('.filters select'), opener = one('#pn-open'), clear = one('#pn-clear'), chosen = one('#pn-chosen');
const chips = all('.jump a'), topicOf = a => a.getAttribute('href').slice(1);
// Texts are in the order of the site's languages: `lang` is the place of the one that the page is in.
const lang = () => Math.max(langs.indexOf(root.lang), 0), word = (...texts) => texts[lang()];
const tags = [languages('tag')], ALL = tags.length * 2 - 1, ownFirst = () => [lang(), 1 - lang()].slice(0, tags.length);
const FIRST = 10, AT_ONCE = 40, LARGE = 64e6, LONGEST = 400, LETTER = '[a-z0-9]', CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

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
let data, notes, byId, terms, toSimple, variants, groups = [], hits = [], count = 0, every, due, texts = 0, missing = 0, perTopic;

const remember = () => {
  const parameters = new URLSearchParams(location.search);
  for (const name in asked) {
    parameters.delete(name);
    if (asked[name].trim()) parameters.set(name, asked[name]);
  }
  const query = String(parameters);
  try { history.replaceState(history.state, '', location.pathname + (query && '?' + query) + location.hash) } catch { }
};

// Folding: what is typed is compared without width, case and accents, and in simplified characters; texts stay as they
// are, and a pattern allows for each character what of its variants occurs in them.
const pairs = s => { const c = [...s], out = []; for (let i = 0; i < c.length; i += 2) out.push([c[i], c[i + 1]]); return out };
const learn = (others, old) => {
  for (const [c, to] of pairs(old)) toSimple.set(c, to);
  for (const [c, to] of pairs(others)) { const known = variants.get(to) || []; if (!known.includes(c)) variants.set(to, [...known, c]) }
};
const fold = s => [...s.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').normalize().replace(/[‘’]/g, "'").replace(/[“”]/g, '"').toLowerCase()].map(c => toSimple.get(c) || c).join('');
const key = s => fold(s).replace(/[\s-]+/g, '');
const escaped = c => c == '…' ? '(?:…|\\.{3})' : /[\\^$.*+?()[\]{}|\/]/.test(c) ? '\\' + c : c;
const pattern = (folded, whole) => {
  const chars = [...folded.replace(/\.{3}/g, '…').replace(/[\s-]+/g, (gap, at) => at && at + gap.length < folded.length ? ' ' : gap)];
  const ascii = /^[\x20-\x7e]*$/.test(folded);
  let out = ascii && /^[a-z0-9]/.test(folded) && (whole || folded.length < 4) ? `(?<!${LETTER})` : '';
  chars.forEach((c, i) => {
    const others = variants.get(c) || [], before = chars[i - 1];
    if (before && before != ' ' && c != ' ' && CJK.test(before) != CJK.test(c)) out += '\\s?';
    out += c == ' ' ? '[\\s\\u2010-\\u2014-]*' : others.length ? `(?:${[c, ...others].map(escaped).join('|')})` : escaped(c);
  });
  if (/^#\d+$/.test(folded)) out += '(?!\\d)';
  return out + (ascii && whole ? `s?(?!${LETTER})` : '');
};
const regexp = (source, flags = 'i') => new RegExp(source, flags);

// A query is groups that must all be found. A term of the glossary is found by any of its names.
const group = (typed, names = [], words = []) => {
  const own = pattern(typed);
  const other = names.map(fold).filter(n => n != typed).map(n => pattern(n, /^[\x20-\x7e]{1,5}$/.test(n)));
  const any = [own, ...other].join('|');
  return { own: regexp(own), any: regexp(any), source: [any, ...words.map(w => pattern(w))].join('|'), words: words.map(w => group(w)) };
};
const parse = query => {
  const words = fold(query.slice(0, LONGEST)).replace(/(^|\s)#0+(?=\d)/g, '$1#').split(/\s+/).filter(w => w).slice(0, 24), out = [];
  for (let i = 0; i < words.length;) {
    let end = words.length, names;
    for (; end > i; end--) {
      const run = words.slice(i, end).join('').replace(/-/g, '');
      if (names = terms.get(run) || terms.get(run.replace(/s$/, ''))) break;
    }
    if (names) {
      const run = words.slice(i, end);
      out.push(group(run.join(' '), names, run.length > 1 ? run : []));
      i = end;
    } else {
      const w = words[i++];
      let from = 0, at = 0;
      if (/^#\d+$/.test(w)) {
        out.push({ ...group(w), number: +w.slice(1) });
        continue;
      }
      while (CJK.test(w) && at < w.length) { // terms inside a run of Chinese
        let size = Math.min(w.length - at, 24);
        while (size > 1 && !(CJK.test(w.slice(at, at + size)) && terms.has(w.slice(at, at + size)))) size--;
        if (size > 1) {
          if (at > from) out.push(group(w.slice(from, at)));
          out.push(group(w.slice(at, at + size), terms.get(w.slice(at, at + size))));
          from = at += size;
        } else at++;
      }
      if (from < w.length) out.push(group(w.slice(from)));
    }
  }
  return out;
};

// How well a note answers a group: title before tags and authors, before the summary, before the text.
const weigh = (n, g) => {
  if (g.number == n.number) return 200;
  const place = n.title.search(g.own);
  if (place >= 0) return place == 0 || n.title[place - 1] == '\n' ? 130 : /[a-z0-9]/i.test(n.title[place - 1]) ? 100 : 110;
  if (g.any.test(n.title)) return 90;
  if (g.any.test(n.keys)) return 40;
  if (g.any.test(n.summary)) return 20;
  return g.words.length && g.words.every(w => weigh(n, w)) ? 10 : 0;
};
const inText = (n, g) => n.text?.some(([, text]) => g.any.test(text)) || g.words.length && g.words.every(w => weigh(n, w) || inText(n, w));
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
const collator = {}, titled = n => n.titles[lang()];
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
const marked = (e, text) => {
  let at = 0;
  if (every) for (const m of text.matchAll(every)) {
    if (!m[0]) continue;
    e.append(text.slice(at, m.index), make('mark', { textContent: m[0] }));
    at = m.index + m[0].length;
  }
  e.append(text.slice(at));
  return e;
};
// The words around a match, for the browser to find and mark on the page of the note: up to the next sign, formula or end
// of the line. None if the page has the same words further up.
const SIGNS = /[，。；：！？、（）“”…—·|]|[.,;:!?)]+(?= |$)|\(|[\w^]*[\u0370-\u03ff\u2190-\u22ff=<>±×∣ˆ~+]+[\w\u0370-\u03ff]*|(?<!['’])\b[B-HJ-Zb-z]\b/g;
const clause = (text, start, at, end, last, title) => {
  let from = Math.max(start, at - 60), to = Math.min(last, end + 60);
  if (from > start) from = Math.min(at, text.indexOf(' ', from) + 1 || at);
  if (to < last) to = Math.max(end, text.lastIndexOf(' ', to));
  for (const m of text.slice(start, last).matchAll(SIGNS)) {
    const i = start + m.index, after = i + m[0].length;
    if (after <= at) from = Math.max(from, after); else if (i >= end) { to = Math.min(to, i); break }
  }
  const words = text.slice(from, to).trim(), lower = words.toLowerCase(), before = text.slice(0, at).toLowerCase();
  const headings = text.match(/^.*(?=\t)/gm) || [];
  if (!words || before.slice(0, from).includes(lower) || [title, ...headings].some(h => h.toLowerCase().includes(lower))) return '';
  return ':~:text=' + encodeURIComponent(words).replace(/-/g, '%2D');
};
const lines = (n, k) => n.lines?.[k] || ((n.lines ||= [])[k] = n.text[k][1].split('\n'));
const piece = (n, wanted) => { // a link to the first match, a bit of the text around it, and the section it is in
  for (const k of ownFirst()) {
    const [ids, text] = n.text?.[k] || [[], ''];
    const begin = text.indexOf(text.split('\n').find(l => wanted.every(g => regexp(g.source).test(l))) || ''); // a section with all words
    const hit = wanted.map(g => regexp(g.source).exec(text.slice(begin))).filter(m => m).sort((a, b) => a.index - b.index)[0];
    if (!hit) continue;
    hit.index += begin;
    const line = text.lastIndexOf('\n', hit.index) + 1, stop = text.indexOf('\n', hit.index), last = stop < 0 ? text.length : stop;
    const place = text.slice(0, line).split('\n').length - 1, [id, no = ''] = ids[place].split(' ').reverse();
    const own = lang(), same = n.text[own][0].indexOf(ids[place]); // the heading in the language of the page, if it has one
    const [heading] = lines(n, same < 0 ? k : own)[same < 0 ? place : same].split('\t');
    const start = text.slice(line, last).indexOf('\t') + 1 + line, at = Math.max(hit.index, start);
    const reach = [languages('ideographic')][k] ? 45 : 90;
    let from = Math.max(start, at - reach / 3 | 0), to = Math.min(last, at + reach * 2);
    while (from > start && /[\w\udc00-\udfff]/.test(text[from]) && /[\w\ud800-\udbff]/.test(text[from - 1])) from--;
    while (to < last && /[\w\udc00-\udfff]/.test(text[to]) && /[\w\ud800-\udbff]/.test(text[to - 1])) to++;
    if (from > start) from += text.slice(from, at).match(/^[\s\p{P}]*/u)[0].length;
    return [
      (n.langs == ALL && !['both', tags[k]].includes(get('pn-view') || tags[0]) ? '?lang=' + tags[k] : '') + '#' + (id == 'lead' ? '' : id)
        + (at > hit.index ? '' : clause(text, start, at, at + hit[0].length, last, titled(n))),
      (from > start ? '…' : '') + text.slice(from, to) + (to < last ? '…' : ''), langs[k],
      start > line ? `${no} ${heading}`.trim() : '', langs[same < 0 ? k : own],
    ];
  }
};
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
  if (missing) found.append(' · ', word(words('ui.search.unread')));
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
};

// The texts of the notes, fetched when they are first needed.
let fetching, ready = false, large;
// A style sheet may be read from disk too, where a script could be let in only with all others: it holds them as JSON.
const take = name => {
  const [rows, ...characters] = JSON.parse(JSON.parse(getComputedStyle(one('#pn-data')).getPropertyValue('--pn-' + name)));
  for (const [id, ...halves] of rows) { const n = byId.get(id); if (n) n.text = halves }
  learn(...characters);
};
const fetchTexts = () => fetching ||= (async () => {
  const names = [...data.shards];
  await Promise.all(Array.from({ length: 16 }, async () => {
    for (let name; name = names.shift();) {
      const sheet = make('link', { rel: 'stylesheet', href: `search-${name}.css` });
      await new Promise(done => { sheet.onload = sheet.onerror = done; d.head.append(sheet) });
      try { take(name) } catch { missing++ }
      sheet.remove();
    }
  }));
  ready = true;
})();
const later = async () => {
  remember();
  if (!groups.length || !data.shards.length) return;
  if (large) return tell('ask');
  if (!ready) {
    tell('loading');
    await fetchTexts();
    if (!groups.length) return;
    read(); // with the characters of the texts
  }
  const before = hits.length;
  search(true);
  performance.mark('pn-texts');
  if (orders[asked.sort] || !before) return hits.length > before || !before ? draw() : tell();
  if (count >= before && hits.length > before) count = before, more(); // rows that stand there stay
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
  search(ready && !groups.length);
  clearTimeout(due);
  const wait = groups.length && data.shards.length && !large;
  draw(wait && !hits.length ? 'loading' : '');
  if (wait) setTimeout(fetchTexts);
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
input.oninput = () => { if (data) run() };
for (const view of all('input[name=view]')) view.addEventListener('change', () => { fillAll(); run() });
d.addEventListener('click', e => {
  const a = e.target.closest('.more a,.jump a');
  if (a && data && !e.ctrlKey && !e.metaKey && !e.shiftKey) {
    e.preventDefault();
    const chip = chips.includes(a), topic = chip ? topicOf(a) : new URLSearchParams(a.search).get('topic');
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
  else if (e.key == '/' && !typing) to = input, input.select();
  else if (inBox && e.key == 'ArrowDown') to = links()[0];
  else if (inBox && e.key == 'Enter' && active()) to = links()[0], to && (remember(), to.click());
  else if (a && e.key == 'ArrowDown') to = links()[links().indexOf(a) + 1] || a;
  else if (a && e.key == 'ArrowUp') to = links()[links().indexOf(a) - 1] || input;
  else if (e.key == 'Escape' && (inBox || a || main.classList.contains('searching') && !typing)) {
    if (!inBox) to = input; else if (input.value) input.value = '', run(), remember(), to = input; else if (active()) clear.click();
  }
  if (to) e.preventDefault(), to.focus({ preventScroll: to == a }), to.scrollIntoView({ block: 'nearest' });
});

d.addEventListener('DOMContentLoaded', () => {
  data = JSON.parse(one('#pn-data').textContent);
  const entities = { lt: '<', gt: '>', amp: '&', '#34': '"', '#39': "'" }, decoded = s => s.replace(/&([a-z0-9#]+);/g, (m, name) => entities[name] ?? m);
  const line = /^<li value="\d+">.a href="([^"]*)">(.*?).\/a>(.*)/;
  const each = s => { const own = [...s.matchAll(/<[bp][^>]*>([^<]*)/g)]; return langs.map((_, k) => decoded((own[k] || own[0])?.[1] ?? s)) };
  const rest = all('.topic noscript').flatMap(e => e.textContent.split('\n').filter(l => l.startsWith('<li')))[Symbol.iterator]();
  byId = new Map;
  notes = data.notes.map(([topic, number, kind, status, date, year, tags, langs, rating, marks, minutes, papers, keywords, ...texts]) => {
    if (!texts.length) {
      const [, href, title, about] = rest.next().value.match(line);
      texts = [decoded(href), ...each(title), ...each(about)];
    }
    const [href, ...both] = texts, titles = both.splice(0, both.length / 2), own_ = papers.map(p => data.papers[p]);
    const n = { topic, number, kind, status, date, year, tags, langs, rating, marks, minutes, papers, keywords, href, titles, abouts: both,
      title: [...new Set([titles[lang()], ...titles])].join('\n'), summary: both.join('\n'), published: own_[0]?.[4] || '',
      keys: ['#' + number, ...keywords, ...tags.flatMap(t => data.tags[t]), year || '', ...own_.flat()].join('\n') };
    byId.set(href.replace('/notes/', '/').slice(0, -5), n);
    return n;
  });
  toSimple = new Map;
  variants = new Map;
  learn(data.variants, data.traditional);
  terms = new Map;
  for (const names of data.terms) for (const name of names) terms.set(key(name), [...terms.get(key(name)) || [], ...names]);
  large = data.bytes > LARGE || !!navigator.connection?.saveData;
  if (!data.topics.some(([id]) => id == asked.topic)) asked.topic = '';
  fillAll();
  pn.exists(id => byId.has(id));
  const { keys } = pn, here = () => 1; // the help of all pages: these keys are listed there and work here
  delete keys.Esc;
  Object.assign(keys, {
    '/': [here, words('ui.keys.search')], '↓ ↑': [here, words('ui.keys.move')],
    Enter: [here, words('ui.keys.open')], Esc: [here, words('ui.keys.clear')],
  });
  if (input.value || active()) run(); else header();
  main.style.visibility = '';
  performance.mark('pn-ready');
  setTimeout(() => { for (const g of parse('xyz 字 a-b')) for (const n of notes) weigh(n, g) }); // so that the first key is answered as quickly as the next
});
})();
