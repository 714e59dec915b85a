import COpenSQLite
import Foundation
import OpenStoreContract

/// Compares a database with the result of applying its write-ahead log, using a copy.
struct LogTrial {
  private let path: String
  /// The size in bytes above which indexes are not compared with their tables, because the
  /// comparison takes long.
  private static let thoroughLimit = 64 << 20

  /// - Parameter path: The path of a database with a log that no connection has open.
  init(_ path: String) { self.path = path }

  /// Returns the reason why the log belongs to another database, or nil if there is none.
  ///
  /// - Throws: An error of reading or copying the files.
  func difference() throws -> String? {
    let files = FileManager.default
    // Not beside the store, where a reader writes nothing.
    let folder = files.temporaryDirectory.appendingPathComponent("store-" + UUID().uuidString).path
    // Nothing of value is in the folder.
    defer { try? files.removeItem(atPath: folder) }
    try files.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for suffix in ["", "-wal"] {
      try files.copyItem(atPath: path + suffix, toPath: folder + "/store" + suffix)
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/store" + suffix)
    }
    return try difference(StoreSnapshot.uri(folder + "/store", "mode=rw"))
  }

  private func difference(_ copy: String) throws -> String? {
    let own = StoreSnapshot.uri(path, "immutable=1")
    // A file that is not yet a store has its identifier in the log.
    if let known = identifier(own), let logged = identifier(copy), logged != known {
      return "the log's store identifier is \(logged), but the file's is \(known)."
    }
    // A file that a checkpoint was halfway through is sound only together with its log.
    if let damage = try damage(copy), try self.damage(own) == nil {
      return "the file is intact without the log, but damaged with it (\(damage))."
    }
    return nil
  }

  private func connection(_ name: String) throws(StoreError) -> Connection {
    try Connection(
      path: path, name: name, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI,
      configuration: StoreConfiguration(url: nil))
  }

  /// Returns the identifier of the store, or nil if the file is not a store, which opening it will
  /// report.
  private func identifier(_ name: String) -> String? {
    guard let connection = try? connection(name) else { return nil }
    defer { connection.close() }
    var identifier: String?
    try? connection.forEachRow("SELECT Z_UUID FROM Z_METADATA") { identifier = $0.text(0) }
    return identifier
  }

  /// Returns the problem with the structure of a database, or nil if it is valid.
  ///
  /// - Throws: Any error other than damage, such as a lack of space for the WAL index of the copy.
  private func damage(_ name: String) throws -> String? {
    let check =
      StoreSnapshot.size(of: path) > Self.thoroughLimit ? "quick_check" : "integrity_check"
    var found: String?
    do throws(StoreError) {
      let connection = try connection(name)
      defer { connection.close() }
      try connection.forEachRow("PRAGMA \(check)(1)") { statement in
        let text = statement.text(0) ?? ""
        if text != "ok" { found = text }
      }
    } catch {
      switch error.code {
      case .corrupt, .foreignFile: return error.message
      // The file uses functions or collations that another program defines.
      case .statement: return nil
      default: throw error
      }
    }
    return found?.split(separator: "\n").first.map(String.init)
  }
}
