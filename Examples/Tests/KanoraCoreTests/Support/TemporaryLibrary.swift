import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import OpenTestSupport
import StoreSharing

/// A library in a folder of its own, which goes with it.
final class TemporaryLibrary {
  let folder: URL
  let file: URL
  let store: KanoraStore

  /// Opens a new library.
  ///
  /// - Parameter recorder: What notes the statements; nil for nothing.
  init(recording recorder: StatementRecorder? = nil) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("KanoraCoreTests-\(UUID().uuidString)")
    file = folder.appendingPathComponent("Kanora.sqlite")
    let options = recorder.map { [OpenStatementObserverOption: $0.observer as NSObject] } ?? [:]
    store = try KanoraStore(.file(file), options: options)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What the command line tool of SQLite prints for a statement.
  func query(_ statement: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [file.path, statement]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
