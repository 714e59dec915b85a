import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import Testing

/// Options of the forum reader's commands.
@Suite("Options of the forum reader's commands", .serialized)
struct ForumCommandTests {
  /// A folder that is deleted with it.
  private final class Folder {
    let url: URL
    var store: URL { url.appendingPathComponent("awful.sqlite") }

    init() throws {
      url = FileManager.default.temporaryDirectory
        .appendingPathComponent("ForumCommandTests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    // A folder that cannot be deleted does not matter.
    deinit { try? FileManager.default.removeItem(at: url) }

    var files: [String] {
      get throws { try FileManager.default.subpathsOfDirectory(atPath: url.path) }
    }
  }

  private struct Run {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs a command over a store, by default a new one in a folder that is deleted afterwards.
  private func run(
    _ arguments: [String], on store: URL? = nil, environment: [String: String] = [:]
  ) throws -> Run {
    let folder = try Folder()
    if store == nil { _ = try ForumStore.openOrMake(folder.store) }
    let texts = try Folder()
    defer { withExtendedLifetime((folder, texts)) {} }
    func writer(_ name: String) throws -> FileHandle {
      let file = texts.url.appendingPathComponent(name)
      try Data().write(to: file)
      return try FileHandle(forWritingTo: file)
    }
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("awful")
    process.arguments = arguments + ["--store", (store ?? folder.store).path]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = try writer("output")
    process.standardError = try writer("errors")
    try process.run()
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      try String(contentsOf: texts.url.appendingPathComponent(name), encoding: .utf8)
    }
    return Run(
      status: process.terminationStatus, output: try text("output"), errors: try text("errors"))
  }

  @Test("--verbose-sql prints the statements to standard error; without it, nothing is printed")
  func verboseSQL() throws {
    let quiet = try run(["forums"])
    #expect(quiet.status == 0 && quiet.errors.isEmpty)
    let verbose = try run(["forums", "--verbose-sql"])
    #expect(verbose.status == 0)
    #expect(verbose.errors.contains("SELECT") && verbose.errors.contains("ZFORUM"))
  }

  @Test("a login without a password is an error before anything is sent")
  func missingPassword() throws {
    // No server listens on this port.
    let site = ["sync", "--base-url", "http://127.0.0.1:1/", "--user", "reader"]
    let run = try run(site, environment: ["AWFUL_PASSWORD": ""])
    #expect(run.status == 1)
    #expect(run.errors.contains("AWFUL_PASSWORD"), "\(run.errors)")
  }

  @Test("a time between two syncs that is out of range is an invalid argument")
  func every() throws {
    for seconds in ["0", "31536001", "9223372036854775807"] {
      let run = try run(["serve", "--base-url", "http://127.0.0.1:1/", "--every", seconds])
      #expect(run.status == 64, "\(seconds)")
      #expect(run.errors.contains("--every must be between 1 and 31536000"), "\(seconds)")
    }
  }

  @Test(
    "serve rejects options of the site without the site's address",
    arguments: [["--user", "a"], ["--cookies", "a"], ["--image-host", "http://127.0.0.1:1/"]])
  func siteOptions(_ options: [String]) throws {
    let run = try run(["serve"] + options)
    #expect(run.status == 64)
    #expect(run.errors.contains("require --base-url"), "\(run.errors)")
  }

  @Test(
    "an empty path is an invalid argument",
    arguments: [["export", "--thread", "7", "--output", ""], ["import", ""]])
  func emptyPath(_ arguments: [String]) throws {
    let run = try run(arguments)
    #expect(run.status == 64)
    #expect(run.errors.contains("The path is empty."))
  }

  @Test(
    "a command that finds no store, or no file to import, leaves no files and folders",
    arguments: [["prune"], ["read"], ["forums"], ["import", "/nonexistent/page.html"]])
  func nothingToDo(_ arguments: [String]) throws {
    let folder = try Folder()
    let store = folder.url.appendingPathComponent("missing/none.sqlite")
    let run = try run(arguments, on: store)
    #expect(run.status == 1)
    #expect(!run.errors.isEmpty)
    #expect(try folder.files == [])
  }

  @Test("a saved page that cannot be read creates no store")
  func unreadablePage() throws {
    let (folder, pages) = (try Folder(), try Folder())
    let page = pages.url.appendingPathComponent("page.html")
    try Data("<html><body>Welcome to the hotel.</body></html>".utf8).write(to: page)
    let store = folder.url.appendingPathComponent("missing/none.sqlite")
    let run = try run(["import", page.path], on: store)
    #expect(run.status == 1)
    #expect(run.errors.contains(page.path))
    #expect(try folder.files == [])
    withExtendedLifetime(pages) {}
  }

  @Test("the progress of a migration is printed to standard error, and the output is unchanged")
  func migration() throws {
    let folder = try Folder()
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try AwfulModel.make(version: 2))
    let old = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.store,
      options: [NSPersistentHistoryTrackingKey: true])
    try coordinator.remove(old)
    let first = try run(["forums", "--json"], on: folder.store)
    #expect(first.status == 0 && first.errors == "migration: 100/100\n")
    let second = try run(["forums", "--json"], on: folder.store)
    #expect(second.status == 0 && second.errors.isEmpty && second.output == first.output)
    withExtendedLifetime(folder) {}
  }

