// The contents unfold where one reads.
(() => {
const { all, one } = pn, items = all('.toc li'), isSub = e => e.matches('.lv3');
new MutationObserver(() => {
  const at = items.findIndex(e => e.querySelector('[aria-current]')), top = items.findLastIndex((e, i) => i <= at && !isSub(e));
  let inside = false;
  items.forEach((e, i) => e.classList.toggle('unfolded', inside = i == top || inside && isSub(e)));
}).observe(one('.toc'), { subtree: true, attributeFilter: ['aria-current'] });
})();
