"""Browser tests of the pages of Magical Stories, with a library of generated stories and its server.

Usage: stories.py TOOLS FOLDER AXE   (see trials.py)
"""

import json

from trials import Server, Terminal, check, check_accessibility, check_calm, kept, rows, run, run_tests, text

LONG = "A title that does not end: " + "once upon a time and " * 8
UNBROKEN = "Unbroken" * 20
TITLES = [LONG, UNBROKEN, "קיפוד ו-fox בלילה", "長い夜の物語と月", "<b>Bold</b> & “quoted”"]


def finish(window):
    """Reads a story to the end."""
    window.open(window.value("location.href.split('?')[0] + '?page=1000'"))
    window.follow("form[action$='/read'] button")


class Library:
    """A library with its server, and the commands that change it from outside."""

    def __init__(self):
        self.store = kept("stories.store")
        for seed in range(3):
            self.make(seed, "Zoe", "long")
        self.server = Server("stories", "serve", "--store", self.store)
        self.root, self.window, self.close = self.server.root, self.server.window, self.server.close

    def make(self, seed, name, length="short"):
        """Creates a story from another program."""
        run("stories", "new", "--store", self.store, "--name", name, "--seed", str(seed), "--length", length)

    def stories(self):
        return json.loads(run("stories", "list", "--json", "--store", self.store))

    def story(self, browser, name, **options):
        """Returns a window with a new short story, and the story's path."""
        window = self.window(browser, "new", **options)
        window.fill("#name", name)
        window.value("document.querySelector('#length').value = 'short'")
        window.follow(".writing button")
        return window, window.value("location.pathname").removeprefix("/")


def test_a_form_makes_a_story(browser, library):
    window = library.window(browser, "new")
    window.fill("#name", "Ada")
    window.fill("#seed", "-1")
    window.follow(".writing button")
    check("whole number" in text(window, "[role=alert]"), "The refusal does not say why.")
    check(window.value("document.querySelector('#name').value") == "Ada", "What was typed is lost.")
    window.complaints()  # The error status is one.
    window.fill("#seed", "12")
    window.follow(".writing button")
    check("Ada" in text(window, "main"), "The story is another one.")
    window.screenshot(kept("reader.png"))
    check_calm(window)


def test_pages_are_turned_by_keys_and_links(browser, library):
    window = library.window(browser, "?sort=oldest")
    window.follow("#shelf a.row")
    pages = [text(window, ".leaf")]
    while window.value("document.querySelector('[rel=next]') !== null"):
        if len(pages) % 2:
            window.press("n", waits=True)
        else:
            window.follow("[rel=next]")
        pages.append(text(window, ".leaf"))
    check(len(pages) > 2 and len(set(pages)) == len(pages), "Pages are missing, or there twice.")
    window.press("p", waits=True)
    check(text(window, ".leaf") == pages[-2], "The key leads elsewhere.")
    characters = window.value("""(leaf => {
        const brush = document.createElement("canvas").getContext("2d");
        brush.font = getComputedStyle(leaf).font;
        const words = leaf.innerText.replaceAll("\\n", " ");
        return leaf.clientWidth / (brush.measureText(words).width / words.length);
    })(document.querySelector(".leaf"))""")
    check(45 < characters < 75, f"Lines have {characters} characters.")


def swipe(window, x, y):
    """Swipes over the beginning of a page's text by a distance; the end of the text can be below the window."""
    left, top = window.value(
        "(box => [box.x + box.width / 2, box.y + 20])(document.querySelector('.leaf').getBoundingClientRect())")
    window.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": left, "y": top}])
    for part in [0.5, 1]:
        window.send("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": left + x * part, "y": top + y * part}])
    window.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def test_pages_are_turned_by_swipes(browser, library):
    window = library.window(browser, "?sort=oldest", width=390)
    window.send("Emulation.setTouchEmulationEnabled", enabled=True)
    window.follow("#shelf a.row")
    first = text(window, ".leaf")
    swipe(window, -20, 0)
    swipe(window, -80, 120)
    swipe(window, 120, 0)
    check(text(window, ".leaf") == first, "A short, a vertical or a backward swipe turns the page.")
    swipe(window, -120, 10)
    # The script of the page runs before the page is complete.
    window.wait("document.querySelector('[rel=prev]') !== null && document.readyState === 'complete'")
    check(text(window, ".leaf") != first, "The page is not turned.")
    swipe(window, 120, 10)
    window.wait("document.querySelector('[rel=prev]') === null && document.readyState === 'complete'")
    check(text(window, ".leaf") == first, "The page is not turned back.")
    check_calm(window)


