import Foundation

/// A copy of a store's files in a separate folder, so that no test opens the original.
final class StoreCopy {
  let url: URL
  private let folder: URL

  init(of original: URL) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("copy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent(original.lastPathComponent)
    for suffix in ["", "-wal"]
    where FileManager.default.fileExists(atPath: original.path + suffix) {
      // A copied file would have the original's permissions, so write new files.
      try Data(contentsOf: URL(fileURLWithPath: original.path + suffix))
        .write(to: URL(fileURLWithPath: url.path + suffix))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The files with their contents.
  func contents() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
    }
    return files
  }
}
