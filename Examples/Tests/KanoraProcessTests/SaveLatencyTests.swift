import AudioSamples
import ForumHTML
import Foundation
import KanoraCore
import Synchronization
import Testing
import WebTestClient

/// How soon an open page of one program shows what another one saves. `KANORA_LATENCY=12000` measures a library of so many tracks, and
/// expects each save in the page within 200 ms.
@Suite("Saves seen by another program", .serialized)
struct SaveLatencyTests {
  private static let measured = Int(ProcessInfo.processInfo.environment["KANORA_LATENCY"] ?? "")
  private static let fileCount = measured ?? 600

  /// The pages, each with its text about the number of tracks.
  @Test(
    "every save of a scan reaches an open page, also with a large library",
    .timeLimit(.minutes(30)), arguments: ["/", "/added"])
  func latency(_ path: String) async throws {
    let folder = try AudioSamples.newFolder()
    let music = folder.appendingPathComponent("music")
    for number in 0..<Self.fileCount { try Self.write(number, in: music) }
    let file = folder.appendingPathComponent("Kanora.sqlite")
    // Opening creates the store, so that both programs find it.
    _ = try KanoraStore.openOrMake(file)
    let output = Pipe()
    let server = try TestProgram.begin("kanora", ["serve", "--store", file.path], output: output)
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    let line = String(
      decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let address = line.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http") } ?? ""
    let url = try #require(URL(string: String(address)))
    let port = try #require(url.port)
    let token = try #require(url.query?.split(separator: "=").last)
    let cookie = ["Cookie": "site-token-\(port)=\(token)"]
    let page = try HTMLParser.parse(try await send(port, path, "GET", cookie).text)
    let events = try WebTestStream(port, try #require(page.body["data-events"]), cookie)
    _ = await events.text(until: ":\n\n")

    let printed = Pipe()
    let scan = try ScanProgram.begin(music, into: file, ["saves"], output: printed)
    let shown = Mutex<[(count: Int, time: Double)]>([])
    await events.follow { piece in
      let counts = piece.text.matches(of: /"id":"count-(\d+)"/).compactMap { Int($0.1) }
      guard let count = counts.max() else { return false }
      shown.withLock { $0.append((count, piece.time.timeIntervalSince1970)) }
      return count >= Self.fileCount
    }
    let text = String(
      decoding: try printed.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    scan.waitUntilExit()
    #expect(scan.terminationStatus == 0)
    let saves = text.split(separator: "\n").map { $0.split(separator: " ") }
      .compactMap { line -> (count: Int, time: Double)? in
        guard line.count == 3, let count = Int(line[1]), let time = Double(line[2]) else {
          return nil
        }
        return (count, time)
      }
    let arrivals = shown.withLock { $0 }
    var delays: [Double] = []
    for save in saves {
      guard let arrival = arrivals.first(where: { $0.count >= save.count }) else {
        Issue.record("The page never has \(save.count) tracks.")
        return
      }
      delays.append(max(0, arrival.time - save.time) * 1_000)
    }
    let sorted = delays.sorted()
    #expect(sorted.count == Self.fileCount / 100)
    let facts = [0.5, 0.95, 1].map { Int(sorted[Int(Double(sorted.count - 1) * $0)]) }
    print(
      "\(path), \(Self.fileCount) tracks, \(sorted.count) saves: median \(facts[0]) ms, "
        + "95 of 100 within \(facts[1]) ms, at most \(facts[2]) ms")
    if Self.measured != nil { #expect(facts[2] <= 200) }
  }

  private static func write(_ number: Int, in music: URL) throws {
    let album = number / 12
    let file = music.appendingPathComponent("\(album % 500)/\(album)/\(number).mp3")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TextAudio.content([
      "ARTIST": "Artist \(album / 5)", "ALBUM": "Album \(album)", "TITLE": "T\(number)",
      "audio": "T\(number)", "GENRE": "Genre \(album % 20)", "DATE": "\(1960 + album % 60)",
    ]).write(to: file)
  }
}
