// The palette, an overlay over the page that one reads: terms, sections, notes, papers, people and commands by any of
// their names. `pn.open` shows it. After the pattern of a combobox with a listbox: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/.
(() => {
const { one, all, make, base, keys, langs, target, views, view } = pn, d = document, root = d.documentElement;
const lang = () => Math.max(langs.indexOf(root.lang), 0), word = (...texts) => texts[lang()];
const FEW = { terms: 3, sections: 5, notes: 8, papers: 4, people: 4, commands: 6 }, TEXTS = 24;
let S, groups = [], every, turn = 0, current, rows = [], y, better;

const close = make('button', { type: 'button', className: 'esc', onclick: () => dialog.close() });
const input = make('input', { type: 'search', id: 'pn-ask', role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: false, enterKeyHint: 'go', maxLength: 400, ariaAutoComplete: 'list', ariaExpanded: 'true' });
const list = make('div', { id: 'pn-list', role: 'listbox' }), note = make('p'), body = make('div', { className: 'all' }, note, list), said = make('span', { role: 'status' }), hint = make('span', { ariaHidden: 'true' });
input.setAttribute('aria-controls', 'pn-list');
const dialog = make('dialog', { id: 'pn-palette' }, make('div', { className: 'asked' }, input, close), body, make('footer', {}, said, hint));

const marked = (e, text) => every && S ? S.marked(e, text, every) : (e.append(text), e);
const fits = text => groups.every(g => g.any.test(text) || g.words.length && g.words.every(w => w.any.test(text)));
const rank = text => groups[0] ? S.rank(text, groups[0].own) || 90 : 130; // of the first of the words
const best = (items, most) => items.sort((a, b) => b.score - a.score).slice(0, most);
const page = name => one(`.foot nav a[href$="${name}.html"]`) && `${base}${name}.html`;
const in_ = (e, name = 'span', more) => { const [title, text, of] = e; return marked(make(name, { ...more, ...of && { lang: of } }), text ?? title) };

// What there is, each as a list of rows: { score, title, about, href or run, no }; texts may be [text, language].
const terms = () => {
  const own = S.key(input.value.trim());
  return best(S.data.terms.flatMap(([id, names, others, meaning]) => {
    const all = [...names, ...others], exact = all.some(n => S.key(n) == own), inside = groups.some(g => g.names.includes(S.fold(names[0])));
    const text = all.join('\n'), score = exact ? 300 : fits(text) ? rank(text) : inside ? 120 : 0;
    const k = lang(), titles = [...new Set([names[k], ...names])];
    return score ? [{ score, card: exact || inside, title: titles.join('\u00a0·\u00a0'), about: meaning[k], href: page('glossary') && `${page('glossary')}#${id}`, more: others.join(' · ') }] : [];
  }), FEW.terms).map((row, i) => ({ ...row, card: row.card && !i }));
};
const outline = () => all('.toc a').map(a => ({ a, id: a.hash.slice(1), no: a.querySelector('.sn')?.textContent || '', texts: langs.map(l => (a.querySelector(`[lang="${l}"]`) || a).textContent.replace(a.querySelector('.sn')?.textContent || '', '').trim()) }));
const sections = () => {
  const own = S?.byId.get(pn.id), contents = outline();
  if (!groups[0]) return contents.filter(s => !s.no.includes('.')).map(s => ({ score: 1, no: s.no, title: s.texts[lang()], href: '#' + s.id, jump: 1 })).slice(0, 12);
  const hits = new Map;
  for (const s of contents) if (fits(s.texts.join('\n'))) hits.set(s.id, { score: rank(s.texts.join('\n')), no: s.no, title: s.texts[lang()], href: '#' + s.id, jump: 1 });
  for (const k of S.ownFirst()) {
    const [ids, text] = own?.text?.[k] || [[], ''];
    text.split('\n').forEach((line, i) => {
      const id = ids[i]?.split(' ').pop(), s = contents.find(s => s.id == id);
      if (!s || hits.has(id) || !fits(line)) return;
      const [, about, of] = S.piece({ ...own, langs: 1 << k, text: own.text.map((t, j) => j == k ? [[ids[i]], line] : [[], '']), lines: null }, groups) || [];
      hits.set(id, { score: groups.every(g => g.own.test(line)) ? 55 : 50, no: s.no, title: s.texts[lang()], about: [about, of], href: '#' + id, jump: 1 });
    });
  }
  return best([...hits.values()], FEW.sections);
};
const why = n => { // the words that are not in its title
  const [k] = S.ownFirst(), title = n.titles[k], about = n.abouts[k];
  const left = groups.filter(g => g.number != n.number && !g.any.test(title));
  if (!left.length) return [about];
  const tagged = n.tags.map(t => S.data.tags[t][k + 1] || S.data.tags[t][0]).join(' · ');
  const papers = n.papers.map(p => S.data.papers[p].slice(1, 6).filter(s => s).join(' · '));
  const all = [[about], ...n.titles.map((t, i) => [t, langs[i]]), ...n.abouts.map((t, i) => [t, langs[i]]), [tagged], [n.keywords.join(' · ')], ...papers.map(p => [p, 'en'])];
  return all.find(([t]) => left.every(g => g.any.test(t))) || all.find(([t]) => t && left.some(g => g.any.test(t))) || [about];
};
const named = () => { // notes that need not be looked into
  const hits = [];
  for (const n of S.notes) {
    let score = 0, part = 0;
    for (const g of groups) if (part = S.weigh(n, g)) score += part; else break;
    if (part && n.id != pn.id) hits.push({ n, score: score - (n.marks & 8) });
  }
  return hits;
};
const inTexts = hits => {
  const may = S.possible(groups), other = new Set(hits.map(({ n }) => n)), text = [];
  for (const n of S.notes) if (text.length < TEXTS && n.text && may(n.shard) && n.id != pn.id && !other.has(n) && groups.every(g => S.weigh(n, g) || S.inText(n, g))) text.push(n);
  return text;
};
const notes = () => {
  const hits = named(), text = hits.length < FEW.notes ? inTexts(hits) : [];
  const rows = best(hits, FEW.notes).map(({ n, score }) => ({ n, score, about: why(n) }));
  for (const n of text) {
    const [link, excerpt, of, heading, headLang] = S.piece(n, groups) || [];
    if (link != null) rows.push({ n, score: heading && fits(heading) ? 9 : 5, link, about: [(heading ? heading + ' — ' : '') + excerpt, of] });
  }
  const shown = best(rows, FEW.notes).map(r => ({ ...r, no: '#' + r.n.number, of: S.data.topics[r.n.topic][lang() + 2] ?? S.data.topics[r.n.topic][2], title: S.titled(r.n), href: base + r.n.href + (r.link || '') }));
  const home = one('.crumbs a').href.split(/[?#]/)[0];
  return hits.length + text.length > shown.length ? [...shown, { quiet: 1, title: word(words('ui.palette.all')), href: `${home}?q=${encodeURIComponent(better || input.value.trim())}` }] : shown;
};
let everyone; // by the key of each name: the name, and the papers
const authors = () => {
  if (everyone) return everyone;
  everyone = new Map;
  for (const p of S.data.papers) for (const name of p[2].split(', ')) if (name) {
    const key = S.key(name), known = everyone.get(key);
    if (known) known[1].push(p); else everyone.set(key, [name, [p]]);
  }
  return everyone;
};
const paperAt = p => `${S.data.years ? `${base}papers-${p[4].slice(0, 4) || 'undated'}.html` : page('papers')}#paper-${encodeURIComponent(p[0])}`;
const papers = () => page('papers') ? best(S.data.papers.flatMap(p => fits(p.join('\n')) ? [{ score: fits(p[1]) ? rank(p[1]) : 40, title: p[1], about: [[p[2].split(', ').slice(0, 3).join(', '), p[3], p[4]].filter(s => s).join(' · '), 'en'], href: paperAt(p) }] : []), authors().has(S.key(input.value.trim())) ? TEXTS : FEW.papers) : [];
// A person of several papers asks for their name, which lists all of them.
const people = () => page('papers') ? best([...authors()].flatMap(([key, [name, own]]) => fits(name) && (!own[1] || key != S.key(input.value.trim())) ? [{ score: rank(name) + own.length / 99, title: name, about: [own.map(p => p[1].split(/\s*[:：·]/)[0]).join(' · '), 'en'], ...own[1] ? { run: () => pn.open(name) } : { href: paperAt(own[0]) } }] : []), FEW.people) : [];
const texts = e => langs.map(l => (e.querySelector(`[lang="${l}"]`) || e).textContent.trim());
const pair = (title, value) => title + (title > '\u2e80' ? '：' : ': ') + value;
const commands = () => {
  const out = [], add = (names, run, rest = 0, href) => out.push({ names, run, rest, href });
  for (const v of views) if (!v.checked) add([words('ui.base.languages')].map((t, i) => pair(t, texts(v.closest('label'))[i])), () => v.click());
  for (const name in pn.looks) {
    const [title, ...options] = pn.looks[name], now = root.dataset[name] || 'auto';
    if (name != 'width' || one('.row')) for (const [value, ...labels] of options) if (value != now) add(title.map((t, i) => pair(t, labels[i])), () => pn.choose(name, value), name != 'theme');
  }
  add([words('ui.palette.print')], () => setTimeout(print, 50));
  for (const key of ['[', ']', '?']) { const found = keys[key][0](); if (found) add(called[key], () => found.click(), key == '?') }
  for (const a of all('.foot nav a')) if (!a.ariaCurrent) add(texts(a), 0, 0, a.href);
  return out.filter(c => groups[0] ? fits(c.names.join('\n')) : !c.rest).map(c => ({ ...c, title: c.names[lang()] ?? c.names[0] })).slice(0, groups[0] ? FEW.commands : 99);
};

// The keys of this page. Other scripts bring the names of theirs.
const called = { l: [words('ui.keys.languages')], t: [words('ui.keys.colours')], '[': [words('ui.keys.previous')], ']': [words('ui.keys.next')], h: [words('ui.keys.home')], '/': [words('ui.keys.search')], '?': [words('ui.keys.this-help')], Esc: [words('ui.keys.close')] };
const nameOf = key => word(...keys[key].length > 1 ? keys[key].slice(1) : called[key]);
const help = make('dialog');
help.onclick = e => { if (e.target == help || e.target.type) help.close() };
help.onkeydown = e => { if (e.key == '?') help.close() };
pn.help = () => {
  help.replaceChildren(
    make('h2', { textContent: help.ariaLabel = word(words('ui.keys.title')) }),
    make('dl', {}, ...Object.entries(keys).filter(([, [found]]) => found()).map(([k]) => make('div', {}, make('dt', {}, make('kbd', { textContent: k })), make('dd', { textContent: nameOf(k) })))),
    make('button', { type: 'button', textContent: word(words('ui.keys.close')) }));
  one('main').append(help);
  help.showModal();
};

// Rows on the screen.
const option = (row, i) => {
  const e = make(row.href ? 'a' : 'div', { role: 'option', id: 'pn-o' + i, tabIndex: -1, className: row.card ? 'card-row' : row.quiet ? 'quiet' : '' });
  if (row.href) e.href = row.href;
  const about = row.about && [].concat(row.about);
  e.append(...row.no != null ? [make('span', { className: 'no' }, row.no)] : [], make('span', { className: 'what' },
    marked(make('b'), row.title), ...row.of ? [make('i', {}, row.of)] : [], ...row.card && row.more ? [make('i', {}, row.more)] : [],
    ...about?.[0] ? [marked(make('span', about[1] ? { lang: about[1] } : {}), about[0])] : []));
  e.onclick = ev => {
    if (ev.ctrlKey || ev.metaKey || ev.shiftKey) return;
    const jump = row.jump && groups[0] && row.about;
    dialog.onclose = null;
    dialog.close();
    row.run?.();
    if (jump) setTimeout(show, 0, row);
  };
  e.onpointermove = () => choose(i, 1);
  return e;
};
// The words that were found, where they stand in this page.
const show = row => {
  const e = target(row.href), half = e && ([...e.querySelectorAll(':scope > .body')].find(h => h.getClientRects().length) || e);
  if (!half) return;
  const walk = d.createTreeWalker(half, NodeFilter.SHOW_TEXT), source = new RegExp(groups[0].source, 'i');
  for (let n; n = walk.nextNode();) {
    const m = source.exec(n.data), p = n.parentElement;
    if (!m || !m[0] || p.closest('svg,math,script')) continue;
    for (let fold = p; fold = fold.closest('details:not([open])');) fold.open = true;
    if (!p.getClientRects().length) continue;
    const range = new Range;
    range.setStart(n, m.index);
    range.setEnd(n, m.index + m[0].length);
    p.scrollIntoView({ block: 'center' });
    if (window.Highlight) CSS.highlights.set('pn-found', new Highlight(range));
    return;
  }
};
const choose = (i, still) => {
  const options = all('[role=option]', list);
  if (!options.length) { current = -1; input.removeAttribute('aria-activedescendant'); return }
  current = Math.max(0, Math.min(i, options.length - 1));
  options.forEach((e, k) => e.setAttribute('aria-selected', k == current));
  input.setAttribute('aria-activedescendant', options[current].id);
  if (!still) current ? options[current].scrollIntoView({ block: 'nearest' }) : body.scrollTop = 0;
};
const names = { terms: [words('ui.palette.terms')], sections: [words('ui.palette.sections')], notes: [words('ui.palette.notes')], papers: [words('ui.palette.papers')], people: [words('ui.palette.people')], commands: [words('ui.palette.commands')] };
const draw = state => {
  const finders = S && groups[0] ? { terms, sections, notes, papers, people, commands } : { sections, commands };
  const kept = current > 0 && rows[current]?.title;
  rows = [];
  const groupsOf = Object.entries(finders).map(([name, find]) => [name, S || !groups[0] || name == 'commands' ? find() : []]).filter(([, own]) => own.length);
  const query = input.value.trim(), asked = query.toLowerCase();
  // A command that is called by its name comes first.
  if (groupsOf.at(-1)?.[0] == 'commands' && groupsOf.at(-1)[1].some(c => c.names.some(name => [name, name.split(/: |：/)[1]].some(t => t?.toLowerCase() == asked)))) groupsOf.unshift(groupsOf.pop());
  const n = groupsOf.reduce((sum, [, own]) => sum + own.filter(r => !r.quiet).length, 0);
  list.replaceChildren(...groupsOf.map(([name, own]) => {
    const head = make('div', { id: 'pn-g-' + name, role: 'presentation', className: 'head' }, word(...names[name]));
    const group = make('div', { role: 'group' }, head, ...own.map(row => option(row, rows.push(row) - 1)));
    group.setAttribute('aria-labelledby', head.id);
    return group;
  }));
  list.hidden = !rows.length;
  input.ariaExpanded = String(!list.hidden);
  note.textContent = rows.length ? better && word(words('ui.palette.instead')) : state ? '' : word(words('ui.search.nothing-for'));
  said.textContent = state ? word(words('ui.palette.reading')) : query ? word(words('ui.palette.results')) : '';
  choose(Math.max(0, kept ? rows.findIndex(r => r.title == kept) : 0), !!kept);
  return n;
};
const parse = text => {
  groups = S && text ? S.parse(text) : [];
  every = groups.length ? S.regexp(groups.map(g => g.source).join('|'), 'gi') : null;
};
const search = async () => {
  const mine = ++turn, query = input.value.trim(), own = S?.byId.get(pn.id);
  better = '';
  parse(query);
  if (!query || !S) return draw(query && !S ? 'reading' : '');
  const all = named().length < FEW.notes; // else only the texts of this note
  if (all && S.pending(groups).length || own && !own.text) {
    draw('reading');
    if (own) await S.readText(own.shard);
    if (all) await S.texts(groups, () => mine != turn || inTexts([]).length >= FEW.notes);
    if (mine != turn) return;
    parse(query); // with the characters of the texts
  }
  const n = draw();
  performance.mark('pn-found');
  if (n) return;
  await new Promise(done => setTimeout(done, 150)); // a pause of who types
  const near = mine == turn && await S.corrected(query);
  if (!near || mine != turn) return;
  parse(better = near);
  await S.texts(groups, () => mine != turn || inTexts([]).length >= FEW.notes);
  if (mine != turn) return;
  if (!draw()) better = '', parse(query), draw();
  performance.mark('pn-corrected');
};

input.oninput = e => { if (!e.isComposing) current = 0, search() };
input.addEventListener('compositionend', () => { current = 0; search() });
dialog.onkeydown = e => {
  if (e.isComposing || e.keyCode == 229) return;
  const { key } = e, options = all('[role=option]', list), size = options.length;
  const to = { ArrowDown: (current + 1) % size, ArrowUp: (current + size - 1) % size, PageDown: current + 6, PageUp: current - 6, Home: e.ctrlKey || !input.value ? 0 : NaN, End: e.ctrlKey || !input.value ? size - 1 : NaN }[key];
  if (size && to >= 0 | to < 0) e.preventDefault(), choose(to);
  else if (key == 'Enter' && e.target == input) e.preventDefault(), options[current]?.click();
  else if (key == 'Escape' || key == 'k' && (e.ctrlKey || e.metaKey)) e.preventDefault(), dialog.close();
  else return;
  e.stopPropagation();
};
dialog.onpointerdown = e => { if (e.target == dialog) dialog.close() };
// On a phone it fills what the keyboard of the screen leaves.
const seen = window.visualViewport;
const fit = () => { dialog.style.setProperty('--high', seen.height + 'px'); dialog.style.setProperty('--top', seen.offsetTop + 'px') };
seen?.addEventListener('resize', fit);
seen?.addEventListener('scroll', fit);

pn.open = typed => {
  if (dialog.open) return;
  CSS.highlights?.delete('pn-found');
  y = scrollY;
  dialog.onclose = () => { if (scrollY != y) scrollTo({ top: y, behavior: 'instant' }) };
  dialog.lang = root.lang;
  dialog.ariaLabel = input.ariaLabel = list.ariaLabel = word(words('ui.palette.open'));
  input.placeholder = word(words('ui.palette.ask'));
  close.replaceChildren(make('kbd', { ariaHidden: 'true' }, 'Esc'), make('span', { className: 'vh' }, word(words('ui.keys.close'))));
  hint.replaceChildren(...[['↑↓', words('ui.palette.choose')], ['↵', words('ui.palette.enter')], ['Esc', words('ui.palette.back')]].flatMap(([k, ...t]) => [make('kbd', {}, k), word(...t) + ' ']));
  if (seen) fit();
  d.body.append(dialog);
  current = 0;
  if (typed) input.value = typed; else input.select();
  dialog.showModal();
  input.focus();
  search();
  pn.search.then(engine => { if (!S) S = engine, everyone = null, search(), S.ready(), setTimeout(authors), S.data.bytes < 4e6 && S.texts([]).then(() => { if (dialog.open && input.value) search() }) }, () => { said.textContent = word(words('ui.palette.alone')) });
};
})();
