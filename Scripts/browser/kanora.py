"""Browser tests of the music library's pages, with files created by ffmpeg and the library's server.

Usage: kanora.py TOOLS FOLDER AXE   (see trials.py)
"""

import http.client
import json
import os
import subprocess
import time
import uuid

from trials import Server, check, check_accessibility, check_calm, kept, rows, run, run_tests, text

SECONDS = 4
MANY = 12_000


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
        """Creates a file with a tone."""
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=frequency={220 * number}:duration={SECONDS}",
             "-metadata", f"title={title}", "-metadata", f"artist={artist}", "-metadata", "album=Tones",
             "-metadata", "genre=Test", "-metadata", f"track={number}", "-c:a", "libvorbis",
             os.path.join(self.folder, f"{artist} {number}.ogg")], check=True)

    def scan(self):
        """Updates the library from another program."""
        run("kanora", "scan", self.folder, "--store", self.store, "--quiet")

    def tracks(self):
        return json.loads(run("kanora", "list", "--json", "--store", self.store))

    def track(self, title):
        return next(track for track in self.tracks() if track["title"] == title)


class LargeLibrary:
    """A library of very many tracks, which are copies of one, with its server."""

    def __init__(self, music):
        store, file = kept("large.sqlite"), kept("large.json")
        document = json.loads(run("kanora", "export", "--format", "json", "--store", music.store))
        objects = document["objects"]
        track = objects["Track"][0]
        album = next(a for a in objects["Album"] if a["id"] == track["album"])
        objects["Album"], objects["Track"] = [], []
        for number in range(MANY):
            if number % 12 == 0:
                title = f"Album {number // 12:05}"
                objects["Album"].append(
                    {**album, "id": str(uuid.uuid4()).upper(), "title": title, "titleKey": title.lower()})
            title = f"Song {number:05}"
            objects["Track"].append(
                {**track, "id": str(uuid.uuid4()).upper(), "title": title, "titleKey": title.lower(), "album": objects["Album"][-1]["id"],
                 "trackNumber": number % 12 + 1, "filePath": f"/nowhere/{number}.ogg"})
        with open(file, "w", encoding="utf-8") as output:
            json.dump(document, output)
        run("kanora", "import", file, "--store", store)
        os.remove(file)
        self.server = Server("kanora", "serve", "--store", store)
        self.root, self.window, self.close = self.server.root, self.server.window, self.server.close


def row(track):
    return f"#track-{track['id']}"


def click(window, selector):
    """Clicks like a user, so that the browser allows sound."""
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
    # The player can seek only if it read the file in ranges.
    window.wait("document.querySelector('#player .now').innerText !== 'Second tone'")
    check(music.track("Second tone")["playCount"] == before, "What was jumped over counts as heard.")


def bytes_of(music, track, **headers):
    """Requests the file of a track with the browser's cookies; returns status, headers and body."""
    address = music.server.address
    connection = http.client.HTTPConnection(address.split("/")[2])
    connection.request("GET", "/" + address.split("/", 3)[3])
    answer = connection.getresponse()
    answer.read()
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", f"/audio/{track['id']}", headers={"Cookie": cookie, **names})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body


