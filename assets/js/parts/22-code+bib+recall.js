// Buttons that copy, and one that opens all answers of a recall block.
(() => {
const { all, make, label } = pn, d = document;
const button = (after, texts, onclick) => {
  const b = make('button', { className: 'copy', type: 'button', ariaLive: 'polite', onclick });
  after.after(b);
  return label(b, ...texts);
};
for (const pre of all('.code > pre,.bib > pre')) {
  const texts = [words('ui.script.copy')], b = button(pre, texts, async () => {
    try { await navigator.clipboard.writeText(pre.textContent) } catch { getSelection().selectAllChildren(pre); d.execCommand('copy') }
    label(b, words('ui.script.copied'));
    setTimeout(label, 1500, b, ...texts);
  });
}
for (const e of all('.recall')) {
  const items = all('details', e);
  button(e.lastElementChild, [words('ui.script.answers')], () => { const open = items.some(i => !i.open); for (const i of items) i.open = open });
}
})();
