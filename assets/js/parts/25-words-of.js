// Keywords of a list of papers: papers that have none of the chosen ones are hidden.
(() => {
const { one, all } = pn, bar = one('.words-of'), buttons = [...all('button', bar)];
bar.hidden = false;
bar.addEventListener('click', ({ target }) => {
  const chosen = target.closest('button');
  if (!chosen) return;
  chosen.setAttribute('aria-pressed', chosen.getAttribute('aria-pressed') != 'true');
  const words = buttons.filter(b => b.getAttribute('aria-pressed') == 'true').map(b => b.firstChild.data.trim());
  for (const paper of all('.entry')) paper.hidden = words.length && !paper.dataset.words.split('|').some(w => words.includes(w));
});
})();
