import Foundation
import OpenStoreContract

/// The location of a store and the connection parameters of its server, read from the URL.
struct PostgresSettings: Sendable, Hashable {
  /// The connection parameters for libpq, by keyword.
  let parameters: [String: String]
  /// The schema that contains the tables of the store.
  let schema: String
  /// The maximum number of connections of the store.
  let poolSize: Int
  /// The maximum time for which a state of the store stays pinned, in seconds.
  let pinTime: Double
  /// Whether a pooler can assign another session to each transaction. Such sessions cannot keep prepared statements, and cannot listen.
  let sharesSessions: Bool
  /// The host of the connection that listens for notices; nil for the host of the other connections.
  let listeningHost: String?
  /// The URL without the password, for messages.
  let description: String

  private static let own: Set<String> = ["schema", "pool", "pooling", "listen", "pin"]

  /// Creates the settings from the URL of a store.
  ///
  /// - Throws: `StoreError` with code `.unsupported` if the URL is not the URL of a PostgreSQL
  ///   store.
  init(_ url: URL?) throws(StoreError) {
    guard let url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
      ["postgresql", "postgres"].contains(parts.scheme)
    else {
      throw StoreError(
        .unsupported,
        "A PostgreSQL store needs a URL such as postgresql://user@host/database?schema=name.")
    }
    var parameters: [String: String] = [:]
    var own: [String: String] = [:]
    if let host = parts.host, !host.isEmpty { parameters["host"] = host }
    if let port = parts.port { parameters["port"] = String(port) }
    if let user = parts.user { parameters["user"] = user }
    if let password = parts.password { parameters["password"] = password }
    let database = parts.path.drop { $0 == "/" }
    if !database.isEmpty { parameters["dbname"] = String(database) }
    for item in parts.queryItems ?? [] {
      if Self.own.contains(item.name) {
        own[item.name] = item.value
      } else {
        parameters[item.name] = item.value
      }
    }
    schema = own["schema"] ?? "public"
    guard !schema.isEmpty, schema.utf8.count <= 63, !schema.utf8.contains(0) else {
      throw StoreError(.unsupported, "The name of a schema has 1 to 63 bytes.")
    }
    let size = own["pool"].map { Int($0) ?? 0 } ?? 32
    guard size > 0 else {
      throw StoreError(.unsupported, "The size of the pool must be a number greater than 0.")
    }
    poolSize = size
    let time = own["pin"].map { Double($0) ?? 0 } ?? 600
    guard time > 0, time.isFinite else {
      throw StoreError(.unsupported, "The value of pin must be a number of seconds greater than 0.")
    }
    pinTime = time
    let pooling = own["pooling"] ?? "session"
    guard ["session", "transaction"].contains(pooling) else {
      throw StoreError(.unsupported, "The value of pooling must be session or transaction.")
    }
    sharesSessions = pooling == "transaction"
    listeningHost = own["listen"]
    description = Self.redacted(parts)
    try Self.requireSafety(parameters)
    self.parameters = parameters.merging(Self.defaults(parameters)) { given, _ in given }
  }

  /// The connection parameters for the connection that listens for notices, by keyword.
  var listeningParameters: [String: String] {
    listeningHost.map { parameters.merging(["host": $0]) { $1 } } ?? parameters
  }

  private static func defaults(_ parameters: [String: String]) -> [String: String] {
    [
      "connect_timeout": "10", "keepalives_idle": "30", "tcp_user_timeout": "30000",
      "application_name": "OpenCoreData", "client_encoding": "UTF8",
      "sslmode": isLocal(parameters["host"]) ? "prefer" : "verify-full",
    ]
  }

  private static func isLocal(_ host: String?) -> Bool {
    guard let host else { return true }
    // A list contains the hosts that are tried one after the other.
    return host.split(separator: ",").allSatisfy { host in
      host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
    }
  }

  /// Throws an error if a password would be sent unencrypted over a network.
  private static func requireSafety(_ parameters: [String: String]) throws(StoreError) {
    guard parameters["password"] != nil, !isLocal(parameters["host"]),
      let mode = parameters["sslmode"], ["disable", "allow", "prefer"].contains(mode)
    else { return }
    throw StoreError(
      .permission,
      "The URL has a password and allows a connection without TLS to another machine. Leave sslmode out, or set it to "
        + "verify-full.")
  }

  /// Returns the URL without the password and without options that may contain secrets.
  private static func redacted(_ parts: URLComponents) -> String {
    var shown = parts
    shown.password = nil
    let known: Set<String> = ["schema", "host", "port", "user", "dbname", "service"]
    shown.queryItems = parts.queryItems?.filter { known.contains($0.name) }
    if shown.queryItems?.isEmpty == true { shown.queryItems = nil }
    return shown.string ?? "postgresql:"
  }
}
