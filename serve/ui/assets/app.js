// Keys, and what need not reload. Every page works without this file.
"use strict";

(() => {
  const $ = (what, within = document) => within.querySelector(what);
  const all = (what) => [...document.querySelectorAll(what)];
  const rows = () => all(".row:not(.done)");
  let at = -1;

  // go marks the row at a number and brings it into view.
  const go = (to, key) => {
    const open = rows();
    at = Math.max(0, Math.min(to, open.length - 1));
    all(".row").forEach((row) => row.classList.toggle("at", row === open[at]));
    const row = open[at];
    if (!row) return;
    const fold = row.closest("details");
    if (fold) fold.open = true;
    row.scrollIntoView({ block: "nearest" });
    ($(`[data-key="${key}"]`, row) || $("a[href]", row))?.focus({ preventScroll: true });
    look($("a[href]", row), "?glance");
  };

  const keys = {
    j: () => go(at + 1),
    k: () => go(at - 1),
    Enter: () => $("a[href]", rows()[at] || document.createElement("p"))?.click(),
    u: () => $("#undo button")?.click(),
    "/": () => $('input[name="q"]')?.focus(),
    "?": () => document.getElementById("help")?.showModal(),
    ":": () => { palette.showModal(); offer(); },
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      keys[":"]();
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "Enter" && event.target.closest?.("a, button, summary")) return;
    const button = rows()[at] && $(`[data-key="${CSS.escape(event.key)}"]`, rows()[at]);
    if (button) {
      event.preventDefault();
      button.click();
    } else if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  document.addEventListener("submit", (event) => {
    const ask = event.target.dataset.confirm;
    if (ask && !window.confirm(ask)) event.preventDefault();
  });

  // read returns a page of ours as a document.
  const read = async (address) => new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");

  // Where there is room, a memory is read beside the list or picture that it is chosen from. What keys pass is glanced at.
  const beside = document.getElementById("beside");
  let looking, wanted;
  const look = (link, glance = "") => {
    const to = link?.getAttribute("href") || "";
    if (!beside?.checkVisibility() || !to.includes("/memory/")) return false;
    wanted = to;
    clearTimeout(looking);
    looking = setTimeout(async () => {
      const article = (await read(to + glance)).querySelector("article");
      if (!article || to !== wanted) return;
      beside.replaceChildren(article);
      beside.scrollTo(0, 0);
    }, 100);
    return true;
  };
  look(all(".split .row a").find((link) => link.checkVisibility()), "?glance");
  document.addEventListener("click", (event) => {
    if (!event.detail || event.ctrlKey || event.metaKey || event.shiftKey) return; // a key opens it alone
    const link = event.target.closest?.(".split a");
    if (!look(link)) return;
    event.preventDefault();
    go(rows().indexOf(link.closest(".row")));
  });

  // The palette leads to a page, a type or a memory by a few letters.
  const palette = document.getElementById("palette");
  const sought = $("input", palette);
  const [places, hits] = all("#palette ul");
  const option = (link) => {
    const item = document.createElement("li");
    item.append(link);
    return item;
  };
  const offer = async () => {
    const words = sought.value.trim();
    for (const item of places.children) item.hidden = !item.textContent.toLowerCase().includes(words.toLowerCase());
    if (!words) return hits.replaceChildren();
    const search = document.createElement("a");
    search.href = `${palette.dataset.search}?q=${encodeURIComponent(words)}`;
    search.textContent = `Search for “${words}”`;
    hits.replaceChildren(option(search));
    const found = await read(search.href);
    if (words === sought.value.trim()) hits.append(...[...found.querySelectorAll("#found .row > a")].slice(0, 6).map(option));
  };
  all("header nav:last-of-type a").reverse().forEach((link) => places.prepend(option(link.cloneNode(true))));
  sought.addEventListener("input", offer);
  palette.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
    if (step === undefined || (step === 0 && event.target !== sought)) return;
    event.preventDefault();
    const open = [sought, ...all("#palette li:not([hidden]) a")];
    const to = open[open.indexOf(document.activeElement) + step] || sought;
    if (step) to.focus();
    else open[1]?.click();
  });
  document.getElementById("ask").addEventListener("click", keys[":"]);
  document.getElementById("ask").hidden = false;

  // What is found follows what is typed.
  const box = $("[data-live]");
  let typed;
  box?.addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(async () => {
      const asked = box.value;
      const address = `${box.form.action}?q=${encodeURIComponent(asked)}`;
      const found = (await read(address)).getElementById("found");
      if (asked !== box.value || !found) return;
      document.getElementById("found").replaceWith(found);
      history.replaceState(null, "", address);
      at = -1;
    }, 250);
  });

  // What happens while the page is open is told at once; the overview follows it.
  const waits = document.getElementById("waits");
  const live = document.body.dataset.events && new EventSource(document.body.dataset.events);
  live?.addEventListener("message", async (event) => {
    const now = JSON.parse(event.data);
    waits.textContent = now.waits;
    waits.hidden = !now.waits;
    waits.title = "memories wait for a decision";
    if (!now.what) return;
    document.getElementById("live").textContent = `${new Date().toLocaleTimeString()} ${now.what}`;
    const shown = document.getElementById("now");
    const fresh = shown && (await read(location.href)).getElementById("now");
    if (fresh) shown.replaceWith(fresh);
    news();
  });

  // The overview says what is new since it was last looked at in this browser.
  const since = document.getElementById("since");
  const place = `seen ${location.pathname}`;
  const before = since && localStorage.getItem(place);
  const news = () => {
    if (!before) return;
    const found = all("[data-at]").filter((row) => row.dataset.at > before);
    found.forEach((row) => row.classList.add("new"));
    since.hidden = !found.length;
    since.textContent = `${found.length} new since you last looked, ${before} UTC.`;
  };
  if (since) localStorage.setItem(place, new Date().toISOString().slice(0, 16).replace("T", " "));
  news();

  // A review shows one card at a time. The next one is there at once; decisions are sent behind it, in their order.
  const queue = document.getElementById("queue");
  if (!queue) return;
  const cards = document.getElementById("cards");
  const said = document.getElementById("said");
  const begun = Date.now();
  const made = []; // steps that undo takes back, the newest last
  let decided = 0;
  let sent = Promise.resolve();

  const entry = (card) => $(`#titles a[href="#${card.id}"]`).parentNode;
  const tick = (card) => $("input", entry(card));
  const ticked = () => rows().filter((card) => tick(card).checked);
  // about are the cards that a key decides about: the ticked ones that have it, without any the one that is shown.
  const about = (card, key) => ticked().length ? ticked().filter((one) => $(`[data-key="${key}"]`, one)) : [card];
  const count = () => {
    const n = ticked().length;
    document.getElementById("ticked").textContent = n ? `${n} chosen: keys and buttons are about ${n > 1 ? "all of them" : "it"}.` : "";
  };
  const show = (to, key) => {
    go(to, key);
    document.getElementById("back").hidden = !made.length;
    const open = rows();
    const worth = open.filter((row) => row.dataset.worth).length;
    const each = decided > 4 ? (Date.now() - begun) / decided / 60000 : 0.25;
    document.getElementById("left").textContent = open.length === 0 ? "That was everything." :
      `${worth} worth a look first, ${open.length - worth} more · about ${Math.ceil((worth || open.length) * each)} min`;
    count();
    all("#cards > .row").forEach((row) => {
      const line = entry(row);
      line.hidden = row.classList.contains("done");
      if (row === open[at]) $("a", line).setAttribute("aria-current", "true");
      else $("a", line).removeAttribute("aria-current");
    });
    if (open[at]) entry(open[at]).scrollIntoView({ block: "nearest" });
    scrollTo(0, 0);
  };

  const post = async (address, body) => {
    const answer = await fetch(`${address}?json`, { method: "POST", body });
    const json = await answer.json();
    if (!answer.ok) throw new Error([json.error, json.hint].filter(Boolean).join(": "));
    return json;
  };

  // send does a step behind the others; what fails is said, and undone on the page.
  const send = (step, failed) => {
    sent = sent.then(step).catch((err) => {
      said.textContent = err.message;
      failed();
    });
  };

  // renew shows a card as it is stored now.
  const renew = async (card) => {
    const now = (await read(location.href)).getElementById(card.id);
    if (now) card.replaceChildren(...now.childNodes);
    ready(card);
    show(rows().indexOf(card));
  };
  const ready = (card) => { $('[data-key="s"]', card).hidden = false; };

  // past shows the first card behind the shown one that is none of some.
  const past = (some, key) => {
    const next = rows().slice(at).find((card) => !some.includes(card));
    return () => show(next ? rows().indexOf(next) : Infinity, key);
  };

  cards.addEventListener("submit", (event) => {
    event.preventDefault();
    const card = event.target.closest(".row");
    const { key } = event.submitter.dataset;
    const chosen = key ? about(card, key) : [card];
    if (!chosen.length) return void (said.textContent = "That cannot be done with any of those chosen.");
    const step = { edits: !key };
    step.parts = chosen.map((one) => {
      const button = key ? $(`[data-key="${key}"]`, one) : event.submitter;
      const to = button.getAttribute("formaction") || button.form.action;
      return { card: one, to, body: new URLSearchParams(new FormData(button.form, button)) };
    });
    made.push(step);
    if (key) {
      const on = past(chosen, key);
      decided += chosen.length;
      chosen.forEach((one) => one.classList.add("done"));
      on();
    }
    step.parts.forEach((part, i) => send(async () => {
      const told = await post(part.to, part.body);
      part.n = told.undo;
      said.textContent = `${i ? `${i + 1} done, the last: ` : ""}${told.told} u takes ${i ? "all of it" : "it"} back.`;
      if (step.edits) await renew(card);
    }, () => {
      step.parts.splice(step.parts.indexOf(part), 1);
      if (!step.parts.length) made.splice(made.indexOf(step), 1);
      part.card.classList.remove("done");
      show(rows().indexOf(part.card));
    }));
  });

  cards.addEventListener("click", (event) => {
    const card = event.target.closest(".row");
    if (event.target.dataset.key === "e") setTimeout(() => $("textarea", card).focus());
    if (event.target.dataset.key !== "s") return;
    const chosen = about(card, "s");
    const on = past(chosen, "s");
    made.push({ parts: chosen.map((one) => {
      const before = one.nextElementSibling;
      cards.append(one);
      $("#titles").append(entry(one));
      return { card: one, before };
    }) });
    chosen.forEach((one) => { tick(one).checked = false; });
    said.textContent = `Later: ${chosen.length > 1 ? "they are" : "it is"} last now.`;
    on();
  });

  keys.u = () => {
    const step = made.pop();
    if (!step) return;
    const parts = [...step.parts].reverse();
    for (const part of parts) {
      const { card, before } = part;
      card.classList.remove("done");
      if (before !== undefined) {
        cards.insertBefore(card, before);
        $("#titles").insertBefore(entry(card), before && entry(before));
        continue;
      }
      send(async () => {
        if (!part.n) return; // it was not done
        const body = new URLSearchParams({ form: $('[name="form"]', card).value, decision: part.n });
        said.textContent = (await post(queue.dataset.undo, body)).told;
        if (step.edits) await renew(card);
      }, () => show(at));
    }
    show(rows().indexOf(step.parts[0].card));
  };

  // x ticks the card that is shown, capital J and K go on with ticks, and a click with shift ticks all between.
  keys.x = () => {
    tick(rows()[at]).checked ^= true;
    count();
  };
  const drag = (by) => () => {
    for (const to of [at, at + by]) {
      show(to);
      if (rows()[at]) tick(rows()[at]).checked = true;
    }
    count();
  };
  keys.J = drag(1);
  keys.K = drag(-1);
  keys.Escape = () => {
    ticked().forEach((card) => { tick(card).checked = false; });
    count();
  };
  let lately = 0; // the row whose box was clicked last
  $("#titles").addEventListener("click", (event) => {
    const to = rows().findIndex((card) => tick(card) === event.target);
    if (to >= 0) {
      const [from, end] = [lately, to].sort((a, b) => a - b);
      if (event.shiftKey) rows().slice(from, end + 1).forEach((card) => { tick(card).checked = event.target.checked; });
      lately = to;
      count();
    }
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    show(rows().indexOf(document.getElementById(link.hash.slice(1))));
  });
  keys.j = () => show(at + 1);
  keys.k = () => show(at - 1);

  document.getElementById("back").addEventListener("click", keys.u);
  queue.classList.add("one");
  $("#titles").hidden = false;
  all("#cards > .row").forEach(ready);
  show(0);
})();
