// Turns the pages of a story by swipes, reads a page aloud, and offers the names of the browser's voices in the form for the profile.
"use strict";
(() => {
  // A horizontal swipe with one finger over the text follows the links, as the keys do.
  let start = null;
  document.addEventListener("touchstart", (event) => {
    start = event.touches.length === 1 && event.target.closest?.(".leaf") ? event.touches[0] : null;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!start || !getSelection().isCollapsed) return;
    const end = event.changedTouches[0], x = end.clientX - start.clientX, y = end.clientY - start.clientY;
    start = null;
    if (Math.abs(x) < 60 || Math.abs(x) < 2 * Math.abs(y)) return;
    document.querySelector(x < 0 ? ".turns [rel=next]" : ".turns [rel=prev]")?.click();
  }, { passive: true });

  if (!("speechSynthesis" in window)) return;

  const field = document.getElementById("voice");
  if (field) {
    const names = Object.assign(document.createElement("datalist"), { id: "voices" });
    field.after(names);
    field.setAttribute("list", names.id);
    const show = () => names.replaceChildren(...speechSynthesis.getVoices().map(
      (voice) => Object.assign(document.createElement("option"), { value: voice.name })));
    show();
    speechSynthesis.addEventListener("voiceschanged", show);
  }

  const button = document.getElementById("speak");
  if (!button) return;
  const name = button.textContent;
  let spoken = null;
  const stop = () => {
    spoken = null;
    speechSynthesis.cancel();
    button.textContent = name;
  };
  button.addEventListener("click", () => {
    if (spoken) return stop();
    const words = new SpeechSynthesisUtterance(document.querySelector(".leaf")?.innerText ?? "");
    const voice = speechSynthesis.getVoices().find((known) => known.name === button.dataset.voice);
    if (voice) words.voice = voice;
    words.lang = voice?.lang ?? document.documentElement.lang;
    // An earlier page that was interrupted ends after this one has begun.
    for (const end of ["end", "error"]) words.addEventListener(end, () => { if (spoken === words) stop(); });
    spoken = words;
    button.textContent = "Stop reading";
    speechSynthesis.speak(words);
  });
  addEventListener("pagehide", stop);
  button.hidden = false;
})();
