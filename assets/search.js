// The search of the palette and of the home page: folding, patterns, terms, ranks, excerpts, and the files of texts.
// It comes with the palette, see `pn.engine`; `pn.search` fulfils when the facts of all notes are there.
pn.search = pn.bring('notes').then(data => {
const { get, make, langs, bring: load } = pn, root = document.documentElement;
// Texts are in the order of the site's languages: `lang` is the place of the one that the page is in.
const lang = () => Math.max(langs.indexOf(root.lang), 0), word = (...texts) => texts[lang()];
const tags = [languages('tag')], ALL = tags.length * 2 - 1, ownFirst = () => [lang(), 1 - lang()].slice(0, tags.length);
const LONGEST = 400, LETTER = '[a-z0-9]', CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

// Folding: what is typed is compared without width, case and accents, and in simplified characters; texts stay as they
// are, and a pattern allows for each character what of its variants occurs in them.
const pairs = s => { const c = [...s], out = []; for (let i = 0; i < c.length; i += 2) out.push([c[i], c[i + 1]]); return out };
const toSimple = new Map, variants = new Map, terms = new Map;
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
  const own = pattern(typed), folded = names.map(fold);
  const other = folded.filter(n => n != typed).map(n => pattern(n, /^[\x20-\x7e]{1,5}$/.test(n)));
  const any = [own, ...other].join('|');
  return { typed, names: folded, own: regexp(own), any: regexp(any), source: [any, ...words.map(w => pattern(w))].join('|'), words: words.map(w => group(w)) };
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

// Where in a text what was typed is: at its beginning, at that of a word, inside of one. `GPT-4` is rather itself than
// the beginning of `GPT-4o`.
const rank = (text, own) => {
  const found = own.exec(text), inside = at => /[a-z0-9]/i.test(text[at] ?? '');
  if (!found) return 0;
  const at = found.index, end = at + found[0].length;
  return (!at || text[at - 1] == '\n' ? 130 : inside(at - 1) ? 100 : 110) + (inside(end) ? 0 : 5);
};

// How well a note answers a group: title before tags and authors, before the summary, before the text.
const weigh = (n, g) => {
  if (g.number == n.number) return 200;
  const place = rank(n.title, g.own);
  if (place) return place;
  if (g.any.test(n.title)) return 90;
  if (g.any.test(n.keys)) return 40;
  if (g.any.test(n.summary)) return 20;
  return g.words.length && g.words.every(w => weigh(n, w)) ? 10 : 0;
};
const inText = (n, g) => n.text?.some(([, text]) => g.any.test(text)) || g.words.length && g.words.every(w => weigh(n, w) || inText(n, w));
const titled = n => n.titles[lang()];

const marked = (e, text, every) => {
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
const SIGNS = /[，。；：！？、（）“”…—·|]|[.,;:!?)]+(?= |$)|\(|\S*[_^√]\S*|[\w^]*[\u0370-\u03ff\u2190-\u22ff=<>±×∣ˆ~+]+[\w\u0370-\u03ff]*|(?<!['’])\b[B-HJ-Zb-z]\b/g;
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

// The files of texts, each read when it is first needed, and only if it may have the words.
const missing = new Set, read = new Map, done = new Set, LARGE = 64e6;
const take = async place => {
  try {
    const [rows, ...characters] = await load(data.shards[place]);
    for (const [id, ...halves] of rows) { const n = byId.get(id); if (n) n.text = halves }
    learn(...characters);
  } catch { missing.add(place) }
  done.add(place);
};
const readText = place => read.get(place) || read.set(place, place < 0 ? Promise.resolve() : take(place)).get(place);
let bits, loading;
const grams = s => [...s.matchAll(/([a-z0-9]{3,})|[\u2e80-\u9fff]{2,}/g)].flatMap(([run, latin]) =>
  Array.from({ length: run.length - (latin ? 2 : 1) }, (_, i) => [...run.slice(i, i + (latin ? 3 : 2))].reduce((h, c) => h * 7919 + c.charCodeAt() & 65535, 0)));
const may = (set, g) => g.number || [g.typed, ...g.names].some(s => grams(s).every(h => set.charCodeAt(h >> 3) & 1 << (h & 7)))
  || g.words.length && g.words.every(w => may(set, w));
const possible = groups => {
  const able = data.shards.map((_, place) => !bits?.[place] || groups.every(g => may(bits[place], g)));
  return place => able[place];
};
const pending = groups => data.shards.map((_, place) => place).filter(possible(groups)).filter(place => !done.has(place));
// Reads the files that may have what is asked for; `some` is called after each, and says when it has enough.
const ready = () => data.shards.length > 4 ? loading ||= load('words').then(all => { bits = all.map(atob) }, () => 0) : 0;
const texts = async (groups, some = () => 0) => {
  await ready();
  const left = pending(groups), before = done.size;
  let enough;
  await Promise.all(Array.from({ length: 3 }, async () => {
    while (!enough && left.length) await readText(left.shift()), enough ||= some();
  }));
  return done.size > before;
};

// A word that is nowhere is read as the nearest that is somewhere: one letter off, of eight and more two.
const distance = (a, b, most) => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before, row = [...b, ''].map((_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1]));
      if (a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length];
};
let vocabulary, known = -1;
const gather = async () => {
  if (known == done.size) return;
  known = done.size;
  vocabulary = new Map;
  const bulk = data.bytes < 4e6 ? notes.flatMap(n => (n.text || []).map(([, text]) => text)) : [];
  const every = [...data.terms.flatMap(([, names, others]) => [...names, ...others]), ...notes.map(n => n.title + '\n' + n.summary + '\n' + n.keys), ...bulk];
  for (const [i, s] of every.entries()) {
    if (i % 300 == 299) await new Promise(done => setTimeout(done));
    for (const [v] of s.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase().matchAll(/[a-z][a-z0-9]{2,}/g)) vocabulary.set(v, (vocabulary.get(v) || 0) + 1);
  }
};
const nearest = w => {
  const most = w.length < 4 ? 0 : w.length < 8 ? 1 : 2;
  let best, least = most + .9;
  for (const [v, count] of vocabulary) {
    const d = distance(w, v, most) + .5 / (1 + count);
    if (d < least) best = v, least = d;
  }
  return best;
};
// In Chinese, a name of the glossary with one other character.
const nearestName = run => {
  for (const [, names, others] of data.terms) for (const name of [...names, ...others].map(fold)) {
    if (name.length < 3 || !CJK.test(name)) continue;
    for (let i = 0; i + name.length <= run.length; i++)
      if ([...name].filter((c, k) => c != run[i + k]).length == 1) return run.slice(0, i) + name + run.slice(i + name.length);
  }
};
const isSomewhere = async w => {
  const groups = parse(w), inside = () => { const may = possible(groups); return notes.some(n => may(n.shard) && groups.every(g => weigh(n, g) || inText(n, g))) };
  if (notes.some(n => groups.every(g => weigh(n, g)))) return 1;
  await texts(groups, inside);
  return inside();
};
const corrected = async query => {
  const words = fold(query.slice(0, LONGEST)).split(/\s+/).filter(w => w), better = [];
  for (const w of words) {
    if (await isSomewhere(w)) { better.push(w); continue }
    await gather();
    better.push((CJK.test(w) ? nearestName(w) : /^[a-z]/.test(w) && nearest(w)) || w);
  }
  return better.join(' ') == words.join(' ') ? '' : better.join(' ');
};

const byId = new Map;
const notes = data.notes.map(([topic, number, kind, status, date, year, tags, langs, rating, marks, minutes, papers, keywords, shard, href, ...texts]) => {
  const titles = texts.splice(0, texts.length / 2), own = papers.map(p => data.papers[p]), id = href.replace('/notes/', '/').slice(0, -5);
  const n = { id, topic, number, kind, status, date, year, tags, langs, rating, marks, minutes, papers, keywords, shard, href, titles, abouts: texts,
    title: [...new Set([titles[lang()], ...titles])].join('\n'), summary: texts.join('\n'), published: own[0]?.[4] || '',
    keys: ['#' + number, ...keywords, ...tags.flatMap(t => data.tags[t]), year || '', ...own.flat()].join('\n') };
  byId.set(id, n);
  return n;
});
learn(data.variants, data.traditional);
for (const [, names, others] of data.terms) for (const name of [...names, ...others]) terms.set(key(name), [...terms.get(key(name)) || [], ...names, ...others]);
const large = data.bytes > LARGE || !!navigator.connection?.saveData;
setTimeout(() => { for (const g of parse('xyz 字 a-b')) for (const n of notes) weigh(n, g) }); // so that the first key is answered as quickly as the next
return { data, notes, byId, lang, word, tags, ALL, ownFirst, titled, regexp, fold, key, parse, rank, weigh, inText, marked, piece, texts, readText, ready, possible, pending, corrected, missing, large };
});
