import Foundation
import PostgresTestServer

extension TestServer {
  /// Adds a transaction of another process to the history of a store, and notifies the listeners of
  /// the store.
  ///
  /// - Parameters:
  ///   - number: The number of the transaction.
  ///   - schema: The schema of the store.
  func recordTransaction(_ number: Int, in schema: String) throws {
    try execute(
      """
      INSERT INTO \(schema).atransaction (z_pk, zprocess, ztimestamp) \
      VALUES (\(number), gen_random_uuid(), 0);
      SELECT pg_notify('ocd_' || lower(z_uuid), '') FROM \(schema).z_metadata
      """)
  }
}
