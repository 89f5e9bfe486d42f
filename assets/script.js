(() => {
const d = document, root = d.documentElement, all = (s, e = d) => [...e.querySelectorAll(s)];
const get = k => { try { return localStorage.getItem(k) } catch { return null } };
const put = (k, v) => { try { localStorage.setItem(k, v) } catch { } };
const shown = e => e && e.getClientRects().length > 0;
const views = all('input[name=view]'), view = () => views.find(i => i.checked);
const tag = l => l == 'en' ? 'en' : 'zh-CN';

const setLang = () => { const v = view(); if (v) root.lang = tag(v.value == 'both' ? root.dataset.first : v.value) };
for (const want of [new URLSearchParams(location.search).get('lang'), get('pn-view')]) {
  const v = views.find(i => i.value == want);
  if (v) { v.checked = true; break }
}
setLang();

const theme = d.getElementById('theme'), modes = ['auto', 'light', 'dark'], names = { auto: ['自动', 'automatic'], light: ['浅色', 'light'], dark: ['深色', 'dark'] };
const setTheme = m => {
  if (m == 'auto') delete root.dataset.theme; else root.dataset.theme = m;
  const out = theme.querySelector('.vh > span:last-child');
  out.textContent = theme.title = names[m][root.lang == 'en' ? 1 : 0];
};
let mode = modes.includes(get('pn-theme')) ? get('pn-theme') : 'auto';
setTheme(mode);
theme.hidden = false;
theme.onclick = () => { put('pn-theme', mode = modes[(modes.indexOf(mode) + 1) % 3]); setTheme(mode) };

let rows = [], links = {}, place = null, current;
const halves = row => all(':scope > .body', row).filter(shown);
const look = () => {
  const line = 90;
  const row = rows.findLast(r => r.getBoundingClientRect().top <= line);
  const id = row && row.id;
  if (id != current) {
    links[current]?.removeAttribute('aria-current');
    const a = links[current = id];
    if (a) {
      a.setAttribute('aria-current', 'true');
      const toc = a.closest('.toc'), t = a.getBoundingClientRect(), b = toc.getBoundingClientRect();
      if (t.top < b.top + 60 || t.bottom > b.bottom - 60) toc.scrollTop += t.top - b.top - b.height / 2;
    }
  }
  place = null;
  if (!row || scrollY < 100) return;
  const kids = halves(row)[0]?.children || [];
  const n = [...kids].findIndex(e => e.getBoundingClientRect().bottom > line);
  const at = n < 0 ? row : kids[n], box = at.getBoundingClientRect();
  place = { row, n, count: kids.length, top: box.top, part: (line - box.top) / box.height };
};
const fit = () => { for (const e of innerWidth < 800 ? all('.body math, .body dt') : []) if (e.scrollWidth > e.clientWidth + 1) e.setAttribute('tabindex', 0) };
const restore = () => {
  if (!place) return;
  const { row, n, count, top, part } = place, kids = halves(row)[0]?.children || [];
  const at = n >= 0 && kids.length == count ? kids[n] : row, box = at.getBoundingClientRect();
  const want = part > 0 ? 90 - part * box.height : at == row && n >= 0 ? 90 : top;
  scrollBy({ top: box.top - want, behavior: 'instant' });
};
for (const i of views) i.onchange = () => { put('pn-view', i.value); setLang(); setTheme(mode); restore(); look(); fit() };

const reach = () => {
  const e = location.hash.length > 1 && d.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (e && !shown(e)) e.closest('.row')?.scrollIntoView();
};
addEventListener('keydown', e => {
  if (e.key != 'l' || e.ctrlKey || e.metaKey || e.altKey || e.target.matches('input:not([type=radio]),textarea,select') || !views.length) return;
  const next = views[(views.indexOf(view()) + 1) % views.length];
  next.checked = true;
  next.onchange();
});
addEventListener('DOMContentLoaded', () => {
  rows = all('.row');
  for (const row of rows) {
    const [a, b] = all(':scope > .body', row).map(e => [...e.children].map(k => k.tagName).join());
    if (a && a == b) row.classList.add('al'), row.style.setProperty('--n', a.split(',').length);
  }
  for (const a of all('.toc a')) links[a.hash.slice(1)] = a;
  d.getElementById('toc')?.addEventListener('click', e => { if (e.target.closest('a') && e.currentTarget.matches(':popover-open')) e.currentTarget.hidePopover() });
  for (const pre of all('.code > pre, .bib > pre')) {
    const b = d.createElement('button'), say = (zh, en) => b.textContent = (b.closest('[lang]') || root).lang == 'en' ? en : zh;
    b.className = 'copy';
    b.type = 'button';
    pre.after(b);
    say('复制', 'Copy');
    b.onclick = () => navigator.clipboard.writeText(pre.textContent).then(() => { say('已复制', 'Copied'); setTimeout(say, 1500, '复制', 'Copy') });
  }
  let due = 0;
  const later = () => due ||= requestAnimationFrame(() => { due = 0; look() });
  addEventListener('scroll', later, { passive: true });
  addEventListener('resize', later);
  addEventListener('hashchange', reach);
  let opened = [];
  addEventListener('beforeprint', () => { opened = all('details:not([open]):not(.bib)'); for (const e of opened) e.open = true });
  addEventListener('afterprint', () => { for (const e of opened) e.open = false });
  reach();
  look();
  fit();
});
})();
