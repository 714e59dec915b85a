/// The rows of a list, and when to read them again.
public struct FollowedRows<Row: Sendable>: Sendable {
  /// A stream with an element whenever the rows may have become others.
  public let changes: @Sendable () -> AsyncStream<Void>
  /// Reads the rows.
  public let load: @Sendable () async throws -> [Row]
}
