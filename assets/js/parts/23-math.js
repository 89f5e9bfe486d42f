// On phones, formulas that are too wide shrink a little; what is wider still scrolls, by keyboard too.
(() => {
const { all } = pn;
const fit = () => {
  const phone = innerWidth < 800, wide = all('.math-block').filter(e => phone || e.style.fontSize);
  for (const e of wide) e.style.fontSize = '';
  const parts = wide.map(e => e.clientWidth / e.scrollWidth);
  wide.forEach((e, i) => { if (parts[i] < 1) e.style.fontSize = Math.max(.74, parts[i] * .98) + 'em' });
  for (const e of all(phone ? '.body dt,.body math' : '.body dt')) if (e.scrollWidth > e.clientWidth + 1) e.tabIndex = 0;
};
addEventListener('pn-moved', fit);
addEventListener('toggle', e => { if (e.target.open) fit() }, true);
addEventListener('DOMContentLoaded', fit);
fit();
})();
