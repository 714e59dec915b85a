import CBenchPostgres
import Foundation

/// The database of a store in PostgreSQL, for the checks after the time measurement.
struct Server {
  private let parameters: String

  /// Returns nil if the text is not the URL of a PostgreSQL database.
  ///
  /// - Parameter url: The URL of the store, whose host is a folder with a socket.
  init?(_ url: String) {
    guard let components = URLComponents(string: url), components.scheme == "postgresql" else {
      return nil
    }
    let host = components.queryItems?.first { $0.name == "host" }?.value ?? ""
    parameters = "host=\(host) dbname=\(components.path.dropFirst()) user=\(components.user ?? "")"
  }

  /// Returns the integer that an SQL statement yields, or -1 if the statement fails.
  func number(_ sql: String) -> Int64 {
    let connection = PQconnectdb(parameters)
    defer { PQfinish(connection) }
    let result = PQexec(connection, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) == 1 else { return -1 }
    return Int64(String(cString: PQgetvalue(result, 0, 0))) ?? -1
  }
}
