import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import Testing

@Suite("Connection parameters of the URL of a PostgreSQL store")
struct SettingsTests {
  /// A URL without its scheme, environment variables, and a parameter that results.
  struct Case: Sendable, CustomTestStringConvertible {
    let place: String
    var environment: [String: String] = [:]
    var expected: String?
    var testDescription: String { "\(place) \(environment)" }
  }

  private func settings(_ given: Case) throws -> PostgresSettings {
    let url = try #require(URL(string: "postgresql:" + given.place))
    return try PostgresSettings(url, environment: given.environment)
  }

  static let modes = [
    Case(place: "///db", expected: "prefer"),
    Case(place: "//localhost/db", expected: "prefer"),
    Case(place: "//[::1]:5433/db", expected: "prefer"),
    Case(place: "///db?host=/run/postgresql,127.0.0.1", expected: "prefer"),
    Case(place: "///db", environment: ["PGHOST": "/run/postgresql"], expected: "prefer"),
    Case(place: "//db.example/db", expected: "verify-full"),
    Case(place: "//db.example/db?sslmode=", expected: "verify-full"),
    Case(place: "//localhost/db?hostaddr=10.0.0.1", expected: "verify-full"),
    Case(place: "///db?hostaddr=10.0.0.1", expected: "verify-full"),
    Case(place: "///db?hostaddr=127.0.0.1", expected: "prefer"),
    Case(place: "///db", environment: ["PGHOST": "db.example"], expected: "verify-full"),
    Case(place: "///db", environment: ["PGHOSTADDR": "10.0.0.1"], expected: "verify-full"),
    Case(place: "///db?service=main", expected: nil),
    Case(place: "///db", environment: ["PGSERVICE": "main"], expected: nil),
    Case(place: "//db.example/db?service=main", expected: "verify-full"),
    Case(place: "//db.example/db?sslmode=require", expected: "require"),
  ]

  @Test("only connections to this machine need no TLS by default", arguments: modes)
  func defaultMode(_ given: Case) throws {
    let parameters = try settings(given).parameters
    #expect(parameters["sslmode"] == given.expected)
  }

  static let refusals = [
    Case(place: "//me:secret@db.example/db?sslmode=prefer"),
    Case(place: "//me:secret@localhost/db?hostaddr=10.0.0.1&sslmode=allow"),
    Case(place: "///db?user=me&password=secret&service=main"),
    Case(
      place: "///db?user=me&password=secret&sslmode=disable",
      environment: ["PGHOST": "db.example"]),
    Case(place: "//me:secret@localhost/db?sslmode=prefer&listen=db.example:5432"),
  ]

  @Test("a password requires TLS for every host that may not be this machine", arguments: refusals)
  func refused(_ given: Case) throws {
    let error = #expect(throws: StoreError.self) { try settings(given) }
    #expect(error?.code == .permission)
    #expect(error.map { "\($0)" }?.contains("secret") == false)
  }

  @Test("the brackets of an IPv6 address are not part of the host")
  func addresses() throws {
    let parameters = try settings(Case(place: "//[::1]:5433/db")).parameters
    #expect(parameters["host"] == "::1")
    #expect(parameters["port"] == "5433")
  }

  @Test(
    "text is sent as UTF-8, whatever encoding the URL contains", arguments: ["LATIN1", "UTF8", ""])
  func encoding(_ name: String) throws {
    let settings = try settings(Case(place: "///db?client_encoding=\(name)"))
    #expect(settings.parameters["client_encoding"] == "UTF8")
    #expect(settings.listeningParameters["client_encoding"] == "UTF8")
  }

  /// A value of the listen option, and the host and port that result.
  struct Listening: Sendable {
    let value: String
    let host: String
    let port: String?
    let mode: String
  }

  static let listeners = [
    Listening(value: "db.example", host: "db.example", port: "6432", mode: "verify-full"),
    Listening(value: "db.example:5432", host: "db.example", port: "5432", mode: "verify-full"),
    Listening(value: "[::1]:5432", host: "::1", port: "5432", mode: "prefer"),
    Listening(value: "::1", host: "::1", port: "6432", mode: "prefer"),
    Listening(value: "/run/postgresql", host: "/run/postgresql", port: "6432", mode: "prefer"),
  ]

  @Test(
    "the listening connection has its own host, port and default of sslmode", arguments: listeners)
  func listeningConnection(_ expected: Listening) throws {
    let parameters = try settings(
      Case(place: "//localhost:6432/db?hostaddr=127.0.0.1&listen=\(expected.value)")
    ).listeningParameters
    #expect(parameters["host"] == expected.host)
    #expect(parameters["port"] == expected.port)
    #expect(parameters["sslmode"] == expected.mode)
    #expect(parameters["hostaddr"] == nil)
  }

  static let invalidURLs = [
    "///db?pool=0", "///db?pin=abc", "///db?pooling=weird", "///db?listen=", "///db?schema=",
    "///db?schema=\(String(repeating: "s", count: 64))", "///db?schema=a&schema=b",
    "///db?sslmode=require&sslmode=disable",
  ]

  @Test("a URL with an invalid or repeated parameter throws 134080", arguments: invalidURLs)
  func invalid(_ place: String) throws {
    let error = #expect(throws: StoreError.self) { try settings(Case(place: place)) }
    #expect(error?.code == .unusableLocation)
    let url = try #require(URL(string: "postgresql:" + place))
    let opening = #expect(throws: CocoaError.self) { try Library.container(url) }
    #expect(opening?.code == .persistentStoreOpen)
  }
}
