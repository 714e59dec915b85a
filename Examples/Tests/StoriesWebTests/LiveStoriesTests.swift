import ForumHTML
import Foundation
import StoriesCore
import StoriesWeb
import Testing
import WebTestClient

/// Open pages receive changes; the commands work on the same library.
@Suite("Live pages and commands of the reading application", .serialized)
struct LiveStoriesTests {
  @Test(
    "a change reaches two open windows, the shelf and the reader", .timeLimit(.minutes(30)))
  func twoWindows() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl", "Long ago.")
      let shelf = try trial.events(of: try await trial.page("/"))
      let reader = try trial.events(of: try await trial.page("/stories/\(id.uuidString)"))
      let form = try await trial.page("/stories/\(id.uuidString)/edit").first(".writing")
      _ = try await trial.submit(
        try #require(form), ["title": "Changed title", "content": "Changed text."])
      #expect(await shelf.text(until: "Changed title").contains("event: update"))
      #expect(await reader.text(until: "Changed text.").contains("event: update"))
    }
  }

  @Test("the open shelf shows stories that another program adds or reads", .timeLimit(.minutes(30)))
  func otherProgram() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      let added = try trial.events(of: try await trial.page("/"))
      let made = try trial.program(
        "stories", ["new", "--store", trial.file.path, "--name", "Zoe", "--seed", "5"])
      #expect(made.status == 0)
      #expect(await added.text(until: "Zoe").contains("event: insert"))
      let read = try trial.events(of: try await trial.page("/"))
      #expect(
        try trial.program("stories-worker", ["read", trial.file.path, id.uuidString, "3"]).status
          == 0)
      #expect(await read.text(until: "read 3×").contains("event: update"))
    }
  }

  @Test("a text that another program imports reaches the open reader", .timeLimit(.minutes(30)))
  func importedText() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl", "Long ago.")
      let page = try await trial.page("/stories/\(id.uuidString)")
      let reader = try trial.events(of: page)
      let data = try await StoryExchange(trial.library.store).export()
      let changed = String(decoding: data, as: UTF8.self).replacing("Long ago.", with: "Just now.")
      let file = trial.folder.appendingPathComponent("changed.json")
      try Data(changed.utf8).write(to: file)
      let store = trial.file.path
      #expect(try trial.program("stories", ["import", file.path, "--store", store]).status == 0)
      #expect(await reader.text(until: "Just now.").contains("event: update"))
      let edit = try await trial.page("/stories/\(id.uuidString)/edit")
      #expect(try edit.first("textarea")?.text == "Just now.")
    }
  }

  @Test("every command works: list, print, export, import, back up, restore, count and log")
  func commands() async throws {
    try await StoriesTrial.run { trial in
      let file = trial.folder.appendingPathComponent("other.store").path
      func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        try trial.program("stories", arguments + ["--store", file])
      }
      #expect(try run("list").status == 1)
      #expect(try run("new", "--theme", "nonsense").status == 64)
      let made = try run("new", "--name", "Ada", "--theme", "bedtime", "--seed", "5")
      let id = String(made.output.prefix(36))
      #expect(try run("list", "--category", "bedtime").output.contains(id))
      #expect(try run("list", "--json").output.contains("\"mainCharacter\":\"Ada\""))
      #expect(try run("list", "--age", "6-8").output.contains(id))
      #expect(try run("list", "--age", "3-5").output == "0 stories\n")
      #expect(try run("list", "--age", "4").status == 64)
      #expect(try run("read", "--story", id).output.contains("Ada"))
      #expect(try run("read", "--story", "nonsense").status == 1)
      #expect(try run("read", "--story", id).output.contains("Ada"))
      #expect(try run("cache").output.contains("Cached stories: 1,"))
      #expect(try run("cache").output.contains("Hits: 1, misses: 1\n"))
      #expect(try run("cache", "--clear").output.contains("Cached stories: 0, 0 bytes\n"))
      #expect(try run("cache").output.contains("Hits: 0, misses: 0\n"))
      #expect(try run("read").output.contains(id))
      let archive = trial.folder.appendingPathComponent("archive.json").path
      #expect(try run("export", "--output", archive).status == 0)
      // The library's own file stays.
      #expect(try run("export", "--output", file).status == 1)
      #expect(try run("export", "--output", "").status == 64)
      #expect(try trial.program("stories", ["list", "--store", ""]).status == 64)
      #expect(try run("backup").status == 0)
      _ = try run("new", "--name", "Bea")
      #expect(try run("stats").output.contains("Stories: 2"))
      #expect(try run("restore").status == 0)
      #expect(try run("storage").output.contains("Stories: 1"))
      #expect(try run("import", archive).output.hasPrefix("0 new stories, 1 replaced"))
      #expect(try run("import", archive + ".missing").status == 1)
      _ = try run("profile", "--name", "Cy")
      #expect(try run("import", archive).output.contains("The profile of the library was kept."))
      #expect(try run("collections").output == "0 collections\n")
      #expect(try run("log").output.contains("restore"))
    }
  }

  @Test("the commands create, rename, fill and delete collections, and change the profile")
  func collections() async throws {
    try await StoriesTrial.run { trial in
      let file = trial.folder.appendingPathComponent("other.store").path
      func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        try trial.program("stories", arguments + ["--store", file])
      }
      let ids = try (1...2).map {
        try run("new", "--name", "Ada", "--seed", "\($0)").output.prefix(36)
      }
      .map(String.init)
      let made = try run(
        "collections", "make", "Evening", ids[0], "--about", "For the end of the day")
      #expect(made.status == 0 && made.output.hasSuffix("  Evening\n"))
      let id = String(made.output.prefix(36))
      #expect(try run("collections", "add", "Evening", ids[1]).output == "Evening has 2 stories.\n")
      #expect(try run("collections", "rename", id, "Night").status == 0)
      #expect(try run("collections").output.contains("\(id)  Night (2 stories, 0% read)"))
      #expect(try run("collections", "list", "--json").output.contains("For the end of the day"))
      #expect(try run("collections", "remove", "Night", ids[0]).output == "Night has 1 story.\n")
      // A rejected command changes nothing.
      let unknown = UUID().uuidString
      #expect(try run("collections", "make", "Half", ids[0], unknown).status == 1)
      #expect(try run("collections", "add", "Night", ids[0], unknown).status == 1)
      #expect(try run("collections", "remove", "Night", ids[0]).status == 1)
      #expect(try run("collections", "rename", "Night", " ").status == 1)
      #expect(try run("collections", "delete", "Evening").status == 1)
      #expect(try run("collections", "add", "Night", "nonsense").status == 64)
      #expect(try run("collections").output.hasSuffix("Night (1 story, 0% read)\n1 collection\n"))
      #expect(try run("collections", "delete", "Night", "--with-stories").status == 0)
      #expect(try run("list").output.hasSuffix("1 story\n"))

      #expect(
        try run("profile", "--name", "Bea", "--interest", "owls", "--interest", "trains").status
          == 0)
      #expect(
        try run("profile").output == """
          Name: Bea
          Interests: owls, trains
          Read aloud: no
          Color scheme: system
          Days in a row: 0

          """)
      #expect(
        try run("profile", "--theme", "bedtime", "--json").output.contains("\"childName\":\"Bea\""))
      #expect(try run("profile", "--theme", "nonsense").status == 64)
      #expect(try run("profile", "--color-scheme", "pink").status == 64)
      for born in ["2019-02-30", "soon", "9999-01-01"] {
        #expect(try run("profile", "--name", "Cy", "--born", born).status == 1, "\(born)")
      }
      let changed = try run(
        "profile", "--born", "2019-05-06", "--read-aloud", "--voice", "Anna", "--color-scheme",
        "dark", "--interest", "")
      #expect(
        changed.output == """
          Name: Bea
          Date of birth: 2019-05-06
          Favorite themes: bedtime
          Read aloud: yes
          Voice: Anna
          Color scheme: dark
          Days in a row: 0

          """)
      #expect(try run("profile", "--born", "", "--no-read-aloud", "--voice", "").status == 0)
      #expect(
        try run("profile").output == """
          Name: Bea
          Favorite themes: bedtime
          Read aloud: no
          Color scheme: dark
          Days in a row: 0

          """)
      // A new story follows from the profile.
      #expect(try run("new", "--seed", "1").status == 0)
      #expect(try run("list", "--category", "bedtime").output.hasSuffix("1 story\n"))
    }
  }
}
