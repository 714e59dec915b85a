// Plays one track at a time, and tells the library when half of one was heard.
"use strict";
(() => {
  const player = document.getElementById("player");
  if (!player) return;
  const element = player.querySelector("audio");
  let heard = 0, last = null, isCounted = false;
  const begin = () => { heard = 0; last = null; isCounted = false; };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-track]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    begin();
    element.dataset.track = link.dataset.track;
    element.src = link.getAttribute("href");
    player.hidden = false;
    element.play();
  });
  element.addEventListener("timeupdate", () => {
    const now = element.currentTime;
    // Steps are a quarter of a second; longer ones are jumps, and were not heard.
    if (last !== null && now > last && now - last < 2) heard += now - last;
    last = now;
    if (isCounted || !(element.duration > 0) || heard < element.duration / 2) return;
    isCounted = true;
    fetch(`/tracks/${element.dataset.track}/played`, { method: "POST" });
  });
  element.addEventListener("ended", begin);
})();