def test_ranges_of_a_file_are_sent_as_asked(browser, music):
    track = music.track("First tone")
    with open(track["filePath"], "rb") as file:
        whole = file.read()
    status, headers, body = bytes_of(music, track)
    check((status, body) == (200, whole), "The file is not sent whole.")
    tag, size = headers["ETag"], len(whole)
    for asked, first, last in [
            ("bytes=0-99", 0, 99), ("bytes=100-", 100, size - 1), ("bytes=-50", size - 50, size - 1),
            (f"bytes={size - 10}-{size + 99}", size - 10, size - 1), (f"bytes=-{size + 5}", 0, size - 1)]:
        for headers in [{}, {"If_Range": tag}]:
            status, answered, body = bytes_of(music, track, Range=asked, **headers)
            check((status, body) == (206, whole[first:last + 1]), f"{asked} is answered with {status}.")
            check(answered["Content-Range"] == f"bytes {first}-{last}/{size}", f"{asked}: {answered['Content-Range']}")
            check(int(answered["Content-Length"]) == last - first + 1, f"{asked}: {answered['Content-Length']}")
    for asked in [f"bytes={size}-", "bytes=-0"]:
        status, answered, body = bytes_of(music, track, Range=asked)
        check((status, body) == (416, b""), f"{asked} is answered with {status}.")
        check(answered["Content-Range"] == f"bytes */{size}", f"{asked}: {answered['Content-Range']}")
    # For a version that the browser does not have, the server sends the whole file.
    status, _, body = bytes_of(music, track, Range="bytes=0-99", If_Range='"another"')
    check((status, body) == (200, whole), "A piece of another version is sent.")


def test_a_player_that_jumps_asks_for_a_range(browser, music):
    track = music.track("First tone")
    window = music.window(browser)
    window.send("Network.enable")
    click(window, f"{row(track)} a[data-track]")
    window.wait("document.querySelector('audio').currentTime > 0.1")
    window.value("1")
    answers = [event["params"]["response"] for event in browser.events
               if event.get("sessionId") == window.session and event["method"] == "Network.responseReceived"]
    statuses = [answer["status"] for answer in answers if answer["url"].endswith(f"/audio/{track['id']}")]
    check(statuses and set(statuses) <= {206, 304}, f"The player gets {statuses}.")


def titles(window, list_name):
    return window.value(f"[...document.querySelectorAll('#{list_name} .title')].map(title => title.innerText)")


def wait_for_titles(window, list_name, wanted):
    window.wait(f"[...document.querySelectorAll('#{list_name} .title')].map(title => title.innerText).join('|') "
                f"=== {json.dumps('|'.join(wanted))}")


def test_a_playlist_is_filled_and_ordered_in_two_windows(browser, music):
    names = ["First tone", "Second tone"]
    window = music.window(browser, "playlists")
    window.fill("[name=name]", "Evening")
    window.follow("form[action='/playlists'] button")
    check(text(window, "h1") == "Evening", "The new playlist is not shown.")
    path = window.value("location.pathname")
    identifier = path.split("/")[-1]
    for _ in range(2):
        # The playlist can contain a track twice.
        window.open(music.root)
        for name in names:
            window.value(f"document.querySelector('{row(music.track(name))} input[type=checkbox]').click()")
        window.value(f"document.querySelector('#selection select[name=playlist]').value = '{identifier}'")
        window.follow("#selection button[value=add]")
    check(window.value("location.pathname") == path, "Adding does not lead to the playlist.")
    check(titles(window, "entries") == names * 2, f"It has {titles(window, 'entries')}.")

    other = music.window(browser, path[1:])
    window.value("window.isSame = true")
    window.press("j")
    window.press("]")
    moved = [names[1], names[0], *names]
    wait_for_titles(window, "entries", moved)
    wait_for_titles(other, "entries", moved)
    window.screenshot(kept("playlist.png"))
    # The moved row keeps the focus.
    window.press("]")
    wait_for_titles(window, "entries", [names[1], names[0], names[0], names[1]])
    window.press("-")
    left = [names[1], names[0], names[1]]
    wait_for_titles(window, "entries", left)
    wait_for_titles(other, "entries", left)
    other.wait("document.getElementById('count').innerText === '3 tracks'")
    window.value("document.querySelector('#step-undo button').click()")
    wait_for_titles(other, "entries", [names[1], names[0], names[0], names[1]])
    check(window.value("window.isSame"), "The page was loaded again.")
    check_calm(window)

    window.fill("section[aria-label=Playlist] [name=name]", "Night & day")
    window.follow("form[action$='/rename'] button")
    check(text(window, "h1") == "Night & day", "The name stays.")
    window.follow("form[action$='/delete'] button")
    check("Night & day" not in titles(window, "playlists"), "The playlist is still there.")


