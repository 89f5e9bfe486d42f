// In the card of a cell, the table as the paper prints it, scrolled to the cell; heads and labels stay where they are.
(() => {
const { one, box, make, target, source } = pn, root = document.documentElement;
pn.source = a => {
  const e = target(a.hash), img = e?.dataset.cell && e.closest('.sources>li').querySelector('.of-table'), kids = source(a);
  if (!img) return kids;
  const [w, h] = ['width', 'height'].map(side => +img.getAttribute(side)), beside = root.clientWidth - box(one('main')).right - 76;
  const room = innerWidth < 640 ? innerWidth - 34 : beside > 200 ? beside : 500, cell = e.dataset.cell.split(' ');
  const zoom = Math.max(9.5 / cell[3], Math.min(1, room / w)); // letters have 9 px at least
  const [x, y, wide, high, side, top] = cell.map(n => n * zoom);
  const part = (className, width, height, left, top) => {
    const p = make('i', { className });
    p.style.cssText = `width:${width}px;height:${height}px;left:${left}px;top:${top}px`;
    return p;
  };
  const kept = [w * zoom > room && side < room * .45 ? side : 0, top < 110 ? top : 0];
  const all = make('div', { className: 'of-cell', role: 'img', ariaLabel: e.textContent + ': ' + a.textContent, tabIndex: 0 },
    part('', w * zoom, h * zoom), part('here', wide + 8, high + 4, x - 4, y - 2), part('', w * zoom, kept[1], 0, 0), part('', kept[0], h * zoom, 0, 0), part('', ...kept, 0, 0));
  all.style.cssText = `--of:url(${img.src});--wide:${w * zoom}px`;
  requestAnimationFrame(() => all.scrollTo(x + wide / 2 - (kept[0] + all.clientWidth) / 2, y + high / 2 - (kept[1] + all.clientHeight) / 2));
  return [kids[0], all];
};
})();
