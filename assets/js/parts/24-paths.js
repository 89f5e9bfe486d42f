// What was read along the paths of a topic, to another browser and back.
(() => {
if (!pn.reading) return; // a private window
const { one, all, make, decode, label } = pn, { load, save, known, text, button, site } = pn.reading, FORM = 'paper-notes reading progress', MINUTE = 60000;
// The self-tests' own record, which goes along: a question that both know keeps the later day.
const TESTS = 'pn-recall ' + site, plain = o => o && typeof o == 'object' && !Array.isArray(o) ? o : {};
const tests = () => { try { return plain(JSON.parse(localStorage.getItem(TESTS))) } catch { return {} } };
const merged = (a, b) => {
  for (const [note, own] of Object.entries(plain(b))) for (const [key, s] of Object.entries(plain(own)))
    if (s?.length == 2 && s[0] >= 0 && s[0] < 9 && /^\d{4}-\d\d-\d\d$/.test(s[1]) && !(a[note]?.[key]?.[1] >= s[1])) (a[note] = plain(a[note]))[key] = s;
  return a;
};
const said = make('span', { role: 'status' }), file = make('input', { type: 'file', accept: '.json,application/json', hidden: true });
const tell = (...texts) => text(said, ...texts);
const write = () => {
  const read = load(), n = Object.keys(read).length, data = JSON.stringify({ form: FORM, site, read, recall: tests() }, null, 2);
  const a = make('a', { href: URL.createObjectURL(new Blob([data], { type: 'application/json' })), download: 'reading-progress.json' });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), MINUTE);
  tell(words('ui.reading.exported'));
};
file.onchange = async () => {
  const [given] = file.files;
  file.value = '';
  if (!given) return;
  try {
    if (given.size > 4e6) throw 0;
    const data = JSON.parse(await given.text());
    if (data.form != FORM || !data.read || typeof data.read != 'object' || Array.isArray(data.read)) throw 0;
    const read = load(), add = known(data.read), n = Object.keys(add).filter(i => !(i in read)).length;
    localStorage.setItem(TESTS, JSON.stringify(merged(tests(), data.recall)));
    save({ ...add, ...read });
    due();
    tell(words('ui.reading.added'));
  } catch { tell(words('ui.reading.wrong-file')) }
};
const due = () => {
  const known = tests(), now = new Date(Date.now() - new Date().getTimezoneOffset() * MINUTE).toISOString().slice(0, 10);
  for (const a of all('.rows h3 a')) {
    const [, topic, name] = a.href.match(/([^/]+)\/notes\/([^/?#]+)\.html/) || [];
    const count = Object.values(plain(known[decode(topic + '/' + name)])).filter(s => s?.[1] <= now).length;
    a.parentElement.querySelector('.due')?.remove();
    if (count) a.after(label(make('small', { className: 'due' }), words('ui.recall.due')));
  }
};
due();
addEventListener('storage', due);
one('.paths+.progress').append(button([words('ui.reading.export')], write), button([words('ui.reading.import')], () => file.click()), file, said);
})();
