// Orders the rows of a playlist by drag and drop, with a mouse, a pen or a finger. Each row also has buttons and keys that move it.
"use strict";
(() => {
  const list = document.getElementById("entries"), form = document.getElementById("items");
  if (!list || !form) return;
  const area = list.parentNode, edge = 72, prefix = "item-";
  area.classList.add("orders");
  // Rows are known by id, because a live update can replace them while one of them is dragged.
  let drag = null;

  const row = (id) => document.getElementById(id);
  const clear = () => {
    for (const marked of list.querySelectorAll(".dragged, .drop-before, .drop-after")) {
      marked.classList.remove("dragged", "drop-before", "drop-after");
    }
  };

  // The row beside which the dragged one would be placed: the one at the height of the pointer, or the nearest.
  const aim = () => {
    const rows = [...list.children];
    const found = rows.find((candidate) => drag.y < candidate.getBoundingClientRect().bottom) ?? rows.at(-1);
    if (!found) return null;
    const box = found.getBoundingClientRect();
    return { row: found, side: drag.y < box.top + box.height / 2 ? "before" : "after" };
  };

  const mark = () => {
    clear();
    row(drag.id)?.classList.add("dragged");
    const target = aim();
    if (target && target.row.id !== drag.id) target.row.classList.add(`drop-${target.side}`);
  };

  // Near the top and the bottom of the window, the list scrolls, which also loads its further rows.
  const scroll = () => {
    if (!drag) return;
    const speed = drag.y < edge ? drag.y - edge : Math.max(0, drag.y - (innerHeight - edge));
    if (drag.isMoving && speed !== 0) {
      scrollBy(0, speed / 3);
      mark();
    }
    requestAnimationFrame(scroll);
  };

  const end = () => {
    drag = null;
    clear();
    area.classList.remove("dragging");
  };

  // The form submits a button with the move; the list then shows it like every other change.
  const drop = () => {
    const { id } = drag, target = aim();
    end();
    if (!target || target.row.id === id) return;
    const item = row(id), button = document.createElement("button");
    const value = [id, target.side, target.row.id].map((part) => part.replace(prefix, "")).join(" ");
    Object.assign(button, { hidden: true, name: "move", value });
    form.append(button);
    form.requestSubmit(button);
    button.remove();
    if (!item) return;
    target.row[target.side](item);
    item.querySelector("a.row")?.focus({ preventScroll: true });
  };

  list.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest?.(".grip");
    if (!grip || event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    drag = { id: grip.closest("li").id, y: event.clientY, start: event.clientY, pointer: event.pointerId, isMoving: false };
    requestAnimationFrame(scroll);
  });
  addEventListener("pointermove", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    drag.y = event.clientY;
    drag.isMoving ||= Math.abs(drag.y - drag.start) > 4;
    if (!drag.isMoving) return;
    area.classList.add("dragging");
    mark();
  });
  addEventListener("pointerup", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    if (drag.isMoving) drop(); else end();
  });
  addEventListener("pointercancel", (event) => { if (drag?.pointer === event.pointerId) end(); });
  addEventListener("keydown", (event) => { if (drag && event.key === "Escape") end(); });
})();
