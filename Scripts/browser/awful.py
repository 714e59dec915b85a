"""Browser tests of the forum reader's pages, with a simulated site and the reader's server.

Usage: awful.py TOOLS FOLDER AXE   (the folder of the built programs, one for screenshots, and the file of axe)
"""

import json
import os
import re
import time
import urllib.request

from chromium import BrowserError
from trials import Server, Terminal, check, check_accessibility, kept, rows, run, run_tests, start, stop


class Site:
    """A simulated site, and the reader's server with its own store."""

    def __init__(self):
        self.store = kept("awful.sqlite")
        self.simulator = start("forum-sim", "--port", "0", "--control")
        self.site = json.loads(self.simulator.stdout.readline())["url"]
        self.sync()
        self.server = Server("awful", "serve", "--store", self.store)
        self.address, self.root, self.window = self.server.address, self.server.root, self.server.window

    def sync(self):
        """Updates the store from another program."""
        run("awful", "sync", "--quiet", "--store", self.store, "--base-url", self.site)

    def control(self, action):
        request = urllib.request.Request(f"{self.site}__sim/{action}", data=b"", method="POST")
        return urllib.request.urlopen(request).read()

    def truth(self):
        return json.load(urllib.request.urlopen(f"{self.site}__sim/truth.json"))

    def close(self):
        self.server.close()
        stop(self.simulator)


class Reader:
    """The reader's server for a logged-in member, with a separate store; it can be killed and restarted."""

    def __init__(self, site, name="reader"):
        self.site = site
        self.store = kept(f"{name}.sqlite")
        self.start()
        window = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        deadline = time.monotonic() + 60
        while "Up to date" not in window.open(self.address).read().decode():
            if time.monotonic() > deadline:
                raise BrowserError("The first sync does not end.")
            time.sleep(0.1)

    def start(self):
        self.server = Server(
            "awful", "serve", "--store", self.store, "--base-url", self.site.site, "--user", "lamp_reader",
            "--cookies", self.store + ".cookies", env={**os.environ, "AWFUL_PASSWORD": "open-sesame"})
        self.address, self.root, self.window = self.server.address, self.server.root, self.server.window

    def close(self):
        self.server.close()

    def open_thread(self):
        """Returns a thread to which the reader can reply."""
        return next(t for t in self.site.truth()["threads"] if not t["isClosed"] and len(t["posts"]) > 40)


def stored_forums(site):
    output = run("awful", "forums", "--json", "--store", site.store)
    return [{"id": forum["forumID"], "title": forum["name"]} for forum in json.loads(output)]


def busiest_forum(site):
    forums = [forum for forum in site.truth()["forums"] if not forum["isGroup"]]
    return max(forums, key=lambda forum: len(forum["threadIDs"]))


def test_only_the_printed_address_lets_a_browser_in(browser, site):
    window = browser.window()
    window.open(site.root)
    check("token" in window.value("document.querySelector('main').innerText"), "The refusal does not say why.")
    window.open(site.address)
    check(window.value("document.querySelector('h1').innerText") == "Forums", "The token does not let in.")
    check(window.value("location.href") == site.root, "The token stays in the address.")
    check(window.value("document.cookie") == "", "Scripts can read the token.")


def test_reading_from_the_index_to_a_post(browser, site):
    window = browser.window()
    window.open(site.address)
    forum = busiest_forum(site)
    window.follow(f"a[href='/forums/{forum['id']}']")
    check(window.value("document.querySelector('h1').innerText") == forum["title"], "The forum has another title.")
    check(len(rows(window, "threads")) == min(40, len(forum["threadIDs"])), "Threads are missing.")
    thread = max((t for t in site.truth()["threads"] if t["forumID"] == forum["id"]), key=lambda t: len(t["posts"]))
    window.follow(f"#thread-{thread['id']} a")
    check(rows(window, "posts")[0] == f"post{thread['posts'][0]['id']}", "The first post is another one.")
    window.follow("a[rel=next]")
    check(rows(window, "posts")[0] == f"post{thread['posts'][40]['id']}", "The second page begins elsewhere.")
    check(window.complaints() == [], "The console complains.")


