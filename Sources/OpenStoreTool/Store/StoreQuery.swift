import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPredicates
package import OpenStoreContract

/// The options of a command that select, sort and limit rows.
package struct StoreQuery {
  package var entity: String
  /// A predicate in Apple's predicate format; nil for all rows.
  package var predicate: String?
  /// The keys to sort by, such as `name` or `-date`; empty to sort by primary key. A minus sign
  /// before a key requests descending order. One string can contain several keys, separated by
  /// commas.
  package var sortKeys: [String] = []
  /// The maximum number of rows; nil for no limit, and 0 for no rows. A negative number is invalid.
  package var limit: Int?
  package var offset = 0
  package var includesSubentities = true
  /// The text of a full-text search; nil for no search.
  package var search: String?
  /// Whether the rows of a search are sorted by relevance, the most relevant row first. The
  /// property has no effect without a search.
  package var isRanked = false

  package init(entity: String) { self.entity = entity }

  /// The search that ranks the rows; nil for the order of the sort keys.
  var ranking: TextQuery? { isRanked ? search.map { TextQuery($0) } : nil }

  /// Returns the equivalent fetch request, without the search if the search ranks the rows.
  ///
  /// - Throws: `ToolError` if the predicate cannot be parsed, if a text in the predicate cannot be
  ///   converted to a date, UUID or URI, if a sort key is empty, or if the limit or offset is
  ///   negative.
  func request(for store: InspectedStore) throws -> NSFetchRequest<NSManagedObject> {
    guard limit ?? 0 >= 0, offset >= 0 else {
      throw ToolError(.usage, "--limit and --offset must not be negative.")
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    let parts = [
      try predicate.map { try Self.parsed($0, in: store, entity) },
      isRanked ? nil : search.map { NSPredicate(search: TextQuery($0)) },
    ].compactMap(\.self)
    request.predicate =
      parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
    request.sortDescriptors = try sortDescriptors()
    request.fetchLimit = limit ?? 0
    request.fetchOffset = offset
    request.includesSubentities = includesSubentities
    return request
  }

  private static func parsed(
    _ text: String, in store: InspectedStore, _ entityName: String
  ) throws -> NSPredicate {
    let predicate: NSPredicate
    do {
      predicate = try NSPredicate.parsing(text)
    } catch {
      throw ToolError(.usage, "--where: \(error)")
    }
    // The plan complains of an unknown entity.
    guard let entity = store.coordinator.model.entity(named: entityName) else { return predicate }
    return try QueryLiterals(entity).read(predicate)
  }

  /// The sort descriptors in order, followed by a descriptor for the primary key.
  ///
  /// - Throws: `ToolError` if a key is empty.
  private func sortDescriptors() throws -> [NSSortDescriptor] {
    let keys = sortKeys.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return try keys.map { key in
      let falls = key.hasPrefix("-")
      let name = falls ? String(key.dropFirst()) : key
      guard !name.isEmpty else {
        throw ToolError(
          .usage, "--sort: A key is empty. Separate the keys by commas, as in --sort=-date,title.")
      }
      return NSSortDescriptor(key: name, ascending: !falls)
    } + [NSSortDescriptor(key: "self", ascending: true)]
  }

  /// Returns the plan that the store executes for the query. Without sort keys, the rows are sorted
  /// by primary key.
  ///
  /// - Throws: `ToolError` with status `.usage` if the query is invalid or does not match the
  ///   model.
  package func plan(for store: InspectedStore) throws -> FetchPlan {
    let request = try request(for: store)
    do {
      return try store.coordinator.plan(for: request, rankedBy: ranking)
    } catch {
      throw ToolError(.usage, InspectedStore.sentence(for: error))
    }
  }

  /// Passes each row to a closure as soon as the row is read.
  ///
  /// - Parameters:
  ///   - store: An open store.
  ///   - includesToMany: Whether the rows contain the to-many relationships.
  ///   - body: A closure that receives the fields of one row.
  /// - Throws: `ToolError` with status `.usage` if the query is invalid or does not match the
  ///   model, or with status `.unreadable` if the rows cannot be read; the error that `body`
  ///   throws.
  package func forEachRow(
    in store: InspectedStore, includesToMany: Bool, _ body: ([OutputValue.Field]) throws -> Void
  ) throws {
    let plan = try plan(for: store)
    if limit == 0 { return }
    let presenter = RowPresenter(
      model: store.coordinator.model, backend: store.backend, includesToMany: includesToMany)
    try Self.forEachChunk(in: store, matching: plan) { try presenter.present($0, body) }
  }

  /// Returns the columns of all rows, for formats in which all rows have the same columns.
  ///
  /// The columns are the object's URI, the entity, and the properties, sorted by name. If the query
  /// includes several entities, the columns contain only the properties of the entities that have
  /// rows.
  ///
  /// - Parameters:
  ///   - store: An open store.
  ///   - includesToMany: Whether the rows contain the to-many relationships.
  /// - Throws: `ToolError` with status `.usage` if the query is invalid or does not match the
  ///   model, or with status `.unreadable` if the rows cannot be read.
  package func columns(in store: InspectedStore, includesToMany: Bool) throws -> [String] {
    let plan = try plan(for: store)
    let model = store.coordinator.model
    var indexes: Set<Int> = []
    if plan.shape.entityIndexes.count == 1 {
      indexes = Set(plan.shape.entityIndexes)
    } else if limit != 0 {
      try Self.forEachChunk(in: store, matching: plan) { chunk in
        chunk.forEachRow { indexes.insert($0.entityIndex) }
      }
    }
    let presenter = RowPresenter(
      model: model, backend: store.backend, includesToMany: includesToMany)
    let names = Set(indexes.flatMap { presenter.names(of: model.entities[$0]) })
    return ["objectID", "entity"]
      + names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Reads all chunks of rows. If `body` throws an error, the method stops and throws the same
  /// error.
  private static func forEachChunk(
    in store: InspectedStore, matching plan: FetchPlan, _ body: (RowChunk) throws -> Void
  ) throws {
    var failure: (any Error)?
    do {
      try store.backend.forEachChunk(matching: plan) { (chunk) throws(StoreError) in
        do {
          try body(chunk)
        } catch {
          failure = error
          throw StoreError(.inputOutput, "The remaining rows are not needed.")
        }
      }
    } catch {
      throw failure
        ?? ToolError(
          .unreadable,
          "\(InspectedStore.name(of: store.url)): \(InspectedStore.sentence(for: error))")
    }
  }
}
