internal import CBenchSQLite
internal import CCounting
internal import Foundation
internal import Glibc
internal import OpenBuiltInStores

/// The arguments, data files, clock and JSON output of a benchmark run.
package struct Harness {
  package let workload: String
  package let database: String
  package let folder: String
  /// The requested variant of the workload; nil if `PERF_VARIANT` is unknown.
  package let variant = Variant(ProcessInfo.processInfo.environment["PERF_VARIANT"])
  /// Whether the store records persistent history.
  package let hasHistory = ProcessInfo.processInfo.environment["PERF_HISTORY"] == "1"

  /// The variants of a workload. Every workload has the variant `plain`.
  package enum Variant: String {
    case plain
    /// Workload w1 as batch insertions with a handler that fills managed objects.
    case batch
    /// Workload w1 as batch insertions with a handler that fills dictionaries.
    case dictionaries
    /// Workload w2 with a uniqueness constraint and a merge policy.
    case constraint
    /// Workloads w5 and w7 with the context pinned to a query generation, so that one SQLite
    /// transaction serves all fetches.
    case pinned
    /// Workload w4p with typed property values instead of dictionaries.
    case values

    package init?(_ name: String?) {
      guard let name, !name.isEmpty else {
        self = .plain
        return
      }
      self.init(rawValue: name)
    }
  }

  /// Evaluates an SQL statement that returns an integer on a server; nil if the database is a SQLite
  /// file.
  private let serverNumber: ((String) -> Int64)?
  /// Whether the database is the URL of a store on a server.
  package var isOnServer: Bool { serverNumber != nil }

  package init(
    workload: String, database: String, folder: String, serverNumber: ((String) -> Int64)? = nil
  ) {
    self.workload = workload
    self.database = database
    self.folder = folder
    self.serverNumber = serverNumber
  }

  /// Returns the time of a monotonic clock, in seconds.
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Returns the duration of a closure in seconds. Valgrind counts only the instructions of the closure.
  package static func measure(_ work: () throws -> Void) rethrows -> Double {
    counting_start()
    defer { counting_stop() }
    let start = now()
    try work()
    return now() - start
  }

  /// Returns the peak resident memory of the process in KiB, or 0 if it is unknown.
  package static func peakMemory() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  /// Prints the result of a workload as one line of JSON.
  ///
  /// - Parameters:
  ///   - count: The number of processed objects or requests.
  ///   - seconds: The measured time.
  ///   - check: A checksum that all runners of the workload must report.
  ///   - extra: Further JSON members, without a leading comma.
  package func report(_ count: Int, _ seconds: Double, _ check: Int64, _ extra: String = "") {
    let time = String(format: "%.6f", seconds)
    let more = extra.isEmpty ? "" : ",\(extra)"
    print(
      "{\"runner\":\"ours\",\"w\":\"\(workload)\",\"n\":\(count),\"s\":\(time),\"check\":\(check),"
        + "\"rss_kb\":\(Self.peakMemory())\(more)}")
  }

  /// Reports an import of posts, with a checksum over the table.
  package func reportImport(_ count: Int, _ seconds: Double) {
    report(count, seconds, number("SELECT sum(ZTHREADINDEX + length(ZINNERHTML)) FROM ZPOST"))
  }

  /// Reports a change of the posts' scores, with a checksum over the table.
  package func reportUpdate(_ count: Int, _ seconds: Double) {
    report(count, seconds, number("SELECT CAST(sum(ZSCORE) AS BIGINT) FROM ZPOST"))
  }

  /// The number of posts in the data set.
  package var postCount: Int { Int(number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2")) }

  /// Returns the 64-bit integers in a file of the data folder.
  package func integers(_ name: String) throws -> [Int64] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self) }
    }
  }

  /// Returns the integer that an SQL statement yields, or -1 if the statement fails. Checks use
  /// this method after the time measurement.
  package func number(_ sql: String) -> Int64 {
    if let serverNumber { return serverNumber(sql) }
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    guard sqlite3_open(database, &connection) == SQLITE_OK,
      sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return -1 }
    return sqlite3_column_int64(statement, 0)
  }

  /// Adds to the generated database the tables that mark a file as a Core Data store. A new file and a
  /// store on a server do not need them.
  package func adoptDatabase() throws {
    guard !isOnServer, FileManager.default.fileExists(atPath: database) else { return }
    // The library configures SQLite when it opens its first file, so that must happen before
    // this program uses SQLite itself.
    let file = URL(fileURLWithPath: database)
    let known = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: file)
    if known != nil { return }
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open(database, &connection) == SQLITE_OK else {
      throw CocoaError(.fileNoSuchFile)
    }
    let plist = try PropertyListSerialization.data(
      fromPropertyList: ["NSStoreType": "SQLite", "NSPersistenceFrameworkVersion": 1344],
      format: .binary, options: 0)
    let hex = plist.map { String(format: "%02x", $0) }.joined()
    let sql = """
      PRAGMA busy_timeout=10000;
      CREATE TABLE IF NOT EXISTS Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB);
      INSERT OR IGNORE INTO Z_METADATA VALUES (1, '6F9619FF-8B86-D011-B42D-00C04FC964FF', x'\(hex)');
      """
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