  @Test("importing a saved page keeps a read mark that was not sent to the site")
  func importedMark() async throws {
    let folder = try Folder()
    let store = try ForumStore.openOrMake(folder.store)
    let personal = try PersonalStore.openOrMake(beside: folder.store)
    try await personal.performBackgroundTask { context in
      let mark = PendingMark(context: context)
      (mark.threadID, mark.seenPosts) = ("7", 2)
    }
    let page = folder.url.appendingPathComponent("list.html")
    let html = """
      <html><body id="something_awful" class="forumdisplay" data-forum="3">
      <div class="pages" data-current-page="1" data-total-pages="1"></div>
      <table id="forum" class="threadlist"><tr class="thread" id="thread7"><td class="star bm1"></td>
      <td class="title"><a class="thread_title">Owls</a><a class="x">X</a></td>
      <td class="replies">4</td></tr></table>
      <a href="/account.php?action=logout">Log Out</a></body></html>
      """
    try Data(html.utf8).write(to: page)
    let run = try run(["import", page.path], on: folder.store)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try ForumLists(store).thread("7").unreadPostCount == 3)
    withExtendedLifetime(folder) {}
  }

  @Test("titles and names with line breaks take up one line")
  func lineBreaks() async throws {
    let folder = try Folder()
    let store = try ForumStore.openOrMake(folder.store)
    try await store.performBackgroundTask { context in
      let forum = Forum(context: context)
      (forum.forumID, forum.name) = ("7", "Books\nand\u{2028}more")
      let thread = ForumThread(context: context)
      (thread.threadID, thread.title, thread.forum) = ("8", "Owls\r\nand\nmore", forum)
      let author = User(context: context)
      (author.userID, author.username) = ("9", "Ada\nB")
      let post = Post(context: context)
      (post.postID, post.threadIndex, post.thread, post.author) = ("10", 1, thread, author)
      post.innerHTML = "Hoot"
    }
    func lines(_ arguments: [String]) throws -> [Substring] {
      try run(arguments, on: folder.store).output.split { $0.isNewline }
    }
    #expect(try lines(["forums"]).last?.contains("Books and more") == true)
    let threads = try lines(["threads"])
    #expect(threads.count == 2 && threads[0].contains("Owls and more"))
    let posts = try lines(["posts", "--thread", "8"])
    #expect(posts.count == 2 && posts[0].contains("Ada B"))
    withExtendedLifetime(folder) {}
  }

  @Test("old threads are not deleted while another program shows the store")
  func viewers() throws {
    let folder = try Folder()
    let store = try ForumStore.openOrMake(folder.store)
    var viewers: StoreViewers? = StoreViewers(of: store)
    try viewers?.join()
    let refused = try run(["prune"], on: folder.store)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("Another program shows the store."), "\(refused.errors)")
    viewers = nil
    #expect(try run(["prune"], on: folder.store).status == 0)
    withExtendedLifetime(folder) {}
  }

  @Test("one thread is not counted in the plural")
  func oneThread() async throws {
    let folder = try Folder()
    let store = try ForumStore.openOrMake(folder.store)
    try await store.performBackgroundTask { context in
      let forum = Forum(context: context)
      (forum.forumID, forum.name) = ("7", "Books")
      let thread = ForumThread(context: context)
      (thread.threadID, thread.title, thread.forum) = ("8", "Owls", forum)
    }
    let (forums, threads) = try (
      run(["forums"], on: folder.store), run(["threads"], on: folder.store)
    )
    withExtendedLifetime(folder) {}
    #expect(forums.output.contains("Books (1 thread)"))
    #expect(threads.output.hasSuffix("\n1 thread\n"))
  }
}
