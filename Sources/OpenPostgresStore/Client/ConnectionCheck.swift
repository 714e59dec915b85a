import COpenPostgres
import Foundation
import OpenStoreContract

/// The check of a connection that libpq has tried to open.
enum ConnectionCheck {
  /// Requires that a connection is open, and that its server and database can contain a store.
  ///
  /// - Throws: `StoreError` with code `.unreachable`, `.permission` or `.unusableLocation`.
  static func run(_ connection: OpaquePointer, to place: String) throws(StoreError) {
    guard PQstatus(connection) == CONNECTION_OK else { throw failure(of: connection, to: place) }
    guard PQserverVersion(connection) >= 140_000 else {
      throw StoreError(
        .unusableLocation, "The server must be PostgreSQL 14 or later.", path: place)
    }
    guard let encoding = PQparameterStatus(connection, "server_encoding") else { return }
    guard String(cString: encoding) == "UTF8" else {
      throw StoreError(
        .unusableLocation, "The encoding of the database must be UTF8. Use another database.",
        path: place)
    }
  }

  /// Parts of the messages that servers and connection poolers send if no connection is free. For a
  /// failed connection, libpq provides only the message, which may be in another language.
  private static let signsOfExhaustion = [
    "too many clients", "too many connections", "remaining connection slots",
    "no more connections",
  ]

  /// Parts of the messages of servers and libpq if the connection fails for a reason other than the
  /// password: the database does not exist, or the connection is lost.
  private static let signsOfOtherCauses = [
    "does not exist", "no such database", "cannot connect", "closed the connection",
    "could not receive", "could not send", "terminating connection", "shutting down",
  ]

  /// Returns whether the server rejected the user name or the password, or required a password.
  private static func isRejected(_ connection: OpaquePointer, _ message: String) -> Bool {
    if PQconnectionNeedsPassword(connection) == 1 { return true }
    // The message describes the attempts with all hosts; the connection, only the last attempt.
    let start = message.range(of: "connection to server", options: .backwards)?.lowerBound
    let attempt = message[(start ?? message.startIndex)...]
    // A server that accepts the password sends its version, even if libpq then closes the
    // connection because of target_session_attrs.
    return PQconnectionUsedPassword(connection) == 1
      && PQparameterStatus(connection, "server_version") == nil
      && !signsOfOtherCauses.contains { attempt.contains($0) }
  }

  private static func failure(of connection: OpaquePointer, to place: String) -> StoreError {
    let message = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    if signsOfExhaustion.contains(where: { message.contains($0) }) {
      return StoreError(
        .unreachable, PostgresFailure.exhaustion, path: place, underlying: Exhaustion())
    }
    if isRejected(connection, message) {
      return StoreError(
        .permission, "The server rejected the user name or the password.", path: place)
    }
    return StoreError(
      .unreachable,
      "The server cannot be reached, or the user or the database does not exist. Check the host, port, user, database, sslmode "
        + "and target_session_attrs.",
      path: place)
  }
}
