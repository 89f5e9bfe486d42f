// Notes are found on the map and in its list, in both languages at once: all others fade, or leave the list.
{
  const { one, all } = pn, box = one('.map-find input'), notes = all('.node,#list .entries>li');
  box.oninput = () => {
    const asked = box.value.trim().toLowerCase();
    for (const e of notes) e.classList.toggle('miss', !e.textContent.toLowerCase().includes(asked));
    one('.map-find output').value = asked && all('#list .entries>li:not(.miss)').length;
  };
}
