import Foundation

/// A store's files in a folder of their own, so that nothing is ever opened where it belongs to others.
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
      // Its permissions are the original's; the copy has to be ours.
      try Data(contentsOf: URL(fileURLWithPath: original.path + suffix))
        .write(to: URL(fileURLWithPath: url.path + suffix))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The files with what is in them.
  func contents() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
    }
    return files
  }
}