def test_changes_by_another_program_reach_two_windows_and_a_terminal(browser, site):
    windows = [browser.window(), browser.window()]
    forum = busiest_forum(site)
    terminal = Terminal(["awful", "read", "--store", site.store])
    terminal.wait(forum["title"])
    names = [f["title"] for f in stored_forums(site)]
    terminal.press("j" * names.index(forum["title"]) + "\r")
    for window in windows:
        window.open(site.address)
        window.open(f"{site.root}forums/{forum['id']}")
        window.value("window.isSame = true")
    before = rows(windows[0], "threads")
    terminal.wait(windows[0].value("document.querySelector('#threads .title').innerText")[:60])
    site.control("advance?seconds=60000")
    site.sync()
    listed = [t for t in site.truth()["threads"] if t["forumID"] == forum["id"]]
    new = [f"thread-{t['id']}" for t in listed if f"thread-{t['id']}" not in before]
    check(new, "The site has no new thread.")
    for window in windows:
        window.wait(f"document.getElementById({json.dumps(new[-1])})")
        window.wait("document.querySelectorAll('#threads > li').length === "
                    f"{min(40, len(before) + len(new))}")
        check(window.value("window.isSame"), "The page was loaded again.")
    title = next(t["title"] for t in listed if f"thread-{t['id']}" == new[-1])
    terminal.wait(title[:60])
    check(terminal.close() == 0, "The terminal's program fails at its end.")
    shown = rows(windows[0], "threads")
    windows[1].open(f"{site.root}forums/{forum['id']}")
    check(shown == rows(windows[1], "threads"), "The page that stayed open has another order than a new one.")


def test_the_row_under_the_eye_stays(browser, site):
    window = browser.window(height=500)
    forum = busiest_forum(site)
    window.open(site.address)
    window.open(f"{site.root}forums/{forum['id']}")
    # Rows at the end: another thread comes above them.
    window.value("scrollTo(0, document.body.scrollHeight)")
    first = ("[...document.querySelectorAll('#threads > li')]"
             ".find(row => row.getBoundingClientRect().bottom > 0)")
    held = window.value(f"(row => [row.id, row.getBoundingClientRect().top])({first})")
    others = [t for t in site.truth()["threads"] if t["forumID"] != forum["id"]]
    newest = max(others, key=lambda thread: thread["lastPostDate"])
    site.control(f"move-thread?id={newest['id']}&forum={forum['id']}")
    site.sync()
    window.wait(f"document.getElementById('thread-{newest['id']}')")
    top = window.value(f"document.getElementById({json.dumps(held[0])}).getBoundingClientRect().top")
    check(abs(top - held[1]) < 1, f"The row moved from {held[1]} to {top}.")


def test_pages_are_read_without_script(browser, site):
    window = browser.window(runs_scripts=False)
    window.open(site.address)
    forum = busiest_forum(site)
    window.open(f"{site.root}forums/{forum['id']}")
    check(rows(window, "threads"), "The forum is empty.")
    link = window.value("document.querySelector('#threads a').href")
    window.open(link)
    check(rows(window, "posts"), "The thread is empty.")
    check(window.value("[...document.querySelectorAll('form')].every(form => form.method === 'post')"),
          "A form is not sent.")


def test_a_form_is_sent_and_leads_back(browser, site):
    window = browser.window()
    window.open(site.address)
    thread = site.truth()["threads"][0]
    window.open(f"{site.root}threads/{thread['id']}")
    window.follow("form[action='/images'] button")
    check(window.value("location.pathname") == f"/threads/{thread['id']}", "The form leads elsewhere.")
    check("Do not load" in window.value("document.querySelector('form[action=\\'/images\\']').innerText"),
          "The setting is not kept.")


