import AwfulCore
import Foundation
import OpenPersistenceKit
import Testing
import WebTestClient

/// A signal ends the program properly, and text typed right before it is saved.
@Suite("Signals to the forum reader", .serialized)
struct SignalTests {
  /// A server in another process, with a store in a folder that is deleted with it.
  private final class Server {
    let file: URL
    let process = Process()
    private let folder: URL
    private let complaints = Pipe()
    /// The line that the program prints when it has started.
    private(set) var announcement = ""
    private(set) var port = 0
    private var headers: [String: String] = [:]

    init(_ program: String = "awful", _ options: [String] = []) throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("SignalTests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      file = folder.appendingPathComponent("\(program).sqlite")
      let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.executableURL = own.deletingLastPathComponent().appendingPathComponent(program)
      process.arguments = ["serve", "--store", file.path] + options
      let output = Pipe()
      process.standardOutput = output
      process.standardError = complaints
      try process.run()
      announcement = Self.line(of: output)
      let words = announcement.split(whereSeparator: \.isWhitespace)
      let address = try #require(words.last.flatMap { URLComponents(string: String($0)) })
      port = try #require(address.port)
      let token = try #require(address.queryItems?.first { $0.name == "token" }?.value)
      headers = [
        "Cookie": "site-token-\(port)=\(token)", "Origin": "http://127.0.0.1:\(port)",
      ]
    }

    private static func line(of pipe: Pipe) -> String {
      var line = Data()
      while line.last != UInt8(ascii: "\n") {
        let byte = pipe.fileHandleForReading.readData(ofLength: 1)
        if byte.isEmpty { break }
        line += byte
      }
      return String(decoding: line, as: UTF8.self)
    }

    /// Waits for a line of complaints.
    func complaint() -> String { Self.line(of: complaints) }

    deinit {
      if process.isRunning { process.terminate() }
      // Nothing to do about a folder that stays.
      try? FileManager.default.removeItem(at: folder)
    }

    func type(_ fields: String, in path: String) async throws -> WebTestAnswer {
      try await send(port, path, "POST", headers, body: "do=autosave&\(fields)")
    }

    /// A page that is open, and hears of changes.
    func openPage() async throws -> WebTestStream {
      let page = try await send(port, "/drafts", "GET", headers)
      let start = try #require(page.text.range(of: "data-events=\""))
      let path = page.text[start.upperBound...].prefix { $0 != "\"" }
      return try WebTestStream(port, String(path).replacing("&amp;", with: "&"), headers)
    }

    /// Sends a signal, and waits for the end.
    ///
    /// - Returns: What the program has complained about.
    func end(_ number: Int32) -> String {
      Foundation.kill(process.processIdentifier, number)
      process.waitUntilExit()
      return String(
        decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
  }

  @Test(
    "text that was typed right before SIGTERM or SIGINT is stored", arguments: [SIGTERM, SIGINT])
  func signals(number: Int32) async throws {
    let server = try Server()
    let page = try await server.openPage()
    #expect(try await server.type("body=A%20reply", in: "/write/reply/7").status == 200)
    #expect(
      try await server.type("to=Someone&subject=S&body=A%20message", in: "/messages/new").status
        == 200)
    #expect(server.end(number) == "")
    withExtendedLifetime(page) {}
    #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
    let personal = try PersonalStore.openOrMake(beside: server.file)
    #expect(try await DraftDesk(personal).drafts().map(\.text.body) == ["A reply"])
    #expect(try await MessageDrafts(personal).drafts().map(\.text.body) == ["A message"])
  }

  @Test(
    "the other programs that show pages also end properly", arguments: ["kanora", "stories"],
    [SIGTERM, SIGINT])
  func libraries(program: String, number: Int32) throws {
    let server = try Server(program)
    #expect(server.announcement.hasPrefix("Open http://127.0.0.1:"))
    _ = server.end(number)
    #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
  }

  @Test("text that was typed right before SIGKILL is stored")
  func sigkill() async throws {
    let server = try Server()
    #expect(
      try await server.type("to=Someone&subject=S&body=A%20message", in: "/messages/new").status
        == 200)
    _ = server.end(SIGKILL)
    #expect(server.process.terminationReason == .uncaughtSignal)
    let personal = try PersonalStore.openOrMake(beside: server.file)
    let drafts = try await MessageDrafts(personal).drafts()
    #expect(drafts.map(\.text.body) == ["A message"] && drafts.map(\.text.recipient) == ["Someone"])
  }

  @Test("the log says why the site cannot be reached; a signal ends the wait for the site")
  func log() async throws {
    // Nothing listens on the discard port of the loopback address.
    let server = try Server("awful", ["--base-url", "http://127.0.0.1:9/"])
    let complaint = server.complaint()
    #expect(complaint.hasPrefix("awful: ") && complaint.count > 20, "\(complaint)")
    #expect(server.end(SIGTERM) == "")
    #expect(server.process.terminationStatus == 0)
  }
}
