// Buttons that copy, and one that opens all answers of a recall block.
(() => {
const { all, make, label } = pn, d = document;
const button = (after, words, onclick) => {
  const b = make('button', { className: 'copy', type: 'button', ariaLive: 'polite', onclick });
  after.after(b);
  return label(b, ...words);
};
for (const pre of all('.code > pre,.bib > pre')) {
  const words = ['复制', 'Copy'], b = button(pre, words, async () => {
    try { await navigator.clipboard.writeText(pre.textContent) } catch { getSelection().selectAllChildren(pre); d.execCommand('copy') }
    label(b, '已复制', 'Copied');
    setTimeout(label, 1500, b, ...words);
  });
}
for (const e of all('.recall')) {
  const items = all('details', e);
  button(e.lastElementChild, ['全部展开／收起', 'Show / hide all'], () => { const open = items.some(i => !i.open); for (const i of items) i.open = open });
}
})();
