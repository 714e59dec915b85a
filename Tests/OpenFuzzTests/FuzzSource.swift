import Foundation
import OpenCoreData

/// An intact file, from which damaged files are created.
struct FuzzSource: Sendable {
  /// The kind of file, which determines the operations.
  enum Kind: Sendable {
    case store
    case compiledModel
    case document
  }

  let name: String
  let kind: Kind
  let file: URL

  /// The log of a store; nil if there is none.
  var log: URL? {
    let url = URL(fileURLWithPath: file.path + "-wal")
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// Files created by the tests, and Apple's files if they are available.
  static func all(in folder: URL) throws -> [FuzzSource] {
    try ownFiles(in: folder) + shared()
  }

  private static func ownFiles(in folder: URL) throws -> [FuzzSource] {
    let model = FuzzModel.make()
    let compiled = folder.appendingPathComponent("Own.mom")
    try ModelArchive.write(model, dialect: .mom).write(to: compiled)
    let document = folder.appendingPathComponent("Own.xcdatamodel")
    try FuzzModel.make(hasCondition: false).write(to: document)
    let store = folder.appendingPathComponent("Own.sqlite")
    try FuzzModel.fill(store)
    return [
      FuzzSource(name: "own store", kind: .store, file: store),
      FuzzSource(name: "own compiled model", kind: .compiledModel, file: compiled),
      FuzzSource(
        name: "own document", kind: .document, file: document.appendingPathComponent("contents")),
    ]
  }

  private static func shared() -> [FuzzSource] {
    let root = URL(
      fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
    ).appendingPathComponent("data")
    guard let files = FileManager.default.enumerator(atPath: root.path) else {
      print("Apple's files are not here: only files of our own making are damaged.")
      return []
    }
    let paths = files.compactMap { $0 as? String }.sorted()
    return paths.compactMap { path in
      kind(of: path).map {
        FuzzSource(name: path, kind: $0, file: root.appendingPathComponent(path))
      }
    }
  }

  private static func kind(of path: String) -> Kind? {
    if path.hasSuffix("/contents") { return .document }
    switch (path as NSString).pathExtension {
    case "sqlite", "db", "store": return path.hasPrefix("stores") ? .store : nil
    case "mom": return .compiledModel
    default: return nil
    }
  }
}
