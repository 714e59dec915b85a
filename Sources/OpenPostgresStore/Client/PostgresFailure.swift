import COpenPostgres
import OpenStoreContract

/// The underlying error if no connection became available.
struct Exhaustion: Error {}

/// A failure that a server or libpq reported: the underlying error of the errors of statements. The
/// original message is not kept, because it may contain values.
struct PostgresFailure: Error {
  /// The five-character SQLSTATE code of the failure; empty if the connection failed.
  let state: String
  let table: String?
  /// Whether a prepared statement no longer exists or no longer matches the tables.
  let isForgottenStatement: Bool

  init(_ result: OpaquePointer?) {
    func field(_ code: Int32) -> String? {
      PQresultErrorField(result, code).map { String(cString: $0) }
    }
    state = field(Int32(UInt8(ascii: "C"))) ?? ""
    table = field(Int32(UInt8(ascii: "t")))
    // The server reports a changed plan with the code of all unsupported features. The message may
    // be translated, but the name of the server's function is not.
    let function = field(Int32(UInt8(ascii: "R")))
    isForgottenStatement =
      state == "26000" || state == "0A000" && function == "RevalidateCachedQuery"
  }

  /// Whether the transaction may succeed if it is repeated from the beginning.
  var isTransient: Bool { ["40001", "40P01"].contains(state) }

  var isUniqueViolation: Bool { state == "23505" }

  /// Whether the server canceled the statement, on request or after a timeout.
  var isCancellation: Bool { state == "57014" }

  /// Returns the store error for the failure of a statement.
  func error(in place: String, statement: String?) -> StoreError {
    let (code, message) = explanation
    let suffix = state.isEmpty ? "" : " (SQLSTATE \(state)\(table.map { ", table \($0)" } ?? ""))"
    return StoreError(
      code, message + suffix, path: place, statement: statement,
      underlying: isCancellation ? StatementTimeout() : self)
  }

  /// The message if the server has no free connection.
  static let exhaustion =
    "The server has no free connection for this role or database. Try again, or use a smaller pool."

  private var explanation: (StoreError.Code, String) {
    switch state {
    case "": (.unreachable, "The connection to the server was lost. Try again.")
    case "40001", "40P01":
      (.locked, "Other transactions repeatedly changed the same rows. Try again.")
    case "55P03":
      (.locked, "Timed out waiting for a lock held by another connection. Try again.")
    case "57014":
      (
        .locked,
        "The server canceled the statement. It took longer than the server's statement_timeout, or an administrator canceled "
          + "it. Increase statement_timeout, or try again."
      )
    case "57P01", "57P02", "57P03": (.unreachable, "The server is shutting down. Try again.")
    case "53300": (.unreachable, Self.exhaustion)
    case "22001", "22003", "22021", "54000":
      (.unfitValue, "A value does not fit in its column or in an index.")
    case "25006":
      (.readOnly, "The server does not allow writing. It may be a standby server.")
    case "42501", "28000", "28P01", "3F000":
      (.permission, "Access to the schema or its tables is denied. Check the user's privileges.")
    case "3D000": (.missingFile, "The database does not exist.")
    case "42P01", "42703":
      (
        .incompatibleSchema,
        "A table or column that the model requires does not exist in the store."
      )
    case "2BP01":
      (
        .statement,
        "A view or a table of another program depends on a table or column of the store. Drop the view or the constraint first."
      )
    case "53100", "53200", "58030":
      (
        .inputOutput,
        "The server is out of disk space or memory, or it cannot read or write its files."
      )
    case "XX001", "XX002": (.corrupt, "The server's files are damaged. Restore a backup.")
    case "23505":
      (
        .constraintConflict,
        "A row to write violates a uniqueness constraint: another row has the same values."
      )
    default: (.statement, "The server could not execute a statement.")
    }
  }
}

extension StoreError {
  /// The failure of a statement; nil for other errors, and for a statement that the server
  /// canceled.
  var failure: PostgresFailure? { underlying as? PostgresFailure }

  /// Whether the server rejected a statement. The connection still exists.
  var isRejection: Bool { failure != nil || underlying is StatementTimeout }

  /// Whether the transaction may succeed if it is repeated from the beginning.
  var isTransient: Bool { failure?.isTransient == true }

  var isUniqueViolation: Bool { failure?.isUniqueViolation == true }

  /// Whether a prepared statement no longer exists or no longer matches the tables.
  var isForgottenStatement: Bool { failure?.isForgottenStatement == true }
}