def drag(window, row, target, share):
    """Drags a row by its grip to a part of the height of another row, and returns the place of the pointer, which still holds the row."""
    def box(selector):
        return window.value(
            f"(box => [box.x + box.width / 2, box.y, box.height])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
    x, y, height = box(f"{row} .grip")
    _, top, size = box(target)
    end = top + size * share
    for kind, place in [("mousePressed", y + height / 2), ("mouseMoved", (y + end) / 2), ("mouseMoved", end)]:
        window.send("Input.dispatchMouseEvent", type=kind, x=x, y=place, button="left", buttons=1, clickCount=1)
    return x, end


def release(window, place):
    window.send("Input.dispatchMouseEvent", type="mouseReleased", x=place[0], y=place[1], button="left", clickCount=1)


def test_a_playlist_is_ordered_by_dragging_rows(browser, music):
    window = music.window(browser, "playlists")
    window.fill("[name=name]", "Dragged")
    window.follow("form[action='/playlists'] button")
    path = window.value("location.pathname")
    window.open(music.root)
    names = sorted(track["title"] for track in music.tracks())[:3]
    for name in names:
        window.value(f"document.querySelector('{row(music.track(name))} input[type=checkbox]').click()")
    window.value(f"document.querySelector('#selection select[name=playlist]').value = '{path.split('/')[-1]}'")
    window.follow("#selection button[value=add]")
    other = music.window(browser, path[1:])
    first, second, third = titles(window, "entries")
    one, two, three = (f"[id='{name}']" for name in rows(window, "entries"))
    window.value("window.isSame = true")

    place = drag(window, one, three, 0.8)
    check(window.value(f"document.querySelector(\"{three}\").matches('.drop-after')"), "The place is not marked.")
    window.screenshot(kept("dragging.png"))
    release(window, place)
    for page in [window, other]:
        wait_for_titles(page, "entries", [second, third, first])
    release(window, drag(window, one, two, 0.2))
    for page in [window, other]:
        wait_for_titles(page, "entries", [first, second, third])
    # The escape key ends a drag, and a row that does not move is not recorded as a step.
    place = drag(window, one, three, 0.8)
    for kind in ["rawKeyDown", "keyUp"]:
        window.send("Input.dispatchKeyEvent", type=kind, key="Escape", windowsVirtualKeyCode=27)
    release(window, place)
    release(window, drag(window, two, two, 0.9))
    check(titles(window, "entries") == [first, second, third], "The row has moved.")
    # Both forms of undo and the position form work on the same order.
    window.value("document.querySelector('#step-undo button').click()")
    wait_for_titles(other, "entries", [second, third, first])
    window.fill("[name=from]", "3")
    window.fill("[name=to]", "1")
    window.value("document.querySelector('form[aria-label=\"Move a track\"] button').click()")
    for page in [window, other]:
        wait_for_titles(page, "entries", [first, second, third])
    check(window.value("window.isSame"), "The page was loaded again.")
    check_calm(window)

    plain = music.window(browser, path[1:], runs_scripts=False)
    check(plain.value("getComputedStyle(document.querySelector('.grip')).display") == "none", "A grip is shown without the script.")
    window.follow("form[action$='/delete'] button")


def test_a_smart_playlist_follows_another_program(browser, music):
    window = music.window(browser, "playlists/smart")
    window.fill("[name=name]", "Of Ann")
    window.fill("[name=query]", "artist:ann (")
    window.follow("main form button")
    check(window.value("document.querySelector('[name=query]').getAttribute('aria-invalid')") == "true", "A wrong query is accepted.")
    check(window.value("document.querySelector('[name=name]').value") == "Of Ann", "What was typed is gone.")
    window.complaints()  # of that page's status
    window.fill("[name=query]", "artist:ann -title:fourth")
    window.follow("main form button")
    wanted = [track["title"] for track in music.tracks() if track["artist"] == "Ann"]
    check(sorted(titles(window, "entries")) == sorted(wanted), f"It has {titles(window, 'entries')}.")
    window.value("window.isSame = true")
    music.record("Fourth tone", "Ann", 8)
    music.record("Fifth tone", "Ann", 9)
    music.scan()
    window.wait("document.getElementById('entries').innerText.includes('Fifth tone')")
    check("Fourth tone" not in titles(window, "entries"), "It has a track that the rules leave out.")
    window.wait("document.getElementById('count').innerText === document.querySelectorAll('#entries > li').length + ' tracks'")
    check(window.value("window.isSame"), "The page was loaded again.")
    window.screenshot(kept("smart-playlist.png"))
    check_calm(window)


def test_a_large_library_is_a_window_from_its_first_row_to_its_last(browser, music, large):
    window = large.window(browser)
    times = []
    for _ in range(6):
        window.open(large.root)
        times.append(window.value(
            "(entry => entry.responseEnd - entry.requestStart)(performance.getEntriesByType('navigation')[0])"))
    print(f"  the first page of {MANY} tracks: {', '.join(f'{time:.0f}' for time in times)} ms")
    check(min(times) < 100, f"The first page takes {times} ms.")
    check(len(rows(window, "tracks")) == 100, "The first page has another number of rows.")
    check(f"{MANY}" in text(window, "#count").replace(",", ""), "The number of tracks is not shown.")
    window.screenshot(kept("large-first.png"))
    window.value(
        "window.isSame = true; window.most = 0; window.seen = new Set();"
        "window.note = () => { const all = document.querySelectorAll('#tracks > li'); most = Math.max(most, all.length);"
        " for (const row of all) seen.add(row.id) }; note();"
        "new MutationObserver(note).observe(document.getElementById('tracks'), { childList: true }); 0")
    last = f"Song {MANY - 1:05}"
    begin = time.monotonic()
    while window.value("[...document.querySelectorAll('#tracks .title')].at(-1).innerText") != last:
        check(time.monotonic() - begin < 600, f"The end is not reached; {window.value('seen.size')} rows were seen.")
        before = window.value("scrollTo(0, document.documentElement.scrollHeight), seen.size")
        window.wait(f"seen.size > {before} || [...document.querySelectorAll('#tracks .title')].at(-1).innerText === '{last}'")
    print(f"  scrolled to the end in {time.monotonic() - begin:.0f} s")
    check(window.value("seen.size") == MANY, f"{window.value('seen.size')} rows were seen on the way.")
    check(window.value("most") <= 500, f"The document had {window.value('most')} rows.")
    check(window.value("document.querySelectorAll('[data-window=behind] a').length") == 0, "The list goes on behind its end.")
    window.screenshot(kept("large-last.png"))
    # Also upward; the visible row stays in place.
    window.value("window.top = [...document.querySelectorAll('#tracks > li')][0].id; scrollTo(0, 200); 0")
    window.wait("document.querySelectorAll('#tracks > li')[0].id !== top")
    check(window.value("isSame && most <= 500"), "The page was loaded again, or is too long.")
    check_calm(window)


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


def test_a_page_that_missed_events_is_loaded_again_while_a_checkbox_has_the_focus(browser, music):
    window = browser.window()
    window.send(
        "Page.addScriptToEvaluateOnNewDocument",
        source="window.EventSource = class extends EventSource { constructor(address) { super(address); window.stream = this } }")
    window.open(music.server.address)
    window.value("window.isLeft = true")
    window.value("document.querySelector('#tracks input[type=checkbox]').focus()")
    window.value("window.stream.dispatchEvent(new MessageEvent('stale', { data: '{}' }))")
    window.wait("!window.isLeft && document.readyState === 'complete'")


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
             "rules": "playlists/smart",
             "check": "check", "stats": "stats", "missing": "albums/0"}
    check_accessibility(browser, music.server, paths, widths=(360, 768, 1440))


run_tests(dict(globals()), Music, LargeLibrary)
