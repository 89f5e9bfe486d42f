// What was read along the paths of a topic, to another browser and back.
(() => {
if (!pn.reading) return; // a private window
const { one, make } = pn, { load, save, known, text, button, site } = pn.reading, FORM = 'paper-notes reading progress', MINUTE = 60000;
const said = make('span', { role: 'status' }), file = make('input', { type: 'file', accept: '.json,application/json', hidden: true });
const tell = (zh, en) => text(said, zh, en);
const write = () => {
  const read = load(), n = Object.keys(read).length, data = JSON.stringify({ form: FORM, site, read }, null, 2);
  const a = make('a', { href: URL.createObjectURL(new Blob([data], { type: 'application/json' })), download: 'reading-progress.json' });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), MINUTE);
  tell(`已导出 ${n} 篇`, `${n} exported`);
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
    tell(`新增 ${n} 篇`, `${n} added`);
  } catch { tell('这不是阅读进度的文件；什么都没有改动', 'This is no file of reading progress; nothing was changed') }
};
one('.paths').after(make('div', { className: 'progress' },
  button('导出进度', 'Export progress', write), button('导入进度', 'Import progress', () => file.click()), file, said));
})();
