import COpenSQLite
import Foundation
import OpenStoreContract

/// The settings that the connections of one store are opened with.
struct ConnectionSettings: Sendable {
  private let configuration: StoreConfiguration
  private let path: String?
  /// The name that SQLite opens for a shared in-memory store; nil for any other.
  private let sharedName: String?
  /// The source of a read-only store's file; nil for a writable store.
  private let source: SnapshotSource?
  /// The PRAGMA statements of the configuration.
  private let pragmas: [String]

  init(_ configuration: StoreConfiguration, path: String?) throws(StoreError) {
    self.configuration = configuration
    self.path = path
    sharedName = configuration.url?.memoryName.map(Self.sharedName)
    var pragmas: [String] = []
    for (name, value) in configuration.settings.sorted(by: { $0.key < $1.key }) {
      guard Self.isPlain(name), Self.isPlain(value) else {
        throw StoreError(
          .unsupported,
          "A pragma's name or value is empty, or contains a character other than letters, digits, _, -, + and the period.",
          path: path)
      }
      pragmas.append("PRAGMA \(name) = \(value)")
    }
    self.pragmas = pragmas
    source =
      configuration.isReadOnly
      ? try path.map { (path) throws(StoreError) in try SnapshotSource(path) } : nil
  }

  /// Returns the URI of an in-memory database that all connections of the process share, whose name
  /// begins with a slash.
  static func sharedName(_ name: String) -> String {
    let plain = Data(name.utf8).map { String($0, radix: 16) }.joined(separator: "-")
    return "file:/opencoredata-\(plain)?vfs=memdb"
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
          UInt8(ascii: "+"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Whether the configuration keeps the write-ahead log and SQLite's usual locks for every
  /// connection.
  var hasUsualLocks: Bool {
    configuration.settings.allSatisfy { name, value in
      let (name, value) = (name.lowercased(), value.lowercased())
      if name.hasSuffix("journal_mode") { return value == "wal" }
      return !name.hasSuffix("locking_mode") || value == "normal"
    }
  }

  /// Opens a connection that may write, unless the store is read-only.
  func makeWriter() throws(StoreError) -> Connection {
    if configuration.isReadOnly { return try makeReadOnly() }
    let connection = try Connection(
      path: path, name: sharedName,
      flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI,
      configuration: configuration)
    if sqlite3_db_readonly(connection.database, "main") == 1 {
      throw StoreError(
        .permission, "The store file is not writable. Check its permissions.", path: path)
    }
    return connection
  }

  private func makeReadOnly() throws(StoreError) -> Connection {
    guard let path else { return try openReadOnly() }
    return try SteadyReading.run(path) { () throws(StoreError) in
      let connection = try openReadOnly()
      // The first read opens the log; from then on it stays.
      try connection.silently { () throws(StoreError) in
        _ = try connection.integer("PRAGMA schema_version")
      }
      return (connection, true)
    }
  }

  private func openReadOnly() throws(StoreError) -> Connection {
    let snapshot = try source?.current()
    // A file that is read without locks needs no care for them.
    let claim = snapshot?.isFollowing == true ? path.map(OpenFiles.Claim.init) : nil
    let connection = try Connection(
      path: path, name: snapshot?.name ?? sharedName,
      flags: snapshot?.flags ?? (SQLITE_OPEN_READONLY | SQLITE_OPEN_URI),
      configuration: configuration)
    connection.snapshot = snapshot
    connection.claim = claim
    // A copy is opened for writing so that SQLite can bring it up to its log.
    try connection.run("PRAGMA query_only = 1")
    try applyPragmas(to: connection)
    return connection
  }

  /// A closure that returns whether existing readers may read outdated content; nil if they follow
  /// changes.
  var isOutdated: (@Sendable () -> Bool)? {
    guard let source else { return nil }
    return { source.isOutdated }
  }

  /// Opens a connection for reading.
  func makeReader() throws(StoreError) -> ConnectionPool.Lease {
    if configuration.isReadOnly { return ConnectionPool.Lease(connection: try makeReadOnly()) }
    let connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, configuration: configuration)
    try connection.silently { () throws(StoreError) in
      try applyPragmas(to: connection)
      try connection.run("PRAGMA query_only = 1")
    }
    return ConnectionPool.Lease(connection: connection)
  }

  /// The settings that a file has from its creation, with the values of Apple's framework, in the
  /// order in which SQLite accepts the settings.
  private static let layout = [("page_size", "4096"), ("auto_vacuum", "2")]

  /// Applies the settings that a file has from its creation, with the values of the configuration
  /// if it contains any. These settings have no effect on a file that already has tables.
  func applyLayout(to connection: Connection) throws(StoreError) {
    for (name, value) in Self.layout {
      let given = configuration.settings.first { setting in
        [name, "main." + name].contains(setting.key.lowercased())
      }
      try connection.run("PRAGMA \(name) = \(given?.value ?? value)")
    }
  }

  /// Applies the settings of the file and of writing.
  func applyFileSettings(to connection: Connection) throws(StoreError) {
    if path != nil {
      try connection.forEachRow("PRAGMA journal_mode = WAL") {
        connection.hasLog = $0.text(0) == "wal"
      }
      try connection.run("PRAGMA synchronous = NORMAL")
    }
    try applyPragmas(to: connection)
  }

  private func applyPragmas(to connection: Connection) throws(StoreError) {
    for pragma in pragmas { try connection.forEachRow(pragma) { _ in } }
  }
}
