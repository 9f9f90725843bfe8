// Shows only the memories that hold all words that are typed.
"use strict";

(() => {
  const box = document.getElementById("q");
  const shown = document.getElementById("shown");
  const memories = [...document.querySelectorAll(".memory")].map((node) => ({ node, text: node.textContent.toLowerCase() }));
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const { node, text } of memories) {
      node.hidden = !words.every((word) => text.includes(word));
      if (!node.hidden) n++;
    }
    shown.textContent = words.length ? `${n} of ${memories.length}` : "";
  };
  const open = () => {
    const node = document.getElementById(location.hash.slice(1));
    if (node instanceof HTMLDetailsElement) node.open = true;
  };
  box.addEventListener("input", filter);
  window.addEventListener("hashchange", open);
  open();
})();
