import Foundation
import OpenObjectModel

/// Model documents on disk, removed with its last reference.
final class ModelFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ModelFolder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }  // a remaining folder is harmless

  /// Writes a file and the folders above it.
  @discardableResult
  func write(_ text: String, to path: String) throws -> URL {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }

  /// Writes a version of a model, and returns its `.xcdatamodel` folder.
  func version(_ path: String, entities: String) throws -> URL {
    try write(Self.document(entities), to: path + "/contents").deletingLastPathComponent()
  }

  /// Writes the marker of a model's current version.
  func mark(_ version: String, in folder: String) throws {
    try write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(version)</string></dict></plist>
      """, to: folder + "/.xccurrentversion")
  }

  static func document(_ entities: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="7">
    \(entities)
    </model>
    """
  }

  /// The model of a document with the given entities.
  static func model(_ entities: String) throws -> NSManagedObjectModel {
    let folder = try ModelFolder()
    let version = try folder.version("A.xcdatamodel", entities: entities)
    return try withExtendedLifetime(folder) { try NSManagedObjectModel(reading: version) }
  }

  /// The error of reading, and then compiling, a document with the given entities.
  static func error(_ entities: String) throws -> ModelError? {
    let folder = try ModelFolder()
    let version = try folder.version("A.xcdatamodel", entities: entities)
    return withExtendedLifetime(folder) {
      error { () throws(ModelError) in
        _ = try NSManagedObjectModel(reading: version).compiled()
      }
    }
  }

  /// The error that something throws.
  static func error(of body: () throws(ModelError) -> Void) -> ModelError? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
