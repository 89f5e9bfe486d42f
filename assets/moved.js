/* The page at a former address of a note: leads to the note, with what followed the address. */
location.replace(document.querySelector("a").href + location.search + location.hash);
