public import SwiftData
public import OpenPersistenceKit

/// The repository of one model class in one context.
///
/// After an error, all changes are still pending in the context: save again, or call ``rollback()``.
///
/// > Concurrency: Confined to the actor of its context.
public class ModelRepository<Item: PersistentModel>: Repository {
  public typealias Query = FetchDescriptor<Item>

  /// The context that the models belong to.
  public let modelContext: ModelContext

  /// Creates the repository of a context.
  public init(modelContext: ModelContext) { self.modelContext = modelContext }

  // MARK: One

  public func save(_ item: Item) async throws { try await batchSave([item]) }

  public func delete(_ item: Item) async throws { try await batchDelete([item]) }

  public func update(_ item: Item) async throws {
    if item.modelContext !== modelContext { throw PersistenceError.invalidData }
    try saveChanges()
  }

  // MARK: Many

  /// Inserts models, and saves all of them or none.
  ///
  /// - Throws: `PersistenceError.saveFailed`.
  public func batchSave(_ items: [Item]) async throws {
    for item in items { modelContext.insert(item) }
    try saveChanges()
  }

  /// Deletes models in one save: all of them or none.
  ///
  /// - Throws: `PersistenceError.deleteFailed`.
  public func batchDelete(_ items: [Item]) async throws {
    for item in items { modelContext.delete(item) }
    do { try modelContext.save() } catch { throw PersistenceError.deleteFailed(error) }
  }

  private func saveChanges() throws {
    do { try modelContext.save() } catch { throw PersistenceError.saveFailed(error) }
  }

  /// Discards the unsaved changes of the context.
  public func rollback() { modelContext.rollback() }

  // MARK: Reading

  public func fetch(_ descriptor: FetchDescriptor<Item>) async throws -> [Item] {
    try reading { try modelContext.fetch(descriptor) }
  }

  /// Returns the saved models that match a descriptor, without the pending changes of the context.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func fetchOptimized(_ descriptor: FetchDescriptor<Item>) async throws -> [Item] {
    var descriptor = descriptor
    descriptor.includePendingChanges = false
    return try reading { try modelContext.fetch(descriptor) }
  }

  /// Returns a page of the models that match a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor; its order should be total so that pages do not overlap.
  ///   - number: The page number, from 0.
  ///   - size: The number of models on a page.
  /// - Throws: `PersistenceError.fetchFailed`.
  public func fetchPage(
    _ descriptor: FetchDescriptor<Item>, number: Int, size: Int
  ) async throws -> [Item] {
    var descriptor = descriptor
    let size = max(1, size)
    let (offset, isTooLarge) = max(0, number).multipliedReportingOverflow(by: size)
    if isTooLarge { return [] }
    descriptor.fetchOffset = offset
    descriptor.fetchLimit = size
    return try reading { try modelContext.fetch(descriptor) }
  }

  /// Returns the number of models that match a descriptor.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func count(_ descriptor: FetchDescriptor<Item> = FetchDescriptor()) async throws -> Int {
    try reading { try modelContext.fetchCount(descriptor) }
  }

  /// Returns the identifiers of the saved models that match a descriptor.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func identifiers(
    _ descriptor: FetchDescriptor<Item> = FetchDescriptor()
  ) async throws -> [PersistentIdentifier] {
    var descriptor = descriptor
    descriptor.includePendingChanges = false
    return try reading { try modelContext.fetchIdentifiers(descriptor) }
  }

  private func reading<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch { throw PersistenceError.fetchFailed(error) }
  }

  /// Returns the first model that matches a predicate.
  func first(_ predicate: Predicate<Item>, or what: String, _ id: UUID) throws -> Item {
    var descriptor = FetchDescriptor<Item>(predicate: predicate)
    descriptor.fetchLimit = 1
    let found = try reading { try modelContext.fetch(descriptor) }
    guard let item = found.first else { throw StoriesError.missing(what, id) }
    return item
  }
}
