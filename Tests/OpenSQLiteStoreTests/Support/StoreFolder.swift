import Foundation
import OpenSQLiteStore

/// The files of a folder with their contents, to check that nothing changed.
struct FolderContents: Equatable {
  private var files: [String: Data] = [:]

  init(_ folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let url = folder.appendingPathComponent(name)
      files[name] = try? Data(contentsOf: url)  // folders have no contents
    }
  }

  var names: [String] { files.keys.sorted() }
}

extension Shop {
  /// Copies a shop's current file and log without the log's index, as after a kill.
  func takeFiles(of other: Shop, suffixes: [String] = ["", "-wal"]) throws {
    for suffix in suffixes {
      try? FileManager.default.removeItem(atPath: file.path + suffix)  // may be missing
      try FileManager.default.copyItem(
        atPath: other.file.path + suffix, toPath: file.path + suffix)
    }
  }

  /// A shop whose products are in the log only.
  ///
  /// - Parameter picture: The code of a further product with a picture; nil for none.
  static func killed(_ codes: [String], pictureOf picture: String? = nil) throws -> Shop {
    let live = try Shop()
    let store = try live.open()
    _ = try live.insert(codes, into: store)
    if let picture { _ = try live.insertPicture(large, code: picture, into: store) }
    let shop = try Shop()
    try shop.takeFiles(of: live)
    if picture != nil { try shop.takeExternalFiles(of: live) }
    store.close()
    return shop
  }

  /// Copies another shop's current external files and marks.
  func takeExternalFiles(of other: Shop) throws {
    let place = externalFolder().deletingLastPathComponent()
    try? FileManager.default.removeItem(at: place)  // often missing
    try FileManager.default.copyItem(
      at: other.externalFolder().deletingLastPathComponent(), to: place)
  }
}
