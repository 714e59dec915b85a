import ForumHTML
import Foundation
import StoriesCore
import StoriesWeb
import Testing
import WebPages
import WebTestClient

/// A library in a file, and a server for its pages.
final class StoriesTrial {
  let folder: URL
  let library: StoryLibrary
  private let pages: WebSite
  private(set) var port = 0

  /// Runs a test, and then stops the server.
  static func run(_ body: (StoriesTrial) async throws -> Void) async throws {
    let trial = try StoriesTrial()
    do {
      trial.port = try #require(URL(string: try await trial.pages.start())?.port)
      try await body(trial)
    } catch {
      await trial.stop()
      throw error
    }
    await trial.stop()
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("StoriesTrial-\(UUID().uuidString)")
    var options = StoriesStore.Options()
    options.clock = LibraryClock(now: { Date(timeIntervalSince1970: 1_800_000_000) })
    library = try StoryLibrary(
      StoriesStore(.file(folder.appendingPathComponent("stories.store")), options: options))
    let lists = LiveLists()
    pages = WebSite(StoryPages(of: library, lists: lists, seed: { 7 }), lists: lists, token: "t")
  }

  private func stop() async {
    await pages.stop()
    // Nothing to do about a folder that stays.
    try? FileManager.default.removeItem(at: folder)
  }

  var file: URL { folder.appendingPathComponent("stories.store") }

  /// Adds a story with as many pages as there are texts that are long enough.
  func add(_ title: String, _ content: String = "Once. Twice.") async throws -> UUID {
    try await library.add(StoryText(title: title, content: content, theme: "bedtime")).id
  }

  private var cookie: [String: String] { ["Cookie": "site-token-\(port)=t"] }

  func get(_ path: String) async throws -> WebTestAnswer {
    try await send(port, path, "GET", cookie)
  }

  /// A page, as a tree.
  func page(_ path: String) async throws -> HTMLDocument {
    let answer = try await get(path)
    #expect(answer.status == 200, "\(path)")
    return try HTMLParser.parse(answer.text)
  }

  /// Sends a form as a browser without script does: with all its fields, except for boxes that are not checked, and without the line breaks
  /// of single-line fields. The value of a box that the reader unchecks is empty.
  func submit(_ form: HTMLElement, _ typed: [String: String] = [:]) async throws -> WebTestAnswer {
    var fields: [String: String] = [:]
    var boxes: Set<String> = []
    for input in try form.select("input") {
      let name = input["name"] ?? ""
      let isBox = input["type"] == "checkbox"
      if isBox { boxes.insert(name) }
      let value = input["value"] ?? ""
      let shown = input["type"] == "text" ? value.filter { !$0.isNewline } : value
      if !isBox || input["checked"] != nil { fields[name] = shown }
    }
    for area in try form.select("textarea") { fields[area["name"] ?? ""] = area.text }
    for list in try form.select("select") {
      let options = try list.select("option")
      let chosen = options.first { $0["selected"] != nil } ?? options.first
      fields[list["name"] ?? ""] = chosen?["value"] ?? ""
    }
    let all = fields.merging(typed) { $1 }.filter { !boxes.contains($0.key) || !$0.value.isEmpty }
    return try await post(form["action"] ?? "", all)
  }

  /// Sends fields as a form of the site's own pages.
  func post(_ path: String, _ fields: [String: String]) async throws -> WebTestAnswer {
    func encoded(_ text: String) -> String {
      // Browsers send line ends as carriage return and line feed.
      PagePath.part(text.replacing("\n", with: "\r\n"))
    }
    let body = fields.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
    let origin = ["Origin": "http://127.0.0.1:\(port)"]
    return try await send(port, path, "POST", cookie.merging(origin) { $1 }, body: body)
  }

  /// The event stream of a page.
  func events(of page: HTMLDocument) throws -> WebTestStream {
    try WebTestStream(port, try #require(page.body["data-events"]), cookie)
  }

  /// Runs a program in the folder of the tests, and returns its status and output.
  func program(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent(name)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
