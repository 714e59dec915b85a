import AwfulCore
import Foundation
import OpenPersistenceKit
import Testing

/// Options of the forum reader's commands.
@Suite("Options of the forum reader's commands", .serialized)
struct ForumCommandTests {
  /// Runs a command over a new store, in a folder that is deleted afterwards.
  private func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (status: Int32, errors: String) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ForumCommandTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A folder that cannot be deleted does not matter.
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("awful.sqlite")
    _ = try ForumStore.openOrMake(file)
    let errors = folder.appendingPathComponent("errors.txt")
    try Data().write(to: errors)
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("awful")
    process.arguments = arguments + ["--store", file.path]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: errors, encoding: .utf8))
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
}
