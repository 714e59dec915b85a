import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import OpenTestSupport

/// A store in a temporary folder, which is deleted with it.
final class TemporaryStore {
  let folder: URL
  let file: URL
  let store: ForumStore

  /// Opens a new store.
  ///
  /// - Parameter recorder: What notes the statements; nil for nothing.
  init(recording recorder: StatementRecorder? = nil) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("AwfulCoreTests-\(UUID().uuidString)")
    file = folder.appendingPathComponent("forums.sqlite")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let options = recorder.map { [OpenStatementObserverOption: $0.observer as NSObject] } ?? [:]
    store = try ForumStore(.file(file), options: options)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The versions of all rows, as the command line tool of SQLite reads them.
  func rowVersions() throws -> String {
    let tables = [
      "ZFORUM", "ZFORUMGROUP", "ZFORUMMETADATA", "ZTHREAD", "ZPOST", "ZUSER", "ZTHREADTAG",
      "ZANNOUNCEMENT",
    ]
    return try query(
      tables.map { "SELECT '\($0)', Z_PK, Z_OPT FROM \($0) ORDER BY Z_PK;" }.joined())
  }

  func query(_ statement: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.tool)
    process.arguments = [file.path, statement]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  static let tool = "/usr/bin/sqlite3"
  static var hasTool: Bool { FileManager.default.isExecutableFile(atPath: tool) }
}
