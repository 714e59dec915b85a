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

  let stream = null;
  const listen = (address) => {
    stream?.close();
    if (!address || !("EventSource" in window)) return;
    stream = new EventSource(address);
    const own = stream;
    for (const kind of ["insert", "move", "update", "delete"]) {
      own.addEventListener(kind, (event) => apply(kind, JSON.parse(event.data)));
    }
    own.addEventListener("stale", () => { own.close(); reload(); });
    own.addEventListener("open", () => document.body.classList.remove("disconnected"));
    own.addEventListener("error", () => document.body.classList.add("disconnected"));
  };
  listen(document.body.dataset.events);
  addEventListener("pagehide", () => stream?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  // In a list that the reader has made longer, further rows come before its end is in view.
  let isFetchingMore = false;
  const fetchMore = async (link) => {
    if (isFetchingMore) return;
    isFetchingMore = true;
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) return;
      const longer = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const rows of longer.querySelectorAll(".rows")) {
        const list = document.getElementById(rows.id);
        if (list) for (const row of [...rows.children]) if (!document.getElementById(row.id)) list.append(row);
      }
      history.replaceState(null, "", link.href);
      listen(longer.body.dataset.events);
      const next = longer.querySelector("[data-more]");
      if (!next) return link.remove();
      link.replaceWith(next);
      watch(next);
    } catch {
      // The link stays, and says what it does.
    } finally { isFetchingMore = false; }
  };
  const watch = (link) => {
    if (link?.dataset.more !== "auto" || !("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      fetchMore(link);
    }, { rootMargin: "600px" });
    observer.observe(link);
  };
  watch(document.querySelector("[data-more]"));

  // What is typed in a form is saved at every pause, and when the page is left.
  for (const form of document.querySelectorAll("form[data-autosave]")) {
    const note = form.querySelector(".saved");
    const field = (name) => form.querySelector(`[name=${name}]`);
    let timer = null, saving = null, isLeaving = false;
    const data = () => {
      const fields = new URLSearchParams(new FormData(form));
      fields.set("do", "autosave");
      return fields;
    };
    const save = async () => {
      timer = null;
      // One after the other: each goes back to what the one before has saved.
      if (saving) await saving;
      saving = (async () => {
        try {
          const answer = await fetch(form.getAttribute("action"), { method: "POST", body: data() });
          const result = await answer.json();
          if (result.draft) { field("draft").value = result.draft; field("revision").value = result.revision; }
          note.textContent = result.problem || result.saved || "Not saved yet.";
          note.classList.toggle("warn-text", Boolean(result.problem));
        } catch {
          note.textContent = "Not saved: the program does not answer. What you typed is still here.";
          note.classList.add("warn-text");
        }
      })();
      await saving;
      saving = null;
    };
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(save, 800);
      note.textContent = "Not saved yet.";
    });
    form.addEventListener("submit", () => { isLeaving = true; clearTimeout(timer); timer = null; });
    addEventListener("pagehide", () => {
      if (timer && !isLeaving) navigator.sendBeacon(form.getAttribute("action"), data());
    });
  }

  // What has been in view counts as seen once the page is left.
  const seen = document.querySelector("[data-seen]");
  if (seen) {
    let place = 0;
    const look = () => {
      for (const row of seen.querySelectorAll("[data-place]")) {
        if (row.getBoundingClientRect().bottom <= innerHeight + 1) place = Math.max(place, Number(row.dataset.place));
      }
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("pagehide", () => {
      look();
      if (place > 0) navigator.sendBeacon(seen.dataset.seen, new URLSearchParams({ do: "raise", place }));
    });
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
