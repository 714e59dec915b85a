import Foundation
import OpenStoreContract

/// Where a store is and how to connect to its server, as its URL says.
struct PostgresSettings: Sendable, Hashable {
  /// What is handed to libpq, by keyword.
  let parameters: [String: String]
  /// The schema whose tables are the store.
  let schema: String
  /// The maximum number of connections of the store.
  let poolSize: Int
  /// Whether a pooler may give each transaction another session of the server, so that no session keeps prepared statements or listens.
  let sharesSessions: Bool
  /// The host to listen on for notices, beside the pooler; nil for the host of the other connections.
  let listeningHost: String?
  /// The URL without password, for messages.
  let description: String

  private static let own: Set<String> = ["schema", "pool", "pooling", "listen"]

  /// Reads the URL of a store.
  ///
  /// - Throws: `StoreError` with code `.unsupported` for a URL that is none of a PostgreSQL store.
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

  /// What is handed to libpq for the connection that listens for notices.
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
    return host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
  }

  /// A password must not cross a network in the clear.
  private static func requireSafety(_ parameters: [String: String]) throws(StoreError) {
    guard parameters["password"] != nil, !isLocal(parameters["host"]),
      let mode = parameters["sslmode"], ["disable", "allow", "prefer"].contains(mode)
    else { return }
    throw StoreError(
      .permission,
      "The URL has a password and allows a connection without TLS to another machine. Leave sslmode out, or set it to "
        + "verify-full.")
  }

  /// The URL without password and options, which may hold secrets.
  private static func redacted(_ parts: URLComponents) -> String {
    var shown = parts
    shown.password = nil
    let known: Set<String> = ["schema", "host", "port", "user", "dbname", "service"]
    shown.queryItems = parts.queryItems?.filter { known.contains($0.name) }
    if shown.queryItems?.isEmpty == true { shown.queryItems = nil }
    return shown.string ?? "postgresql:"
  }
}
