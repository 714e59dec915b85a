import Foundation
import OpenMigration

/// A folder of files that is removed with its last reference; also a bundle.
final class MappingFolder {
  let url: URL

  init(_ name: String = "Mappings") throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(name)-\(UUID().uuidString).bundle")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }  // a remaining folder is harmless

  subscript(name: String) -> URL { url.appendingPathComponent(name) }

  /// Writes a file and the folders above it.
  @discardableResult
  func write(_ data: Data, to path: String) throws -> URL {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file
  }
}

/// The error of reading a mapping model, or nil on success.
func mappingError(of read: () throws(MigrationError) -> NSMappingModel) -> MigrationError? {
  do {
    _ = try read()
    return nil
  } catch {
    return error
  }
}
