import AudioSamples
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// Tests that run commands with a sample library.
protocol SampleLibraryTests {
  /// The folder of the sample library, which `makeFolder()` has returned.
  var folder: URL { get }
}

extension SampleLibraryTests {
  /// Creates a sample library in a new folder.
  static func makeFolder() throws -> URL {
    let folder = try AudioSamples.newFolder()
    let store = try KanoraStore.openOrMake(file(in: folder))
    try store.performBatchOperation { _ = try SampleLibrary.fill($0) }
    return folder
  }

  private static func file(in folder: URL) -> URL {
    folder.appendingPathComponent("Kanora.sqlite")
  }

  /// The store's file.
  var file: URL { Self.file(in: folder) }

  /// Runs a command to its end.
  func run(_ arguments: String..., in store: URL? = nil) throws -> TestProgram.Outcome {
    try TestProgram.run("kanora", arguments + ["--store", (store ?? file).path])
  }

  /// The whole library as JSON.
  func document() throws -> Data {
    try KanoraStore.openExisting(file).performBatchOperation { try LibraryDocument(in: $0).data() }
  }

  /// Executes a statement in the store, as a program that does not know the model.
  func execute(_ statement: String) throws {
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    // The store that created the file can still be closing.
    tool.arguments = ["-cmd", ".timeout 60000", file.path, statement]
    try tool.run()
    tool.waitUntilExit()
    #expect(tool.terminationStatus == 0)
  }
}
