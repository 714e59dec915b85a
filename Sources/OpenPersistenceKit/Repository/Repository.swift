/// The operations that an application performs on entities of one type, regardless of how the
/// entities are stored.
///
/// An entity may be a SwiftData model, a managed object or a plain value. Tests can therefore use a
/// repository that stores its entities in an array. `Query` is the type of the argument of
/// ``fetch(_:)``, such as `FetchDescriptor<Story>` or a custom type.
///
/// ```swift
/// final class StoryRepository: Repository {
///   private let modelContext: ModelContext
///   init(modelContext: ModelContext) { self.modelContext = modelContext }
///
///   func fetch(_ descriptor: FetchDescriptor<Story>) async throws -> [Story] {
///     try modelContext.fetch(descriptor)
///   }
///   func save(_ story: Story) async throws {
///     modelContext.insert(story)
///     try modelContext.save()
///   }
///   func delete(_ story: Story) async throws {
///     modelContext.delete(story)
///     try modelContext.save()
///   }
/// }
///
/// let repository: any Repository<Story, FetchDescriptor<Story>> = StoryRepository(modelContext: context)
/// ```
///
/// This is an addition to Apple's API.
///
/// > Concurrency: The methods run on the caller's actor, so entities do not have to be `Sendable`.
/// > A conforming type that is isolated to a global actor declares the conformance and each method
/// > with the same isolation, such as `: @MainActor Repository` and `@MainActor func save(_:)`.
public protocol Repository<Entity, Query> {
  associatedtype Entity
  associatedtype Query

  /// Returns the entities that a query selects, in the order of the query.
  ///
  /// - Parameter query: The query.
  /// - Throws: Any error that the fetch throws.
  nonisolated(nonsending) func fetch(_ query: Query) async throws -> [Entity]

  /// Saves an entity, which may be new.
  ///
  /// - Parameter entity: The entity to save.
  /// - Throws: Any error that the save throws.
  nonisolated(nonsending) func save(_ entity: Entity) async throws

  /// Deletes an entity.
  ///
  /// - Parameter entity: The entity to delete.
  /// - Throws: Any error that the deletion throws.
  nonisolated(nonsending) func delete(_ entity: Entity) async throws

  /// Saves the changes to an existing entity. The default implementation calls `save(_:)`.
  ///
  /// - Parameter entity: The existing entity.
  /// - Throws: Any error that the save throws.
  nonisolated(nonsending) func update(_ entity: Entity) async throws

  /// Saves several entities. The default implementation calls `save(_:)` for each entity.
  ///
  /// - Parameter entities: The entities to save.
  /// - Throws: Any error that a save throws.
  nonisolated(nonsending) func batchSave(_ entities: [Entity]) async throws

  /// Deletes several entities. The default implementation calls `delete(_:)` for each entity.
  ///
  /// - Parameter entities: The entities to delete.
  /// - Throws: Any error that a deletion throws.
  nonisolated(nonsending) func batchDelete(_ entities: [Entity]) async throws
}

extension Repository {
  /// Saves the changes to an existing entity by calling `save(_:)`.
  ///
  /// Implement this method in a repository whose `save(_:)` always adds a new entity.
  ///
  /// - Parameter entity: The existing entity.
  /// - Throws: Any error that the save throws.
  public nonisolated(nonsending) func update(_ entity: Entity) async throws {
    try await save(entity)
  }

  /// Saves the given entities, in order.
  ///
  /// A repository that uses a context can implement this method to save all entities with one save.
  ///
  /// - Parameter entities: The entities to save.
  /// - Throws: Any error that a save throws, or `CancelledWork` with the number of saved entities
  ///   if the task is canceled before the last save. Entities saved before the error remain saved.
  public nonisolated(nonsending) func batchSave(_ entities: [Entity]) async throws {
    for (count, entity) in entities.enumerated() {
      if Task.isCancelled { throw CancelledWork(completed: count) }
      try await save(entity)
    }
  }

  /// Deletes the given entities, in order.
  ///
  /// A repository that uses a context can implement this method to delete all entities with one
  /// save.
  ///
  /// - Parameter entities: The entities to delete.
  /// - Throws: Any error that a deletion throws, or `CancelledWork` with the number of deleted
  ///   entities if the task is canceled before the last deletion. Entities deleted before the
  ///   error remain deleted.
  public nonisolated(nonsending) func batchDelete(_ entities: [Entity]) async throws {
    for (count, entity) in entities.enumerated() {
      if Task.isCancelled { throw CancelledWork(completed: count) }
      try await delete(entity)
    }
  }

  /// Saves an entity and retries after transient failures.
  ///
  /// The pauses between attempts are 1 s, 2 s, 4 s and so on, up to one minute. Canceling the task
  /// ends a pause immediately.
  ///
  /// - Parameters:
  ///   - entity: The entity to save.
  ///   - attempts: The maximum number of attempts, including the first. A value less than 1 is
  ///     treated as 1.
  ///   - clock: The clock that measures the pauses between attempts.
  ///   - isTransient: A closure that returns whether a failure is transient; by default
  ///     `ErrorKind.isTransient(_:)`.
  /// - Throws: `PersistenceError.saveFailed` with the failure of the last attempt or with the first
  ///   failure that is not transient; `CancellationError` if the task is canceled.
  public nonisolated(nonsending) func saveWithRetry(
    _ entity: Entity, attempts: Int = 3, clock: any Clock<Duration> = ContinuousClock(),
    isTransient: (any Error) -> Bool = { ErrorKind.isTransient($0) }
  ) async throws {
    do {
      try await RetryPolicy(attempts: attempts, jitter: 0)
        .run(clock: clock, isTransient: isTransient) { _ in try await save(entity) }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw PersistenceError.saveFailed(PersistenceError.cause(of: error))
    }
  }
}