def test_the_shelf_follows_windows_and_programs(browser, library):
    one, two = library.window(browser), library.window(browser)
    for window in [one, two]:
        window.value("window.isSame = true")
    terminal = Terminal(["stories", "read", "--store", library.store])
    terminal.wait("Zoe")
    library.make(77, "Quentin")
    for window in [one, two]:
        window.wait("document.querySelector('#shelf').innerText.includes('Quentin')")
    terminal.wait(text(one, "#shelf .title")[:30])
    story = one.value("document.querySelector('#shelf > li').id")
    reader = library.window(browser, f"stories/{story.removeprefix('story-')}")
    reader.follow("form[action$='/favourite'] button")
    check("Remove" in text(reader, "form[action$='/favourite'] button"), "The button does not say what it does now.")
    for window in [one, two]:
        window.wait(f"document.getElementById('{story}').innerText.includes('★')")
        check(window.value("window.isSame"), "The page was loaded again.")
        check_calm(window)
    check(terminal.close() == 0, "The terminal's program fails at its end.")
    one.open(f"{library.root}?favourites=1")
    check(rows(one, "shelf") == [story], "The favourites are others.")


def test_of_two_texts_one_is_saved(browser, library):
    window, path = library.story(browser, "Conrad")
    other = library.window(browser, f"{path}/edit")
    window.open(f"{library.root}{path}/edit")
    other.fill("#content", "The text of the other window.")
    other.follow(".writing button")
    window.fill("#content", "My text.")
    window.follow(".writing button")
    check("other window" in text(window, ".conflict .typed"), "The stored text is not shown.")
    check(window.value("document.querySelector('#content').value") == "My text.", "What was typed is lost.")
    window.screenshot(kept("text-conflict.png"))
    other.open(f"{library.root}{path}")
    check("other window" in text(other, ".leaf"), "The text was overwritten before the question.")
    window.follow(".writing button")
    other.wait("document.querySelector('.leaf').innerText === 'My text.'")


def test_of_two_notes_one_is_saved(browser, library):
    window, path = library.story(browser, "Nora")
    other = library.window(browser, path)
    other.fill("#note", "Read it again.")
    other.follow("form[action$='/note'] button")
    window.fill("#note", "Too long.")
    window.follow("form[action$='/note'] button")
    check(text(window, ".conflict .typed") == "Read it again.", "The stored note is not shown.")
    check(window.value("document.querySelector('#note').value") == "Too long.", "What was typed is lost.")
    window.screenshot(kept("note-conflict.png"))
    window.follow("form[action$='/note'] button")
    check(window.value("document.querySelector('#note').value") == "Too long.", "The note is another one.")
    check(window.value("location.pathname").removeprefix("/") == path, "The form leads elsewhere.")


def test_of_two_profiles_one_is_saved(browser, library):
    window, other = library.window(browser, "profile"), library.window(browser, "profile")
    other.fill("#name", "Ottilie")
    other.fill("#interests", "owls, maps")
    other.follow(".writing button")
    window.fill("#name", "Mina")
    window.follow(".writing button")
    check("Ottilie" in text(window, ".conflict .typed"), "The stored profile is not shown.")
    check(window.value("document.querySelector('#name').value") == "Mina", "What was typed is lost.")
    window.screenshot(kept("profile-conflict.png"))
    window.follow(".writing button")
    other.open(f"{library.root}new")
    check(other.value("document.querySelector('#name').value") == "Mina", "The profile is another one.")


def test_the_settings_of_the_profile_change_the_pages(browser, library):
    reader, path = library.story(browser, "Vera")
    check(reader.value("document.getElementById('speak')") is None, "The page offers to read without the setting.")
    window = library.window(browser, "profile")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = window.value(paper)
    window.value("document.querySelector('[name=colorScheme]').value = 'dark'; document.querySelector('[name=readsAloud]').click()")
    window.follow(".writing button")
    check(window.value(paper) != light, "The page stays light.")
    check(window.value("getComputedStyle(document.documentElement).colorScheme") == "dark", "The controls stay light.")
    window.screenshot(kept("profile-dark.png"))
    reader.open(f"{library.root}{path}")
    # The headless browser has no voices.
    reader.value("window.said = []; speechSynthesis.speak = (words) => said.push(words); 0")
    check(reader.value("!document.getElementById('speak').hidden"), "The button stays hidden.")
    reader.value("document.getElementById('speak').click()")
    check(reader.value("said[0].text === document.querySelector('.leaf').innerText"), "Another text is read.")
    check(text(reader, "#speak") == "Stop reading", "The button does not stop.")
    reader.value("said[0].dispatchEvent(new Event('end'))")
    check(text(reader, "#speak") == "Read aloud", "The button does not start again.")
    check_calm(reader)
    window.value("document.querySelector('[name=colorScheme]').value = 'system'; document.querySelector('[name=readsAloud]').click()")
    window.follow(".writing button")
    check(window.value(paper) == light, "The page stays dark.")
    reader.open(f"{library.root}{path}")
    check(reader.value("document.getElementById('speak')") is None, "The page still offers to read.")


