/// The rows of a list, with a stream that signals when to reload them.
public struct FollowedRows<Row: Sendable>: Sendable {
  /// A closure that returns a stream with an element whenever the rows may have changed.
  public let changes: @Sendable () -> AsyncStream<Void>
  /// A closure that reads the rows.
  public let load: @Sendable () async throws -> [Row]

  /// Creates rows that are reloaded after changes.
  ///
  /// - Parameters:
  ///   - changes: A closure that returns a stream with an element whenever the rows may have changed.
  ///   - load: A closure that reads the rows.
  public init(
    changes: @escaping @Sendable () -> AsyncStream<Void>,
    load: @escaping @Sendable () async throws -> [Row]
  ) {
    self.changes = changes
    self.load = load
  }

  /// Passes the rows to a closure, and again whenever they may have changed, until the task is canceled.
  ///
  /// - Throws: An error of reading the rows.
  public func follow(_ show: @Sendable ([Row]) -> Void) async throws {
    let changes = changes()
    show(try await load())
    for await _ in changes { show(try await load()) }
  }

  /// Returns the rows combined from two lists, reloaded when either list may have changed.
  ///
  /// - Parameters:
  ///   - other: The second list.
  ///   - join: A closure that combines the rows of both lists.
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
