internal import Foundation
internal import OpenStoreContract

/// The option for the level of detail of a store's statement log, a number. Addition.
///
/// 0: no logging; 1: SQL and time; 2: also the number of rows; 3: SQL with its values, which may be private. Without
/// the option, the launch argument `-com.apple.CoreData.SQLDebug` followed by the number applies to all stores of the
/// process.
public let OpenSQLDebugOption = "OpenSQLDebugOption"

/// Logs the statements of stores in the words of Apple's framework.
enum StatementLogging {
  private static let argument = "-com.apple.CoreData.SQLDebug"

  /// The detail that the process was started with.
  private static let processDetail: Int = {
    let arguments = ProcessInfo.processInfo.arguments
    guard let place = arguments.firstIndex(of: argument), place + 1 < arguments.count else {
      return 0
    }
    return Int(arguments[place + 1]) ?? 0
  }()

  /// What a store is to tell; nil for nothing.
  static func trace(_ options: [AnyHashable: Any]?) -> StatementTrace? {
    let number = options?[OpenSQLDebugOption] as? NSNumber
    let wanted = number?.intValue ?? processDetail
    guard wanted > 0, let detail = StatementTrace.Detail(rawValue: min(wanted, 3)) else {
      return nil
    }
    return StatementTrace(detail: detail, report: log)
  }

  private static func log(_ run: StatementTrace.Run) {
    GraphLog.notice("CoreData: sql: \(run.text)")
    let time = String(format: "%.4f", run.seconds)
    let rows = run.rowCount.map { " for \($0) rows" } ?? ""
    GraphLog.notice("CoreData: annotation: total execution time: \(time)s\(rows)")
  }
}
