import COpenSQLite
import OpenStoreContract

/// Measures the time of the statements of one connection while it is open.
///
/// Confined to the connection. SQLite calls the tracer on the thread that steps a statement.
final class StatementTracer {
  private let trace: StatementTrace
  /// The number of rows that running statements have returned so far, by the statements' addresses.
  private var rows: [OpaquePointer: Int] = [:]

  init(_ trace: StatementTrace, of database: OpaquePointer) {
    self.trace = trace
    var events = UInt32(SQLITE_TRACE_PROFILE)
    if trace.detail >= .rows { events |= UInt32(SQLITE_TRACE_ROW) }
    sqlite3_trace_v2(
      database, events,
      { event, tracer, statement, detail in
        guard let tracer, let statement else { return 0 }
        // The connection keeps the tracer as long as SQLite may call it.
        Unmanaged<StatementTracer>.fromOpaque(tracer).takeUnretainedValue()
          .note(event, OpaquePointer(statement), detail)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func note(
    _ event: UInt32, _ statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?
  ) {
    guard event == UInt32(SQLITE_TRACE_PROFILE) else {
      rows[statement, default: 0] += 1
      return
    }
    let nanoseconds = detail?.load(as: Int64.self) ?? 0
    let count = rows.removeValue(forKey: statement) ?? 0
    trace.report(
      StatementTrace.Run(
        text: text(of: statement), seconds: Double(nanoseconds) / 1e9,
        rowCount: trace.detail >= .rows ? count : nil))
  }

  private func text(of statement: OpaquePointer) -> String {
    if trace.detail >= .values, let expanded = sqlite3_expanded_sql(statement) {
      defer { sqlite3_free(expanded) }
      return String(cString: expanded)
    }
    return sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }
}