def test_the_keyboard_alone_is_enough(browser, site):
    window = browser.window()
    window.open(site.address)
    forum = busiest_forum(site)
    links = window.value("[...document.querySelectorAll('#forums a.row')].map(link => link.getAttribute('href'))")
    for _ in range(links.index(f"/forums/{forum['id']}") + 1):
        window.press("j")
    window.press("Enter", waits=True)
    check(window.value("document.querySelector('h1').innerText") == forum["title"], "The keys lead elsewhere.")
    window.press("j")
    window.press("j")
    window.press("k")
    window.press("Enter", waits=True)
    check(rows(window, "posts"), "The keys do not open a thread.")
    window.press("j")
    check(window.value("document.activeElement.tagName") == "ARTICLE", "The keys do not choose a post.")
    window.press("u", waits=True)
    check(window.value("document.querySelector('h1').innerText") == forum["title"], "The keys do not lead up.")
    window.press("Tab")
    check(window.value("getComputedStyle(document.activeElement).outlineStyle") != "none", "The focus is not seen.")


def test_a_reply_is_posted_and_seen_in_another_window(browser, site, reader):
    thread = reader.open_thread()
    other, window = browser.window(), browser.window()
    last = (len(thread["posts"]) + 40) // 40
    for w in [other, window]:
        w.open(reader.address)
        w.open(f"{reader.root}threads/{thread['id']}?page={last}")
    other.value("window.isSame = true")
    window.follow("#heading a[href^='/write/reply/']")
    window.type("#body", "A reply from a browser, [b]bold[/b].")
    window.wait("document.querySelector('.saved').innerText.startsWith('Saved at')")
    window.follow("button[value=preview]")
    check(window.value("document.querySelector('.preview b').innerText") == "bold", "The preview is not the site's.")
    window.screenshot(kept("write.png"))
    window.follow("button[value=send]")
    posts = [p for p in thread_of(site, thread["id"])["posts"] if "from a browser" in (p.get("typed") or "")]
    check(len(posts) == 1, f"The site has {len(posts)} of the post.")
    check(window.value("location.hash") == f"#post{posts[0]['id']}", "The reader is not led to the post.")
    other.wait(f"document.getElementById('post{posts[0]['id']}')")
    check(other.value("window.isSame"), "The other window was loaded again.")
    window.screenshot(kept("posted.png"))
    check(window.complaints() == [], f"The console complains: {window.complaints()}")


def test_a_draft_survives_the_end_of_the_program(browser, site, reader):
    thread = reader.open_thread()
    window = browser.window()
    window.open(reader.address)
    window.open(f"{reader.root}write/reply/{thread['id']}")
    window.type("#body", "Typed before the kill.")
    window.wait("document.querySelector('.saved').innerText.startsWith('Saved at')")
    reader.close()
    window.type("#body", " Typed while the program was gone.")
    window.wait("document.querySelector('.saved').innerText.startsWith('Not saved:')")
    check("while the program" in window.value("document.querySelector('#body').value"), "The field has lost its text.")
    reader.start()
    window.open(reader.address)
    window.open(f"{reader.root}drafts")
    check("Typed before the kill" in window.value("document.querySelector('#drafts').innerText"), "The draft is lost.")
    window.screenshot(kept("drafts.png"))
    window.follow("#drafts a")
    check(window.value("document.querySelector('#body').value") == "Typed before the kill.", "The text is another one.")
    window.follow("button[value=discard]")
    window.open(f"{reader.root}drafts")
    check(rows(window, "drafts") == [], "The discarded draft stays.")


