import COpenSQLite
import COpenSupport
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Moves large values to external files while a connection writes, and keeps files and rows
/// consistent.
///
/// A new value is in its file and synchronized to disk before the row that refers to it is
/// committed. The file of an old value is passed to `ExternalRemoval`, which keeps it while a state
/// of the store can refer to it. A transaction that is rolled back deletes its new files. A killed
/// program may leave orphaned files, but never rows whose file is missing.
///
/// Confined to its connection, which owns this object.
final class ExternalWriter {
  /// The size in bytes above which a value receives its own file.
  static let threshold = 128 << 10
  private static let freed = "OpenCoreDataExternalValueFreed"

  /// The removal of files that no row of the newest state refers to.
  let removal: ExternalRemoval
  private let files: ExternalFiles
  private var added: [String] = []
  private var removed: [String] = []
  private var failure: StoreError?
  private var sink = UnsafeMutablePointer<ocd_external_sink>.allocate(capacity: 1)

  init(_ files: StoreFiles) {
    self.files = ExternalFiles(files)
    removal = ExternalRemoval(self.files)
    sink.initialize(
      to: ocd_external_sink(
        context: Unmanaged.passUnretained(self).toOpaque(), threshold: Self.threshold,
        store: { context, bytes, length, reference in
          guard let context, let bytes, let reference else { return SQLITE_MISUSE }
          let writer = Unmanaged<ExternalWriter>.fromOpaque(context).takeUnretainedValue()
          return writer.store(UnsafeRawBufferPointer(start: bytes, count: length), reference)
        }))
  }

  deinit { sink.deallocate() }

  private func store(
    _ value: UnsafeRawBufferPointer, _ reference: UnsafeMutablePointer<CChar>
  ) -> Int32 {
    do {
      try removal.announce()
      let name = try files.add(value)
      added.append(name)
      for (index, byte) in ExternalFiles.reference(to: name).enumerated() {
        reference[index] = CChar(bitPattern: byte)
      }
      return SQLITE_OK
    } catch {
      failure = error
      return SQLITE_IOERR
    }
  }

  /// Runs the statements of a transaction, without its commit.
  func writing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let previous = ocd_set_external_sink(sink)
    defer { ocd_set_external_sink(previous) }
    do throws(StoreError) {
      let result = try body()
      if !removed.isEmpty { try removal.announce() }
      if !added.isEmpty { try files.syncNames() }
      return result
    } catch {
      throw failure ?? error
    }
  }

  /// Passes the files of deleted values to ``removal``, after the transaction is committed.
  func committed() {
    removal.add(removed)
    forget()
  }

  /// Deletes the files of values that were not written.
  func rolledBack() {
    for name in added { files.remove(name) }
    forget()
  }

  /// Keeps all files, because the changes of a failed commit may take effect after a power failure.
  func failedToCommit() {
    if !added.isEmpty || !removed.isEmpty { removal.suspect() }
    forget()
  }

  /// The number of files that the transaction has created so far.
  var addedCount: Int { added.count }

  /// Deletes the files of a row that was bound but not written.
  func dropAdded(from count: Int) {
    for name in added.dropFirst(count) { files.remove(name) }
    added.removeSubrange(min(count, added.count)...)
  }

  private func forget() {
    added = []
    removed = []
    failure = nil
  }

  /// Observes the values that rows lose, using temporary triggers of this connection.
  ///
  /// - Parameter columns: The columns whose values have their own files, by table.
  func watch(
    _ columns: [String: Set<String>], on connection: Connection
  ) throws(StoreError) {
    sqlite3_create_function_v2(
      connection.database, Self.freed, 1, SQLITE_UTF8,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, _, arguments in
        guard let context, let value = arguments?[0], let owner = sqlite3_user_data(context),
          let bytes = sqlite3_value_blob(value),
          ocd_is_external(bytes, Int(sqlite3_value_bytes(value))) != 0
        else { return }
        let name = String(
          decoding: UnsafeRawBufferPointer(start: bytes + 1, count: 36), as: UTF8.self)
        Unmanaged<ExternalWriter>.fromOpaque(owner).takeUnretainedValue().removed.append(name)
      }, nil, nil, nil)
    try connection.silently { () throws(StoreError) in
      for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
        for column in columns.sorted() { try watch(table, column, on: connection) }
      }
    }
  }

  private func watch(
    _ table: String, _ column: String, on connection: Connection
  ) throws(StoreError) {
    let events = ["DELETE", "UPDATE OF \(Self.quoted(column))"]
    for (number, event) in events.enumerated() {
      let name = Self.quoted("OpenCoreData \(table) \(column) \(number)")
      try connection.run(
        """
        CREATE TEMP TRIGGER \(name) AFTER \(event) ON \(Self.quoted(table)) \
        WHEN length(old.\(Self.quoted(column))) = 38 \
        BEGIN SELECT \(Self.freed)(old.\(Self.quoted(column))); END
        """)
    }
  }

  /// Returns the columns whose values may be in files, by table.
  ///
  /// - Parameter haveOwnFiles: Whether to omit derived attributes. The value of a derived attribute
  ///   is in the file of the attribute from which the store copies the value.
  static func columns(
    of schema: SchemaMap, haveOwnFiles: Bool = false
  ) -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    for map in schema.entities {
      for (slot, column) in zip(map.entity.slots, map.columns) where column.isTagged {
        if haveOwnFiles, slot.isDerived { continue }
        columns[map.table, default: []].insert(column.name)
      }
    }
    return columns
  }

  private static func quoted(_ name: String) -> String { SQLiteDialect().quoted(name) }
}
