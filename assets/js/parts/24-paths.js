// What was read along the paths of a topic, to another browser and back.
(() => {
if (!pn.reading) return; // a private window
const { one, make } = pn, { load, save, known, text, button, site } = pn.reading, FORM = 'paper-notes reading progress', MINUTE = 60000;
const said = make('span', { role: 'status' }), file = make('input', { type: 'file', accept: '.json,application/json', hidden: true });
const tell = (...texts) => text(said, ...texts);
const write = () => {
  const read = load(), n = Object.keys(read).length, data = JSON.stringify({ form: FORM, site, read }, null, 2);
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
    save({ ...add, ...read });
    tell(words('ui.reading.added'));
  } catch { tell(words('ui.reading.wrong-file')) }
};
one('.paths+.progress').append(button([words('ui.reading.export')], write), button([words('ui.reading.import')], () => file.click()), file, said);
})();