def test_saves_of_a_draft_run_one_after_the_other(browser, site, reader):
    thread = reader.open_thread()
    window = browser.window()
    window.open(reader.address)
    window.open(f"{reader.root}write/reply/{thread['id']}")
    # Each request lasts longer than two pauses in typing.
    window.value("""(() => {
      const send = window.fetch;
      let running = 0;
      window.most = 0;
      window.done = 0;
      window.fetch = async (...request) => {
        running += 1;
        window.most = Math.max(window.most, running);
        await new Promise(resume => setTimeout(resume, 2500));
        const answer = await send(...request);
        running -= 1;
        window.done += 1;
        return answer;
      };
    })()""")
    for word in ["One", " after", " the"]:
        window.type("#body", word)
        time.sleep(0.9)
    window.wait("window.done === 3")
    check(window.value("window.most") == 1, "Two requests save the draft at the same time.")
    window.type("#body", " other.")
    time.sleep(0.9)
    window.follow("button[value=send]")
    check(window.value("document.querySelector('.conflict') === null"), "The draft conflicts with its own save.")
    posts = [p for p in thread_of(site, thread["id"])["posts"] if p.get("typed") == "One after the other."]
    check(len(posts) == 1, f"The site has {len(posts)} of the post.")


def test_the_second_click_of_a_double_click_is_not_sent(browser, site, reader):
    thread = reader.open_thread()
    window = browser.window()
    window.open(reader.address)
    window.open(f"{reader.root}threads/{thread['id']}?page=1")
    window.value("window.isLeft = true")
    # The change by the first click gives the button the opposite effect.
    window.value("""(form => {
      for (const place of [100000, 0]) {
        form.elements.place.value = place;
        form.requestSubmit();
      }
    })(document.querySelector("#heading form[action$='/seen']"))""")
    window.wait("!window.isLeft && document.readyState === 'complete'")
    label = window.value("document.querySelector(\"#heading form[action$='/seen'] button\").innerText")
    check(label == "Mark as unread", f"The second click was sent: the button is {label}.")


def test_a_conflict_is_shown_and_resolved(browser, site, reader):
    thread = reader.open_thread()
    window, other = browser.window(), browser.window()
    window.open(reader.address)
    window.open(f"{reader.root}write/reply/{thread['id']}")
    window.type("#body", "To be changed twice.")
    window.follow("button[value=send]")
    post = window.value("location.hash").removeprefix("#post")
    window.open(f"{reader.root}write/edit/{post}?thread={thread['id']}")
    window.type("#body", " Changed here.")
    window.wait("document.querySelector('.saved').innerText.startsWith('Saved at')")
    # Another program of the same reader changes the post.
    second = Reader(site, "second")
    try:
        other.open(second.address)
        other.open(f"{second.root}write/edit/{post}?thread={thread['id']}")
        other.type("#body", " Changed there.")
        other.follow("button[value=send]")
    finally:
        second.close()
    window.follow("button[value=send]")
    check(window.value("document.querySelector('.conflict .typed').innerText") == "To be changed twice. Changed there.",
          "The site's text is not shown.")
    check("Changed here" in window.value("document.querySelector('#body').value"), "The reader's text is lost.")
    window.screenshot(kept("conflict.png"))
    window.follow("button[value=send]")
    typed = [p["typed"] for p in thread_of(site, thread["id"])["posts"] if p["id"] == post]
    check(typed == ["To be changed twice. Changed here."], f"The post is {typed}.")


def test_logging_out_and_in(browser, site, reader):
    window = browser.window()
    window.open(reader.address)
    window.open(f"{reader.root}settings")
    window.follow("form[action='/settings/logout'] button")
    check(window.value("document.querySelector('#password') !== null"), "There is no form to log in.")
    window.screenshot(kept("log-in.png"))
    for password, is_right in [("wrong", False), ("open-sesame", True)]:
        window.value("document.querySelector('#name').value = ''")
        window.type("#name", "lamp_reader")
        window.type("#password", password)
        window.follow("form[action='/settings/login'] button")
        check(window.value("document.querySelector('form[action=\\'/settings/logout\\']') !== null") == is_right,
              f"The password {password} does the wrong thing.")
    check(window.complaints() == [], "The console complains.")