def test_what_was_typed_survives_the_deletion_of_its_story(browser, library):
    window, path = library.story(browser, "Delia")
    other = library.window(browser, path)
    window.open(f"{library.root}{path}/edit")
    window.fill("#content", "Typed for a story that goes.")
    other.value("document.querySelector('details').open = true")
    other.follow("form[action$='/delete'] button")
    check(text(other, "h1") == "Shelf", "The deletion leads elsewhere.")
    window.follow(".writing button")
    check(window.value("document.querySelector('#content').value") == "Typed for a story that goes.", "The text is lost.")
    window.screenshot(kept("deleted.png"))
    window.follow(".writing button")
    check(text(window, ".leaf") == "Typed for a story that goes.", "The text is no new story.")


def test_a_collection_asks_before_it_goes(browser, library):
    window, path = library.story(browser, "Cleo")
    identifier = path.removeprefix("stories/")
    window.open(f"{library.root}collections")
    window.fill("#name", "Evenings")
    window.follow("main form button")
    window.follow("#collections a")
    window.value(f"document.querySelector('select[name=story]').value = '{identifier}'")
    window.follow("button[value=add]")
    check(rows(window, "shelf") == [f"story-{identifier}"], "The story is not in the collection.")
    window.screenshot(kept("collection.png"))
    overview = library.window(browser, "collections")
    overview.value("window.isSame = true")
    reader = library.window(browser, path)
    finish(reader)
    overview.wait("document.querySelector('progress').value === 100")
    check(overview.value("window.isSame"), "The page was loaded again.")
    window.follow("a[href$='/delete']")
    check("1 story" in text(window, "main"), "The question does not say what would go.")
    window.screenshot(kept("question.png"))
    window.follow("button[value=keepingStories]")
    check(rows(window, "collections") == [], "The collection stays.")
    window.open(f"{library.root}{path}")
    check(text(window, ".leaf"), "The story went with its collection.")


def test_reading_earns_achievements_and_days(browser, library):
    achievements = library.window(browser, "achievements")
    window, path = library.story(browser, "Rhea")
    finish(window)
    achievements.wait("document.querySelector('#achievements').innerText.includes('First story')")
    achievements.open(f"{library.root}achievements")
    check("1 day in a row" in text(achievements, "main"), "The day of reading is not counted.")
    window.open(f"{library.root}?search=Rhea")
    check("read 1×" in text(window, "#shelf"), "The reading is not counted.")


def test_the_keyboard_alone_is_enough(browser, library):
    window = library.window(browser)
    titles = window.value("[...document.querySelectorAll('#shelf .title')].map(title => title.innerText)")
    window.press("j")
    window.press("j")
    check(window.value("getComputedStyle(document.activeElement).outlineStyle") != "none", "The focus is not seen.")
    window.press("Enter", waits=True)
    check(text(window, "h1") == titles[1].removeprefix("★ "), "The keys lead elsewhere.")
    # From the reader to its favourite button by Tab.
    for _ in range(20):
        window.press("Tab")
        if window.value("document.activeElement.matches('form[action$=\\'/favourite\\'] button')"):
            break
    before = window.value("document.activeElement.innerText")
    window.press("Enter", waits=True)
    check(text(window, "form[action$='/favourite'] button") != before, "The button cannot be pressed by a key.")
    window.press("u", waits=True)
    check(text(window, "h1") == "Shelf", "The keys do not lead up.")


def test_everything_works_without_script(browser, library):
    window, path = library.story(browser, "Silas", runs_scripts=False)
    window.fill("#note", "Without script.")
    window.follow("form[action$='/note'] button")
    check(window.value("document.querySelector('#note').value") == "Without script.", "The note is not kept.")
    finish(window)
    window.open(f"{library.root}?search=Silas")
    check("read 1×" in text(window, "#shelf"), "The reading is not counted.")


def test_no_page_has_a_serious_accessibility_violation(browser, library):
    window, path = library.story(browser, "Tilda")
    for title in TITLES:
        window.open(f"{library.root}{path}/edit")
        window.fill("#title", title)
        window.follow(".writing button")
        window, path = library.story(browser, "Tilda")
    named = next(story["id"] for story in library.stories() if story["title"] == UNBROKEN)
    window.open(f"{library.root}collections")
    for name in [LONG, UNBROKEN]:
        window.fill("#name", name)
        window.follow("main form button")
        window.open(f"{library.root}collections")
    collection = window.value("document.querySelector('#collections a').pathname").removeprefix("/")
    paths = {"shelf": "?search=", "nothing-found": "?search=nonsense", "story": path, "unbroken": f"stories/{named}",
             "edit": f"stories/{named}/edit", "new": "new", "collections": "collections", "one-collection": collection,
             "delete": f"{collection}/delete", "achievements": "achievements", "profile": "profile",
             "missing-story": "stories/0"}
    check_accessibility(browser, library.server, paths, widths=(360, 768, 1440))


run_tests(dict(globals()), Library)
