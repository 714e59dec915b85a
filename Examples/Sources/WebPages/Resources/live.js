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
      // Rows of a list that scrolls by itself may be out of sight.
      if (row.parentNode.scrollHeight > row.parentNode.clientHeight + 1) continue;
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

  // What has the focus in a row keeps it when the row is replaced or moved, and boxes stay checked.
  const controls = "a, button, input, select";
  const keepFocus = (row, change) => {
    const focused = document.activeElement;
    if (!row.contains(focused)) return change();
    const place = [...row.querySelectorAll(controls)].indexOf(focused);
    const node = change();
    node.querySelectorAll(controls)[place]?.focus({ preventScroll: true });
    if (!node.contains(document.activeElement)) node.querySelector("a")?.focus({ preventScroll: true });
    return node;
  };
  const box = (row, name) => row.querySelector(`input[type=checkbox][name="${CSS.escape(name)}"]`);
  const replace = (old, node) => keepFocus(old, () => {
    for (const checked of old.querySelectorAll("input[type=checkbox]:checked")) {
      const same = box(node, checked.name);
      if (same) same.checked = true;
    }
    old.replaceWith(node);
    return node;
  });

  const apply = (kind, edit) => {
    const list = document.getElementById(edit.list);
    if (!list) return;
    const held = scrollY > 0 ? anchor(edit.id) : null;
    let node = document.getElementById(edit.id);
    if (node && node.parentNode !== list) node = null;
    if (kind === "delete") {
      const near = node?.contains(document.activeElement) ? node.nextElementSibling ?? node.previousElementSibling : null;
      node?.remove();
      near?.querySelector("a")?.focus({ preventScroll: true });
    } else {
      const isNew = !node;
      if (edit.html) {
        const fresh = made(edit.html);
        if (node) replace(node, fresh);
        node = fresh;
      }
      if (!node) return;
      if (edit.after !== undefined) {
        const moved = node;
        keepFocus(moved, () => { place(list, moved, edit.after); return moved; });
      }
      if (isNew) node.classList.add("arrived");
      if (isNew && list.matches(".rows") && node.getBoundingClientRect().bottom < 0) { arrivals += 1; showPill(); }
    }
    if (held && held.row.isConnected) scrollBy(0, held.row.getBoundingClientRect().top - held.top);
  };

  const reload = () => {
    // What is typed is not thrown away. The value of a checkbox or button is not typed.
    const field = document.activeElement;
    if (field?.matches("textarea, input:not([type=checkbox], [type=radio], [type=submit])") && field.value) return;
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

  // Selected rows that leave the document stay selected.
  const leave = (row) => {
    for (const checked of row.querySelectorAll("input[type=checkbox]:checked")) {
      const kept = document.createElement("input");
      Object.assign(kept, { type: "hidden", name: checked.name, value: checked.value });
      checked.form?.append(kept);
    }
    row.remove();
  };
  const arrive = (row) => {
    for (const checkbox of row.querySelectorAll("input[type=checkbox]")) {
      const kept = checkbox.form?.querySelector(`input[type=hidden][name="${CSS.escape(checkbox.name)}"]`);
      if (kept) { kept.remove(); checkbox.checked = true; }
    }
  };

  // Gives a list the rows that another window of it has; those that both have stay as they are.
  const adopt = (list, rows) => {
    const wanted = new Set([...rows.children].map((row) => row.id));
    for (const row of [...list.children]) if (!wanted.has(row.id)) leave(row);
    let before = null;
    for (const row of [...rows.children]) {
      const own = document.getElementById(row.id);
      const node = own?.parentNode === list ? own : row;
      const isInPlace = before ? before.nextElementSibling === node : list.firstElementChild === node;
      if (!isInPlace) { if (before) before.after(node); else list.prepend(node); }
      if (node === row) arrive(row);
      before = node;
    }
  };

  // Further rows of a list come before its end is in view, once the reader has made it longer, or from the start where its links say so.
  let isFetchingMore = false;
  const fetchMore = async (link) => {
    if (isFetchingMore) return;
    isFetchingMore = true;
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) return;
      const longer = new DOMParser().parseFromString(await answer.text(), "text/html");
      const held = anchor(null);
      for (const rows of longer.querySelectorAll(".rows")) {
        const list = document.getElementById(rows.id);
        if (list) adopt(list, rows);
      }
      history.replaceState(null, "", link.href);
      listen(longer.body.dataset.events);
      for (const links of document.querySelectorAll("[data-window]")) {
        const others = longer.querySelector(`[data-window=${links.dataset.window}]`);
        if (others) links.replaceWith(others); else links.remove();
      }
      if (held?.row.isConnected) scrollBy(0, held.row.getBoundingClientRect().top - held.top);
      for (const next of document.querySelectorAll("[data-more]")) watch(next);
    } catch {
      // The link stays, and says what it does.
    } finally { isFetchingMore = false; }
  };
  const watch = (link) => {
    const kind = link.dataset.more;
    if (!kind || !("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver((entries) => {
      // A page that was opened in the middle of a list begins there.
      if (!entries.some((entry) => entry.isIntersecting) || (kind === "earlier" && scrollY < 1)) return;
      observer.disconnect();
      fetchMore(link);
    }, { rootMargin: "600px" });
    observer.observe(link);
  };
  for (const link of document.querySelectorAll("[data-more]")) watch(link);

  // Forms whose effect the page's lists show are sent without leaving the page; one that is refused is sent again as usual.
  let isLoud = false, sending = Promise.resolve();
  const sendQuietly = async (form, button, action, body) => {
    if (isLoud) return;
    try {
      const answer = await fetch(action, { method: "POST", body, redirect: "manual" });
      if (answer.type === "opaqueredirect") return;
    } catch {
      // The browser says what is wrong.
    }
    isLoud = true;
    if (button?.isConnected) form.requestSubmit(button); else location.reload();
  };
  addEventListener("submit", (event) => {
    const form = event.target, button = event.submitter;
    if (isLoud || !form.matches("form[data-quiet]") || !stream || stream.readyState === EventSource.CLOSED) return;
    event.preventDefault();
    const action = button?.getAttribute("formaction") || form.getAttribute("action");
    const body = new URLSearchParams(new FormData(form, button));
    // One after the other: on two connections, the second of two keys could arrive before the first.
    sending = sending.then(() => sendQuietly(form, button, action, body));
  });

  // The second click of a double click is not sent: the change of a row by the first one could give the button the opposite effect.
  let lastSubmission = -Infinity;
  addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if (event.timeStamp - lastSubmission < 500) event.preventDefault(); else lastSubmission = event.timeStamp;
  });

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
      while (saving) await saving;
      if (isLeaving) return;
      saving = (async () => {
        try {
          const answer = await fetch(form.getAttribute("action"), { method: "POST", body: data() });
          const result = await answer.json();
          if (result.draft) { field("draft").value = result.draft; field("revision").value = result.revision; }
          note.textContent = result.problem || result.saved || "Not saved yet.";
          note.classList.toggle("warn-text", Boolean(result.problem));
        } catch {
          note.textContent = "Not saved: the program is not responding. Your text is still here.";
          note.classList.add("warn-text");
        }
      })();
      await saving;
      saving = null;
    };
    form.addEventListener("input", () => {
      isLeaving = false;
      clearTimeout(timer);
      timer = setTimeout(save, 800);
      note.textContent = "Not saved yet.";
    });
    form.addEventListener("submit", (event) => {
      const isWaiting = isLeaving, button = event.submitter;
      isLeaving = true;
      clearTimeout(timer);
      timer = null;
      if (!saving) return;
      // The form goes back to what the request before it saves; otherwise the two would be a conflict.
      event.preventDefault();
      if (!isWaiting) saving.then(() => form.requestSubmit(button));
    });
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

  // In a page with a main list the keys stay in the list that has the focus, and begin in the main one.
  const links = () => {
    const main = document.querySelector("[data-keys]");
    const list = main && (document.activeElement.closest(".rows") ?? main);
    return [...(list ?? document).querySelectorAll(list ? ":scope > li > a.row" : ".rows > li > a.row, .rows > li > article")];
  };
  const step = (by) => {
    const all = links();
    const now = all.findIndex((link) => link.parentNode.contains(document.activeElement));
    const next = all[Math.min(all.length - 1, Math.max(0, now < 0 ? (by > 0 ? 0 : all.length - 1) : now + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  // A form of a row leads back to the row.
  document.querySelector(".rows > li:target > a.row")?.focus();

  const follow = (selector) => document.querySelector(selector)?.click();
  const keys = {
    j: () => step(1), k: () => step(-1), u: () => follow("[data-key=up]"),
    n: () => follow("[rel=next]"), p: () => follow("[rel=prev]"),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox")) return;
    // Keys of the row that has the focus go first.
    const row = document.activeElement?.closest(".rows > li");
    const control = row?.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    const action = control ? () => control.click() : keys[event.key];
    if (action) { event.preventDefault(); action(); }
  });
})();
