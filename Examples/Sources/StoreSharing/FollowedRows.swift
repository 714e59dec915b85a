/// The rows of a list, and when to read them again.
public struct FollowedRows<Row: Sendable>: Sendable {
  /// A stream with an element whenever the rows may have become others.
  public let changes: @Sendable () -> AsyncStream<Void>
  /// Reads the rows.
  public let load: @Sendable () async throws -> [Row]

  /// Makes rows that are read again at changes.
  ///
  /// - Parameters:
  ///   - changes: A stream with an element whenever the rows may have become others.
  ///   - load: Reads the rows.
  public init(
    changes: @escaping @Sendable () -> AsyncStream<Void>,
    load: @escaping @Sendable () async throws -> [Row]
  ) {
    self.changes = changes
    self.load = load
  }

  /// Hands the rows over, and again whenever they may have become others, until the task is cancelled.
  ///
  /// - Throws: What reading the rows throws.
  public func follow(_ show: @Sendable ([Row]) -> Void) async throws {
    let changes = changes()
    show(try await load())
    for await _ in changes { show(try await load()) }
  }

  /// The rows that two lists together give, read again when either of them has changed.
  ///
  /// - Parameters:
  ///   - other: The second list.
  ///   - join: Makes the rows of both lists' rows.
  public func joined<Other, Joined>(
    with other: FollowedRows<Other>, _ join: @escaping @Sendable ([Row], [Other]) -> [Joined]
  ) -> FollowedRows<Joined> {
    FollowedRows<Joined> { [changes] in
      let (one, two) = (changes(), other.changes())
      return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let task = Task {
          await withTaskGroup { group in
            for stream in [one, two] {
              group.addTask { for await _ in stream { continuation.yield() } }
            }
          }
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    } load: { [load] in
      async let (rows, others) = (load(), other.load())
      return join(try await rows, try await others)
    }
  }
}
