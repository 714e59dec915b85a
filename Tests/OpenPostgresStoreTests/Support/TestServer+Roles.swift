import Foundation
import PostgresTestServer

extension TestServer {
  /// Creates a role that owns a schema with the role's name, and that cannot create schemas.
  ///
  /// - Parameters:
  ///   - name: The name of the role and of the schema.
  ///   - options: Further options of the role.
  /// - Returns: The URL of a store in the schema.
  func url(ofNewRole name: String, _ options: String = "") throws -> URL {
    try execute("CREATE ROLE \(name) LOGIN \(options)")
    try execute("CREATE SCHEMA \(name) AUTHORIZATION \(name)")
    let own = try url(schema: name).absoluteString
    guard let other = URL(string: own.replacing("user=tests", with: "user=\(name)")) else {
      throw Failure(description: "no URL")
    }
    return other
  }
}
