import Foundation
import PostgresTestServer
import Testing
import WebTestClient

/// A process of the service over a store, which ends with this object.
final class ServiceProcess {
  let port: Int
  private let process = Process()

  /// Starts a process, and waits until it listens.
  ///
  /// - Parameter store: The store's URL, or the path of its file.
  init(_ store: String) throws {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("music-service")
    process.arguments = ["--store", store]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let byte = output.fileHandleForReading.readData(ofLength: 1)
      if byte.isEmpty { break }
      line += byte
    }
    let address = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).last
    port = try #require(address.flatMap { URLComponents(string: String($0))?.port })
  }

  deinit { if process.isRunning { process.terminate() } }

  func get(_ path: String) async throws -> WebTestAnswer { try await send(port, path) }

  func post(_ path: String) async throws -> WebTestAnswer { try await send(port, path, "POST") }

  func patch(_ path: String, _ body: String, version: String?) async throws -> WebTestAnswer {
    try await send(
      port, path, "PATCH", version.map { ["If-Match": $0] } ?? [:], body: body)
  }

  func events(after id: String? = nil) throws -> WebTestStream {
    try WebTestStream(port, "/events", id.map { ["Last-Event-ID": $0] } ?? [:])
  }

  /// Sends SIGTERM without waiting for the end.
  func terminate() { process.terminate() }

  /// Waits for the end, and returns the exit status.
  func waitUntilEnded() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}

/// A lock on a table of a server, held by a session of its command-line client.
final class HeldLock {
  private let process = Process()
  private let input = Pipe()
  private let server: TestServer

  init(on server: TestServer, _ table: String) throws {
    self.server = server
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "psql", "-qAtX", "-h", server.socketFolder, "-U", "tests", "-d", "postgres",
    ]
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let text = "BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n"
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    let answer = output.fileHandleForReading.readData(ofLength: 6)
    try #require(String(decoding: answer, as: UTF8.self) == "locked")
  }

  /// Waits on a separate thread until another session waits for a lock.
  func waitUntilWanted() async throws {
    let server = server
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try server.execute(
              "DO $$ BEGIN WHILE NOT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted) LOOP "
                + "PERFORM pg_sleep(0.01); END LOOP; END $$")
          })
      }
    }
  }

  /// Ends the session, and so its transaction.
  func release() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// The values of a track that tests look at.
struct TrackBody: Decodable {
  let path: String
  let title: String
  let playCount: Int
  let rating: Int

  init(_ answer: WebTestAnswer) throws {
    self = try JSONDecoder().decode(TrackBody.self, from: Data(answer.text.utf8))
  }
}

struct AlbumBody: Decodable {
  let path: String
  let title: String
}

struct AlbumListBody: Decodable {
  let albums: [AlbumBody]
  let next: String?
}

struct AlbumPageBody: Decodable {
  struct Track: Decodable { let path: String }

  let tracks: [Track]
}

func decoded<Body: Decodable>(_ type: Body.Type, _ answer: WebTestAnswer) throws -> Body {
  try #require(answer.status == 200)
  return try JSONDecoder().decode(type, from: Data(answer.text.utf8))
}