def test_searching_stored_posts(browser, site, reader):
    thread = max(site.truth()["threads"], key=lambda t: len(t["posts"]))
    window = browser.window()
    window.open(reader.address)
    window.open(f"{reader.root}threads/{thread['id']}")
    post, text = window.value(
        "[...document.querySelectorAll('#posts > li')].map(row => [row.id, row.querySelector('.body').innerText])"
        ".reduce((one, other) => other[1].length > one[1].length ? other : one)")
    words = " ".join(re.findall(r"\w+", text)[:6])
    # Generated posts are similar; in one thread, only a few of them contain the phrase.
    window.follow("#heading a[href^='/search']")
    window.type("#words", f'"{words}"')
    window.follow("form[role=search] button")
    window.screenshot(kept("search.png"))
    found = rows(window, "found")
    check(post.replace("post", "found-") in found, f"{words}: {post} is not among {found}.")
    window.follow(f"#{post.replace('post', 'found-')} a")
    check(window.value("location.hash") == f"#{post}", "The result leads elsewhere.")


def test_what_was_in_view_counts_as_seen(browser, site, reader):
    thread = next(t for t in site.truth()["threads"] if t.get("seen") is None and 3 < len(t["posts"]) < 40)
    window = browser.window(height=2000)
    window.open(reader.address)
    window.open(f"{reader.root}threads/{thread['id']}")
    window.value("scrollTo(0, document.body.scrollHeight)")
    window.wait("innerHeight + scrollY >= document.body.scrollHeight - 2")
    window.follow("[data-key=up]")
    window.wait(f"!document.querySelector('#thread-{thread['id']} .count')?.innerText.includes('not opened')")


def test_forums_and_threads_are_chosen_by_buttons(browser, site, reader):
    forum = busiest_forum(site)
    window = browser.window()
    window.open(reader.address)
    window.open(f"{reader.root}forums/{forum['id']}")
    window.follow("form[action$='/favorite'] button")
    first = rows(window, "threads")[-1].removeprefix("thread-")
    window.open(f"{reader.root}threads/{first}")
    window.follow("form[action$='/save'] button")
    window.follow("form[action$='/hide'] button")
    window.open(f"{reader.root}forums/{forum['id']}")
    check(f"thread-{first}" not in rows(window, "threads"), "The hidden thread is listed.")
    window.open(reader.root)
    check(rows(window, "favorites") == [f"favorite-{forum['id']}"], "The favourite is missing.")
    window.screenshot(kept("favorites.png"))
    window.open(f"{reader.root}saved")
    window.wait("document.querySelector('#saved').innerText.includes('complete')")


def test_messages_arrive_and_are_answered(browser, site, reader):
    window, other = browser.window(), browser.window()
    for w in [window, other]:
        w.open(reader.address)
    window.open(f"{reader.root}messages")
    unread = "Number(document.querySelector('#unread-count').firstChild.data)"
    before = window.value(unread)
    window.value("window.isSame = true")
    terminal = Terminal(["awful", "read", "--store", reader.store])
    terminal.wait(busiest_forum(site)["title"])
    terminal.press("m")
    site.control("message?title=Hello%20%3Cb%3E&text=How%20are%20you%3F")
    other.follow("form[action='/refresh'] button")
    window.wait(f"{unread} === {before + 1}")
    terminal.wait("Hello <b>")
    check(terminal.close() == 0, "The terminal's program fails at its end.")
    check(window.value("window.isSame"), "The page was loaded again.")
    title = "document.querySelector('#messages .title').innerText"
    check(window.value(title) == "Hello <b>", "The message that arrived is not the first.")
    window.press("j")
    window.press("Enter", waits=True)
    check("How are you?" in window.value("document.querySelector('.body').innerText"), "The text is missing.")
    window.wait(f"{unread} === {before}")
    window.follow("a[href*='?reply=']")
    check(window.value("document.querySelector('#subject').value") == "Re: Hello <b>", "The subject is another one.")
    window.type("#body", "Well.")
    window.follow("form.writing button")
    check(window.value("document.querySelector('h1').innerText") == "Sent Items", "The form leads elsewhere.")
    check(window.value(title) == "Re: Hello <b>", "The reply is not among the sent items.")
    sent = [m for m in site.truth()["messages"] if m["title"] == "Re: Hello <b>"]
    check(len(sent) == 1 and sent[0]["text"].endswith("Well."), f"The site has {sent}.")
    check(window.complaints() == [], "The console complains.")


