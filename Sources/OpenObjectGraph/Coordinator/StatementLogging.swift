internal import Foundation
internal import OpenStoreContract

/// The store option for the level of detail of the statement log, a number from 0 to 3.
///
/// Level 0 logs nothing. Level 1 logs the SQL and the execution time. Level 2 also logs the number
/// of rows. Level 3 also logs the values, which may be private. A lower or higher number counts as
/// the nearest level. For stores without the option, the launch argument
/// `-com.apple.CoreData.SQLDebug`, followed by a number, sets the level; the default is 0.
///
/// This is an addition to Apple's API.
public let OpenSQLDebugOption = "OpenSQLDebugOption"

/// Logs the statements of stores in the format of Apple's framework.
enum StatementLogging {
  private static let argument = "-com.apple.CoreData.SQLDebug"

  /// The level of detail in the launch arguments of the process.
  private static let processDetail: Int = {
    let arguments = ProcessInfo.processInfo.arguments
    guard let place = arguments.firstIndex(of: argument), place + 1 < arguments.count else {
      return 0
    }
    return Int(arguments[place + 1]) ?? 0
  }()

  /// The trace for the options of a store; nil if nothing is logged.
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
