import CoreData
import ForumHTML
import Foundation
import KanoraCore
import KanoraWeb
import OpenPersistenceKit
import StoreSharing
import Testing
import WebPages
import WebTestClient

/// A library in a file, with the sample data, and a server for its pages.
final class LibraryTrial {
  let folder: URL
  let store: KanoraStore
  private(set) var port = 0

  static func run(_ body: (LibraryTrial) async throws -> Void) async throws {
    let trial = try LibraryTrial()
    let lists = LiveLists()
    let site = WebSite(LibraryPages(of: trial.store, lists: lists), lists: lists, token: "t")
    trial.port = try #require(URL(string: try await site.start())?.port)
    do { try await body(trial) } catch {
      await site.stop()
      throw error
    }
    await site.stop()
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("LibraryTrial-\(UUID().uuidString)")
    store = try KanoraStore.openOrMake(folder.appendingPathComponent("Kanora.sqlite"))
    try change(in: store) { try SampleLibrary.fill($0) }
  }

  // Nothing to do about a folder that stays.
  deinit { try? FileManager.default.removeItem(at: folder) }

  var cookie: [String: String] { ["Cookie": "site-token-\(port)=t"] }

  // MARK: The library

  /// Opens the store as another program does.
  func openElsewhere() throws -> KanoraStore {
    try KanoraStore.openExisting(folder.appendingPathComponent("Kanora.sqlite"))
  }

  func change(
    in store: KanoraStore, _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Void
  ) throws {
    try store.performBatchOperation { context in
      try work(context)
      try context.save()
    }
  }

  func read<Result: Sendable>(
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try store.performBatchOperation(work)
  }

  /// Makes a change of the store's file that no object knows about.
  func execute(_ statement: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [folder.appendingPathComponent("Kanora.sqlite").path, statement]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  func track(_ title: String) throws -> TrackRow {
    let rows = try read { try LibraryLists.tracks(window: 0..<1_000, in: $0) }
    return try #require(rows.first { $0.title == title }, "\(title)")
  }

  func details(_ title: String) throws -> TrackDetails {
    let id = try track(title).id
    return try #require(try read { try LibraryLists.details([id], in: $0) }.first)
  }

  func playlist(_ name: String) throws -> PlaylistRow {
    try #require(
      try read { try LibraryLists.playlists(in: $0) }.first { $0.name == name }, "\(name)")
  }

  /// The titles of a playlist's tracks.
  func titles(ofPlaylist id: UUID) throws -> [String] {
    try read { try LibraryLists.tracks(ofPlaylist: id, in: $0) }.map(\.title)
  }

  /// Gives a track a file of the bytes 0 to 9.
  func giveFile(to title: String) throws -> TrackRow {
    let file = folder.appendingPathComponent("audio.flac")
    try Data("0123456789".utf8).write(to: file)
    try change(in: store) { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(format: "title == %@", argumentArray: [title])
      try context.fetch(request).first?.filePath = file.path
    }
    return try track(title)
  }

  // MARK: Pages

  func page(_ path: String, status: Int = 200) async throws -> HTMLDocument {
    let answer = try await send(port, path, "GET", cookie)
    #expect(answer.status == status, "\(path)")
    return try HTMLParser.parse(answer.text)
  }

  /// The page that an answer leads to, or is.
  func page(after answer: WebTestAnswer) async throws -> HTMLDocument {
    guard answer.status == 303 else { return try HTMLParser.parse(answer.text) }
    let location = try #require(answer.headers["location"])
    return try await page(String(location.prefix { $0 != "#" }))
  }

  func titles(_ page: HTMLDocument, _ list: String) throws -> [String] {
    try page.select("#\(list) .title").map(\.text)
  }

  /// The texts of the enabled buttons that undo and redo.
  func steps(_ page: HTMLDocument) throws -> [String] {
    try page.select("#steps button").filter { $0["disabled"] == nil }.map(\.text)
  }

  // MARK: Forms

  /// Sends a form as a browser without script does: its fields in the order of the page, those of rows included, and the button that
  /// is pressed.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - selector: The form.
  ///   - button: The name and value of the button; nil for one without name.
  ///   - typed: What the reader has changed; boxes are checked by the value `on`.
  func submit(
    _ page: HTMLDocument, _ selector: String, _ button: (String, String)? = nil,
    _ typed: [String: String] = [:]
  ) async throws -> WebTestAnswer {
    let form = try #require(try page.first(selector), "\(selector)")
    var fields: [(String, String)] = []
    for field in page.root.descendants where ["input", "select", "textarea"].contains(field.name) {
      guard let name = field["name"], try belongs(field, to: form) else { continue }
      if let text = typed[name] {
        fields.append((name, text))
      } else if field.name == "textarea" {
        fields.append((name, field.text))
      } else if field.name == "select" {
        let options = try field.select("option")
        let chosen = options.first { $0["selected"] != nil } ?? options.first
        fields.append((name, chosen?["value"] ?? ""))
      } else if field["type"] != "checkbox" || field["checked"] != nil {
        fields.append((name, field["value"] ?? ""))
      }
    }
    if let button { fields.append(button) }
    return try await post(try #require(form["action"]), fields)
  }

  private func belongs(_ field: HTMLElement, to form: HTMLElement) throws -> Bool {
    if let id = field["form"] { return id == form["id"] }
    var ancestor = field.parent
    while let element = ancestor, element != form { ancestor = element.parent }
    return ancestor != nil
  }

  /// Presses a button of a row, which belongs to a form elsewhere in the page.
  func press(_ page: HTMLDocument, _ button: HTMLElement) async throws -> WebTestAnswer {
    let form = try #require(button["form"])
    return try await submit(
      page, "#\(form)", (try #require(button["name"]), try #require(button["value"])))
  }

  func post(_ path: String, _ fields: [(String, String)] = []) async throws -> WebTestAnswer {
    let body = fields.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    let origin = ["Origin": "http://127.0.0.1:\(port)"]
    return try await send(port, path, "POST", cookie.merging(origin) { $1 }, body: body)
  }

  private func encoded(_ text: String) -> String {
    // Browsers send line ends as carriage return and line feed.
    let lines = text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
    return PagePath.part(lines)
  }
}