def test_a_member_is_ignored_and_shown_again(browser, site, reader):
    truth = site.truth()
    user = next(u for u in truth["users"] if u["role"] == "normal" and u["id"] not in truth["ignoredUserIDs"])
    window = browser.window(runs_scripts=False)
    window.open(reader.address)
    window.open(f"{reader.root}members/{user['id']}")
    check(window.value("document.querySelector('h1').innerText") == user["name"], "Another member is shown.")
    window.follow("button[value=add]")
    check(user["id"] in site.truth()["ignoredUserIDs"], "The site does not ignore the member.")
    check(f"You are now ignoring {user['name']}"
          in window.value("document.querySelector('.actions[role=status]').innerText"),
          "The page does not say what was done.")
    window.follow("[role=status] button[value=remove]")
    check(user["id"] not in site.truth()["ignoredUserIDs"], "The site still ignores the member.")


def test_no_page_of_messages_and_members_has_a_serious_accessibility_violation(browser, site, reader):
    truth = site.truth()
    message = next(m for m in truth["messages"] if m["folderID"] == "0")
    member = next(u for u in truth["users"] if u["role"] == "normal" and u["acceptsMessages"])
    paths = {"messages": "messages", "message": f"messages/{message['id']}", "sent": "messages/folder/-1",
             "compose": f"messages/new?reply={message['id']}", "folders": "messages/folders",
             "punished": f"members/{truth['punishments'][0]['userID']}", "member": f"members/{member['id']}",
             "ignored": "ignored", "no-message": "messages/0"}
    check_accessibility(browser, reader, paths)


def thread_of(site, thread_id):
    return next(t for t in site.truth()["threads"] if t["id"] == thread_id)


def test_no_page_has_a_serious_accessibility_violation(browser, site, reader):
    forum = busiest_forum(site)
    thread = next(t for t in site.truth()["threads"] if t["forumID"] == forum["id"])
    paths = {"forums": "", "forum": f"forums/{forum['id']}", "thread": f"threads/{thread['id']}",
             "bookmarks": "bookmarks", "missing": "threads/0", "reply": f"write/reply/{thread['id']}",
             "new-thread": f"write/thread/{forum['id']}", "empty-drafts": "drafts", "settings": "settings",
             "search": "search?q=the",
             "saved": "saved", "arrange": "favorites", "hidden": "hidden"}
    check_accessibility(browser, reader, paths)


def test_everything_stored_is_read_when_the_site_is_gone(browser, site):
    stop(site.simulator)
    following = Server("awful", "serve", "--store", site.store, "--base-url", site.site, "--every", "1")
    try:
        window = following.window(browser)
        window.wait("document.getElementById('sync').innerText.startsWith('Offline since')")
        window.screenshot(kept("offline.png"))
        window.follow("form[action='/refresh'] button")
        check(window.value("location.pathname") == "/", "The button leads elsewhere.")
        window.follow("#forums a.row")
        check(rows(window, "threads"), "The forum is empty.")
        window.follow("#threads a.row")
        check(rows(window, "posts"), "The thread is empty.")
    finally:
        following.close()


run_tests(dict(globals()), Site, Reader)
