// Keeps the lists of a page up to date, and moves through them by keys. Pages are complete without it.
"use strict";
(() => {
  const place = (list, node, after) => {
    const before = after ? document.getElementById(after) : null;
    if (before && before.parentNode === list) before.after(node); else list.prepend(node);
  };

  const made = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content.firstElementChild;
  };

  // The first row that is seen and does not change itself, so that it stays where it is when rows above it come or go.
  const anchor = (changed) => {
    for (const row of document.querySelectorAll(".rows > li")) {
      const box = row.getBoundingClientRect();
      if (row.id !== changed && box.bottom > 0 && box.top < innerHeight) return { row, top: box.top };
    }
    return null;
  };

  let arrivals = 0;
  const pill = document.createElement("button");
  pill.className = "pill";
  pill.type = "button";
  pill.addEventListener("click", () => { scrollTo({ top: 0 }); hidePill(); });
  const hidePill = () => { arrivals = 0; pill.remove(); };
  addEventListener("scroll", () => { if (scrollY < 40) hidePill(); }, { passive: true });
  const showPill = () => {
    pill.textContent = arrivals === 1 ? "1 new above" : `${arrivals} new above`;
    if (!pill.isConnected) document.body.append(pill);
  };

  // The row that the keys have chosen stays chosen when it is replaced.
  const replace = (old, node) => {
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(node);
    if (hadFocus) node.querySelector("a")?.focus({ preventScroll: true });
  };

  const apply = (kind, edit) => {
    const list = document.getElementById(edit.list);
    if (!list) return;
    const held = scrollY > 0 ? anchor(edit.id) : null;
    let node = document.getElementById(edit.id);
    if (node && node.parentNode !== list) node = null;
    if (kind === "delete") {
      node?.remove();
    } else {
      const isNew = !node;
      if (edit.html) {
        const fresh = made(edit.html);
        if (node) replace(node, fresh);
        node = fresh;
      }
      if (!node) return;
      if (edit.after !== undefined) place(list, node, edit.after);
      if (isNew) node.classList.add("arrived");
      if (isNew && node.getBoundingClientRect().bottom < 0) { arrivals += 1; showPill(); }
    }
    if (held && held.row.isConnected) scrollBy(0, held.row.getBoundingClientRect().top - held.top);
  };

  const reload = () => {
    // What is typed is not thrown away.
    const field = document.activeElement;
    if (field && /^(INPUT|TEXTAREA)$/.test(field.tagName) && field.value) return;
    location.reload();
  };

  const address = document.body.dataset.events;
  if (address && "EventSource" in window) {
    const stream = new EventSource(address);
    for (const kind of ["insert", "move", "update", "delete"]) {
      stream.addEventListener(kind, (event) => apply(kind, JSON.parse(event.data)));
    }
    stream.addEventListener("stale", () => { stream.close(); reload(); });
    stream.addEventListener("open", () => document.body.classList.remove("disconnected"));
    stream.addEventListener("error", () => document.body.classList.add("disconnected"));
    addEventListener("pagehide", () => stream.close());
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  const links = () => [...document.querySelectorAll(".rows > li > a.row, .rows > li > article")];
  const step = (by) => {
    const all = links();
    const now = all.findIndex((link) => link === document.activeElement);
    const next = all[Math.min(all.length - 1, Math.max(0, now < 0 ? (by > 0 ? 0 : all.length - 1) : now + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const follow = (selector) => document.querySelector(selector)?.click();
  const keys = {
    j: () => step(1), k: () => step(-1), u: () => follow("[data-key=up]"),
    n: () => follow("[rel=next]"), p: () => follow("[rel=prev]"),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const action = keys[event.key];
    if (action) { event.preventDefault(); action(); }
  });
})();
