"""Tests of the pages of the music library in a browser: files made by ffmpeg, a library of them, its server, and people who listen.

Usage: kanora.py TOOLS FOLDER AXE   (see trials.py)
"""

import json
import os
import subprocess

from trials import Server, check, check_accessibility, check_calm, kept, rows, run, run_tests, text

SECONDS = 4


class Music:
    """A library with its server, and the commands that change it from outside."""

    def __init__(self):
        self.folder, self.store = kept("music"), kept("kanora.sqlite")
        os.makedirs(self.folder)
        for number, title in enumerate(["First tone", "Second tone", "Unbroken" * 20, "קיפוד ו-fox בלילה"], 1):
            self.record(title, "Ann", number)
        self.scan()
        self.server = Server("kanora", "serve", "--store", self.store)
        self.root, self.window, self.close = self.server.root, self.server.window, self.server.close

    def record(self, title, artist, number):
        """Makes a file with a tone."""
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=frequency={220 * number}:duration={SECONDS}",
             "-metadata", f"title={title}", "-metadata", f"artist={artist}", "-metadata", "album=Tones",
             "-metadata", "genre=Test", "-metadata", f"track={number}", "-c:a", "libvorbis",
             os.path.join(self.folder, f"{artist} {number}.ogg")], check=True)

    def scan(self):
        """Brings the library up to date by another program."""
        run("kanora", "scan", self.folder, "--store", self.store, "--quiet")

    def tracks(self):
        return json.loads(run("kanora", "list", "--json", "--store", self.store))

    def track(self, title):
        return next(track for track in self.tracks() if track["title"] == title)


def row(track):
    return f"#track-{track['id']}"


def click(window, selector):
    """Clicks as a person does, which lets sounds begin."""
    x, y = window.value(
        f"(box => [box.x + box.width / 2, box.y + box.height / 2])"
        f"((e => (e.scrollIntoView({{ block: 'center' }}), e.getBoundingClientRect()))"
        f"(document.querySelector({json.dumps(selector)})))")
    for kind in ["mousePressed", "mouseReleased"]:
        window.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def test_a_play_counts_once_after_half_of_a_track(browser, music):
    track = music.track("First tone")
    window, other = music.window(browser), music.window(browser)
    window.value("window.isSame = true; window.posts = 0; window.heldFetch = window.fetch; window.fetch = (...all) => {"
                 " posts += 1; window.postedAt = document.querySelector('audio').currentTime; return heldFetch(...all) }")
    click(window, f"{row(track)} a[data-track]")
    window.wait("!document.getElementById('player').hidden && document.querySelector('audio').currentTime > 0.3")
    check(text(window, "#player .now") == "First tone", "The player shows another track.")
    check(window.value(f"document.querySelector('{row(track)}').matches('.playing')"), "The row is not marked.")
    window.screenshot(kept("playing.png"))
    other.wait(f"document.querySelector('{row(track)}').innerText.includes('1 play')")
    check(window.value(f"postedAt >= {SECONDS} / 2"), "The play was counted before half of the track.")
    window.wait("document.querySelector('#player .now').innerText === 'Second tone'")
    check(window.value("window.posts") == 1, "The play was noted more than once.")
    check(music.track("First tone")["playCount"] == 1, "The play was counted more than once.")
    check(window.value("window.isSame"), "The page was loaded again.")
    check_calm(window)


def test_a_jump_does_not_count(browser, music):
    track = music.track("Second tone")
    before = track["playCount"]
    window = music.window(browser)
    click(window, f"{row(track)} a[data-track]")
    window.wait("document.querySelector('audio').currentTime > 0.1")
    window.value(f"document.querySelector('audio').currentTime = {SECONDS} - 0.5")
    # The file was read in ranges, or the player could not have gone there.
    window.wait("document.querySelector('#player .now').innerText !== 'Second tone'")
    check(music.track("Second tone")["playCount"] == before, "What was jumped over counts as heard.")


def test_a_scan_by_another_program_reaches_an_open_window(browser, music):
    window = music.window(browser)
    window.value("window.isSame = true")
    music.record("Third tone", "Ben", 7)
    music.scan()
    window.wait(f"document.querySelector('{row(music.track('Third tone'))}')")
    check(window.value("window.isSame"), "The page was loaded again.")
    check_calm(window)


def test_columns_leave_the_tracks_of_a_choice(browser, music):
    window = music.window(browser)
    window.follow("a.row[href*='artist=']:not([data-track])")
    check(0 < len(rows(window, "tracks")) <= len(music.tracks()), "The choice leaves no track.")
    check(window.value("document.querySelector('[aria-current=true]') !== null"), "The choice is not marked.")


def test_an_edit_is_saved_and_undone(browser, music):
    track = music.track("First tone")
    window = music.window(browser, f"edit?track-{track['id']}=on")
    window.screenshot(kept("edit.png"))
    window.fill("[name=title]", "Renamed tone")
    window.follow("button[value=save]")
    check(music.track("Renamed tone")["id"] == track["id"], "The title is not saved.")
    window.value("document.querySelector('#step-undo button').click()")
    window.wait("document.querySelector('#step-redo button').innerText.startsWith('Redo ')")
    check(music.track("First tone")["id"] == track["id"], "The edit is not undone.")


def test_a_track_is_rated_by_keys(browser, music):
    window = music.window(browser)
    window.value("window.isSame = true")
    window.press("j")
    chosen = window.value("document.activeElement.dataset.track")
    window.press("4")
    window.wait("document.activeElement.closest('li').querySelector('.stars').getAttribute('aria-label').includes('4 of 5')")
    check(next(t for t in music.tracks() if t["id"] == chosen)["rating"] == 4, "The rating is not saved.")
    check(window.value("window.isSame"), "The page was loaded again.")


def test_a_track_is_loved_without_script(browser, music):
    track = music.track("Second tone")
    window = music.window(browser, runs_scripts=False)
    window.follow(f"{row(track)} button[name=love]")
    check(music.track("Second tone")["isLoved"], "The track is not loved.")
    check(window.value("location.pathname") == "/", "The form leads elsewhere.")


def test_no_page_has_a_serious_accessibility_violation(browser, music):
    track = music.tracks()[0]
    paths = {"browser": "", "search": "search?q=tone", "wrong-query": "search?q=(", "album": f"albums/{track['albumID']}",
             "track": f"tracks/{track['id']}", "edit-form": f"edit?track-{track['id']}=on", "playlists": "playlists",
             "check": "check", "stats": "stats", "missing": "albums/0"}
    check_accessibility(browser, music.server, paths, widths=(360, 768, 1440))


run_tests(dict(globals()), Music)
