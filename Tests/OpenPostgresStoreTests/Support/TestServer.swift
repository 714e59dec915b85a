import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server of the tests: a cluster in a temporary folder, on a Unix socket, that ends with the process.
final class TestServer: Sendable {
  /// Why there is no server; nil when there is one.
  static let absence: String? =
    binaries == nil
    ? "Debian's package \"postgresql\" is not installed; the tests of the PostgreSQL store are skipped."
    : nil

  static var isPresent: Bool { absence == nil }

  /// The one server of the process.
  static let shared = Result { try TestServer() }

  /// The folder of the server's programs, of the newest version there is.
  private static let binaries: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
      .last { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  private let folder: URL
  private let counter = Atomic<Int>(0)
  /// Ends the server when it is closed, also by the end of this process.
  private let lifeline: FileHandle

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private init() throws {
    guard let binaries = Self.binaries else {
      throw Failure(description: Self.absence ?? "no server")
    }
    folder = URL(fileURLWithPath: "/tmp/ocd-postgres-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if geteuid() == 0 { try Self.run(["chown", Self.user, folder.path]) }
    let data = folder.path + "/data"
    try Self.run(
      Self.asUser([
        binaries + "/initdb", "--no-sync", "--locale=C", "--encoding=UTF8", "-A", "trust", "-U",
        "tests", "-D", data,
      ]))
    let pipe = Pipe()
    lifeline = pipe.fileHandleForWriting
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    let command = Self.asUser([
      binaries + "/postgres", "-D", data, "-k", folder.path, "-c", "listen_addresses=", "-c",
      "fsync=off", "-c", "max_connections=200",
    ]).map { "'\($0)'" }.joined(separator: " ")
    server.arguments = [
      "-c",
      "exec 3<&0; \(command) >'\(folder.path)/log' 2>&1 </dev/null & cat <&3 >/dev/null; "
        + "kill -INT $(head -1 '\(data)/postmaster.pid'); wait; rm -rf '\(folder.path)'",
    ]
    server.standardInput = pipe.fileHandleForReading
    try server.run()
    try? pipe.fileHandleForReading.close()
    try waitUntilReady(binaries)
  }

  private func waitUntilReady(_ binaries: String) throws {
    // The program itself waits, up to the given number of seconds, until the server answers.
    for _ in 0..<600 {
      let isReady = try? Self.run([binaries + "/pg_isready", "-q", "-h", folder.path])
      if isReady != nil { return }
      usleep(50_000)
    }
    throw Failure(description: "The server did not start; see \(folder.path)/log.")
  }

  /// The URL of a store in a new schema.
  func newURL() throws -> URL {
    let number = counter.add(1, ordering: .relaxed).newValue
    return try url(schema: "s\(number)")
  }

  /// The folder of the server's socket.
  var socketFolder: String { folder.path }

  /// The URL of a store.
  ///
  /// - Parameter host: The folder of another socket to connect to.
  func url(schema: String, host: String? = nil) throws -> URL {
    let host =
      (host ?? folder.path).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    guard
      let url = URL(string: "postgresql:///postgres?host=\(host)&user=tests&schema=\(schema)")
    else { throw Failure(description: "no URL") }
    return url
  }

  // MARK: Programs

  /// Who runs the server when the tests are run by root, which servers refuse.
  private static let user = getpwnam("postgres") == nil ? "nobody" : "postgres"

  private static func asUser(_ command: [String]) -> [String] {
    geteuid() == 0 ? ["/usr/sbin/runuser", "-u", user, "--"] + command : command
  }

  @discardableResult
  private static func run(_ command: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(command[0]) ended with \(process.terminationStatus).")
    }
    return 0
  }
}
