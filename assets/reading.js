// What has been read: marked at the end of each note, ticked and counted where a reading path is shown.
// A note counts as read when the reader says so, or has come to its end after a minute on the page.
(() => {
const { one, all, make, label, texts, load, save, idOf, id: own, day } = pn, d = document, on = addEventListener;
const lines = all('.progress'), end = one('.after .progress');
if (!pn.stores) { for (const line of lines) line.remove(); return } // a private window
const known = () => Object.fromEntries(Object.entries(load('read')).filter(([, v]) => /^\d{4}-\d\d-\d\d$/.test(v)));
const mark = yes => {
  save('read', { ...load('read'), [own]: (yes ? '' : '-') + day() }); // another tab may have written since
  draw();
};
const tick = (a, yes) => {
  const old = a.querySelector('.tick');
  a.closest('li')?.classList.toggle('done', yes);
  if (yes && !old) (a.querySelector('b,.t') || a).append(make('span', { className: 'tick' }, ' ✓', label(make('span', { className: 'vh' }), words('ui.reading.read'))));
  if (!yes) old?.remove();
};
const toggle = end?.appendChild(make('button', { type: 'button', onclick: () => mark(!known()[own]) }));
const boxes = all('.path').map(path => {
  const links = all('.track a', path), count = make('span'), next = make('a'), title = '\0', total = links.length;
  path.querySelector('.progress').append(count, next);
  return read => {
    const left = links.filter(a => !(idOf(a.href) in read)), done = total - left.length, [first] = left;
    label(count, words('ui.reading.progress'));
    next.hidden = !done || !first;
    if (!first) return;
    const no = first.querySelector('.no').textContent, t = first.querySelector('.t'), names = texts(t, t.firstChild);
    next.href = first.getAttribute('href');
    label(next, ...[words('ui.reading.continue')].map((text, k) => text.replace(title, `${no} ${names[k]}`)));
  };
});
const draw = () => {
  const read = known();
  for (const a of all('.track a,.after a')) tick(a, idOf(a.href) in read);
  for (const box of boxes) box(read);
  if (!toggle) return;
  toggle.ariaPressed = String(own in read);
  if (own in read) label(toggle, words('ui.reading.is-read')); else label(toggle, words('ui.reading.mark'));
};
draw();
on('storage', draw);
on('pageshow', e => { if (e.persisted) draw() });

if (end) { // the end of a note
  let seen = 0, since = performance.now(), hand = own in known();
  toggle.addEventListener('click', () => hand = true);
  on('visibilitychange', () => { if (d.hidden) seen += performance.now() - since; else since = performance.now() });
  new IntersectionObserver(([{ isIntersecting }]) => {
    if (isIntersecting && seen + performance.now() - since >= 6e4 && !hand) hand = true, mark(true);
  }, { threshold: 1 }).observe(end);
}
})();
