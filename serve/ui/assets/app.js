// Keys and small comforts. Every page works without this file.
"use strict";

(() => {
  const rows = () => [...document.querySelectorAll(".row")];
  let at = -1;

  // go marks the row at a number and brings it into view.
  const go = (to) => {
    const all = rows();
    if (!all.length) return;
    at = Math.max(0, Math.min(to, all.length - 1));
    all.forEach((row, i) => row.classList.toggle("at", i === at));
    const row = all[at];
    row.scrollIntoView({ block: "nearest" });
    const link = row.querySelector("a[href]");
    if (link) link.focus({ preventScroll: true });
  };

  const press = (key) => {
    const target = rows()[at]?.querySelector(`[data-key="${key}"]`);
    if (target) target.click();
    return Boolean(target);
  };

  const keys = {
    j: () => go(at + 1),
    k: () => go(at - 1),
    Enter: () => { const row = rows()[at]; if (row?.dataset.open) location.href = row.dataset.open; },
    a: () => press("a"),
    r: () => press("r"),
    e: () => press("e"),
    x: () => rows()[at]?.querySelector('input[name="item"]')?.click(),
    u: () => document.querySelector("#undo button")?.click(),
    "/": () => document.querySelector('input[name="q"]')?.focus(),
    "?": () => document.getElementById("help")?.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const into = event.target.closest?.("input, textarea, select, dialog");
    if (into && !(into.type === "checkbox")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "Enter" && event.target.closest?.("a, button, summary")) return;
    const does = keys[event.key];
    if (does) {
      event.preventDefault();
      does();
    }
  });

  document.getElementById("all")?.addEventListener("change", (event) => {
    document.querySelectorAll('input[name="item"][type="checkbox"]').forEach((box) => { box.checked = event.target.checked; });
  });

  document.addEventListener("submit", (event) => {
    const ask = event.target.dataset.confirm;
    if (ask && !window.confirm(ask)) event.preventDefault();
  });
})();
