package import Foundation
package import OpenStoreContract

/// The location of a store and the connection parameters of its server, read from the URL.
package struct PostgresSettings: Sendable, Hashable {
  /// The connection parameters for libpq, by keyword.
  package let parameters: [String: String]
  /// The parameters of the connection that receives notifications (`LISTEN`), by keyword.
  package let listeningParameters: [String: String]
  /// The schema that contains the tables of the store.
  let schema: String
  /// The maximum number of connections of the store.
  let poolSize: Int
  /// The maximum time for which a state of the store stays pinned, in seconds.
  let pinTime: Double
  /// Whether a pooler can assign another session to each transaction. Such sessions cannot keep
  /// prepared statements, and cannot listen.
  let sharesSessions: Bool
  /// Whether the URL specifies a separate host for the connection that receives notifications.
  let hasListeningHost: Bool
  /// The URL without the password, for messages.
  let description: String

  private static let own: Set<String> = ["schema", "pool", "pooling", "listen", "pin"]

  /// Creates the settings from the URL of a store.
  ///
  /// - Parameters:
  ///   - url: The URL; for nil, the initializer throws.
  ///   - environment: The environment variables, from which libpq takes missing parameters.
  /// - Throws: `StoreError` with code `.unusableLocation` if the URL is not a valid URL of a
  ///   PostgreSQL store, or with code `.permission` if a password could be sent over a network
  ///   without TLS.
  package init(
    _ url: URL?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(StoreError) {
    guard let url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
      ["postgresql", "postgres"].contains(parts.scheme)
    else {
      throw StoreError(
        .unusableLocation,
        "A PostgreSQL store requires a URL such as postgresql://user@host/database?schema=name.")
    }
    var parameters: [String: String] = [:]
    var own: [String: String] = [:]
    if let host = parts.host, !host.isEmpty { parameters["host"] = Self.withoutBrackets(host) }
    if let port = parts.port { parameters["port"] = String(port) }
    if let user = parts.user { parameters["user"] = user }
    if let password = parts.password { parameters["password"] = password }
    let database = parts.path.drop { $0 == "/" }
    if !database.isEmpty { parameters["dbname"] = String(database) }
    var names: Set<String> = []
    for item in parts.queryItems ?? [] {
      guard names.insert(item.name).inserted else {
        throw StoreError(
          .unusableLocation, "The URL contains the parameter \(item.name) twice. Remove one.")
      }
      if Self.own.contains(item.name) {
        own[item.name] = item.value
      } else {
        parameters[item.name] = item.value
      }
    }
    schema = own["schema"] ?? "public"
    guard !schema.isEmpty, schema.utf8.count <= 63, !schema.utf8.contains(0) else {
      throw StoreError(
        .unusableLocation, "The name of the schema must be 1 to 63 bytes long.")
    }
    let size = own["pool"].map { Int($0) ?? 0 } ?? 32
    guard size > 0 else {
      throw StoreError(
        .unusableLocation, "The value of pool must be an integer greater than 0.")
    }
    poolSize = size
    let time = own["pin"].map { Double($0) ?? 0 } ?? 600
    guard time > 0, time.isFinite else {
      throw StoreError(
        .unusableLocation, "The value of pin must be a number of seconds greater than 0.")
    }
    pinTime = time
    let pooling = own["pooling"] ?? "session"
    guard ["session", "transaction"].contains(pooling) else {
      throw StoreError(
        .unusableLocation, "The value of pooling must be session or transaction.")
    }
    sharesSessions = pooling == "transaction"
    guard own["listen"]?.isEmpty != true else {
      throw StoreError(
        .unusableLocation, "The value of listen must be a host, such as db.example:5432.")
    }
    hasListeningHost = own["listen"] != nil
    description = Self.redacted(parts)
    self.parameters = try Self.complete(parameters, environment)
    var listening = parameters
    if let place = own["listen"] {
      let (host, port) = Self.hostAndPort(place)
      listening["host"] = host
      if let port { listening["port"] = port }
      // The address of the pooler.
      listening["hostaddr"] = nil
    }
    // The listener checks the history between two attempts, about every five seconds.
    listening["connect_timeout"] = listening["connect_timeout"] ?? "3"
    listeningParameters = try Self.complete(listening, environment)
  }

  /// Returns the host and the port of a place such as `db.example:5432` or `[::1]:5432`; the port
  /// is nil if the place does not contain one.
  private static func hostAndPort(_ place: String) -> (host: String, port: String?) {
    guard let colon = place.lastIndex(of: ":") else { return (place, nil) }
    let (host, port) = (String(place[..<colon]), String(place[place.index(after: colon)...]))
    // The colons of an IPv6 address without brackets do not precede a port.
    let hasPort =
      !port.isEmpty && port.allSatisfy { $0.isASCII && $0.isNumber }
      && (!host.contains(":") || host.hasSuffix("]"))
    return hasPort ? (withoutBrackets(host), port) : (withoutBrackets(place), nil)
  }

  /// Returns a host without the brackets that enclose an IPv6 address in a URL.
  private static func withoutBrackets(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// Returns parameters with defaults for the missing ones.
  ///
  /// - Throws: `StoreError` with code `.permission` if a password could be sent unencrypted over a
  ///   network.
  private static func complete(
    _ given: [String: String], _ environment: [String: String]
  ) throws(StoreError) -> [String: String] {
    // Like libpq, ignores empty parameters.
    var parameters = given.filter { !$0.value.isEmpty }
    let defaults = [
      "connect_timeout": "10", "keepalives_idle": "30", "tcp_user_timeout": "30000",
      "application_name": "OpenCoreData",
    ]
    parameters.merge(defaults) { given, _ in given }
    // The store reads and writes text as UTF-8.
    parameters["client_encoding"] = "UTF8"
    let security = Security(parameters, environment)
    if parameters["sslmode"] == nil { parameters["sslmode"] = security.defaultMode }
    if parameters["password"] != nil, !security.isLocal,
      ["disable", "allow", "prefer"].contains(parameters["sslmode"] ?? "prefer")
    {
      throw StoreError(
        .permission,
        "The URL contains a password and allows a connection without TLS to another computer. Set sslmode to verify-full, or "
          + "store the password in .pgpass.")
    }
    return parameters
  }

  /// Facts about the server to which the parameters connect.
  private struct Security {
    /// Whether all hosts are this machine.
    let isLocal: Bool
    /// The value of `sslmode` if the parameters do not contain one; nil if the service decides.
    let defaultMode: String?

    init(_ parameters: [String: String], _ environment: [String: String]) {
      func value(_ keyword: String, _ variable: String) -> String? {
        if let given = parameters[keyword] { return given }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
      }
      let hosts = [value("host", "PGHOST"), value("hostaddr", "PGHOSTADDR")].compactMap { $0 }
      let hasService = value("service", "PGSERVICE") != nil
      let isNamedByService =
        hasService && parameters["host"] == nil && parameters["hostaddr"] == nil
      isLocal = !isNamedByService && hosts.allSatisfy(Self.areLocal)
      if hasService, isNamedByService || isLocal {
        defaultMode = nil
      } else {
        defaultMode = isLocal ? "prefer" : "verify-full"
      }
    }

    /// Returns whether all hosts in a list are this machine. A connection tries the hosts in order.
    private static func areLocal(_ hosts: String) -> Bool {
      hosts.split(separator: ",").allSatisfy { host in
        host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
      }
    }
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
