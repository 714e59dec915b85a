// Plays the tracks of a list one after the other, also while the reader goes on to other pages, and notes when half of one was heard.
"use strict";
(() => {
  const player = document.getElementById("player");
  if (!player) return;
  const audio = player.querySelector("audio"), title = player.querySelector(".now");
  const memory = "player";
  // The tracks that follow one another, each with id and title, and the place of the one that plays.
  let queue = [], place = 0;
  let heard = 0, last = 0, isCounted = false;

  const begin = () => { heard = 0; last = 0; isCounted = false; };
  const rows = () => [...document.querySelectorAll("a[data-track]")].map(
    (link) => ({ id: link.dataset.track, title: link.querySelector(".title").textContent }));

  const mark = () => {
    for (const row of document.querySelectorAll(".track")) {
      const isPlaying = !player.hidden && row.querySelector("a[data-track]").dataset.track === queue[place]?.id;
      if (row.classList.contains("playing") !== isPlaying) row.classList.toggle("playing", isPlaying);
    }
    player.querySelector("[data-step='-1']").disabled = place === 0;
    player.querySelector("[data-step='1']").disabled = place >= queue.length - 1;
  };

  const show = () => {
    player.hidden = false;
    title.textContent = queue[place].title;
    audio.src = `/audio/${queue[place].id}`;
    mark();
  };

  const play = () => {
    begin();
    show();
    // A track whose file is gone says so in the player.
    audio.play().catch(() => {});
  };

  const step = (by) => {
    // Also append rows that were added to the list after playback began.
    const all = rows(), now = all.findIndex((row) => row.id === queue[place].id);
    if (by > 0 && place === queue.length - 1 && now >= 0) queue.push(...all.slice(now + 1));
    if (!queue[place + by]) return;
    place += by;
    play();
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-track]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const links = [...document.querySelectorAll("a[data-track]")];
    queue = rows();
    place = links.indexOf(link);
    play();
  });
  player.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
  });
  addEventListener("keydown", (event) => {
    if (event.key !== " " || player.hidden || event.target !== document.body) return;
    event.preventDefault();
    if (audio.paused) audio.play(); else audio.pause();
  });

  const note = () => {
    const now = audio.currentTime;
    // Steps are a quarter of a second; longer ones are jumps, and were not heard.
    if (now > last && now - last < 2) heard += now - last;
    last = now;
    if (isCounted || !(audio.duration > 0) || heard < audio.duration / 2) return;
    isCounted = true;
    fetch(`/tracks/${queue[place].id}/played`, { method: "POST", redirect: "manual", keepalive: true });
  };
  audio.addEventListener("timeupdate", note);
  audio.addEventListener("seeking", () => { last = audio.currentTime; });
  audio.addEventListener("ended", () => { note(); step(1); });
  audio.addEventListener("error", () => { title.textContent = `${queue[place].title} cannot be played.`; });

  // A row that is renewed while its track plays is marked again.
  const observer = new MutationObserver(() => { if (queue[place]) mark(); });
  for (const list of document.querySelectorAll(".rows")) observer.observe(list, { childList: true });

  // The next page goes on where this one ends.
  addEventListener("pagehide", () => {
    if (player.hidden) return sessionStorage.removeItem(memory);
    const state = { queue, place, heard, isCounted, time: audio.currentTime, isPaused: audio.paused || audio.ended };
    sessionStorage.setItem(memory, JSON.stringify(state));
  });
  const kept = sessionStorage.getItem(memory);
  if (kept) {
    const state = JSON.parse(kept);
    ({ queue, place, heard, isCounted } = state);
    last = state.time;
    show();
    audio.currentTime = state.time;
    // A browser that does not start sounds by itself waits for a click.
    if (!state.isPaused) audio.play().catch(() => {});
  }
})();
