import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPredicates
package import OpenStoreContract

/// What rows a command wants, in the words of its options.
package struct StoreQuery {
  package var entity: String
  /// A predicate in Apple's format.
  package var predicate: String?
  /// Keys to sort by, with a minus sign before one that is to fall.
  package var sortKeys: [String] = []
  /// The maximum number of rows; nil for all.
  package var limit: Int?
  package var offset = 0
  package var includesSubentities = true
  /// What a full-text search has to find; nil for no search.
  package var search: String?
  /// Whether the most relevant rows of a search come first.
  package var isRanked = false

  package init(entity: String) { self.entity = entity }

  /// The equivalent request.
  ///
  /// - Throws: `ToolError` for a predicate that cannot be parsed, a text in it that should be a date and is none, or a
  ///   negative number.
  func request(for store: InspectedStore) throws -> NSFetchRequest<NSManagedObject> {
    guard limit ?? 0 >= 0, offset >= 0 else {
      throw ToolError(.usage, "--limit and --offset take numbers from 0 on.")
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    let parts = [
      try predicate.map { try Self.parsed($0, in: store, entity) },
      isRanked ? nil : search.map { NSPredicate(search: TextQuery($0)) },
    ].compactMap(\.self)
    request.predicate =
      parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
    request.sortDescriptors = sortDescriptors
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

  /// The sort keys in order; equal rows are sorted by primary key.
  private var sortDescriptors: [NSSortDescriptor] {
    let keys = sortKeys.flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return keys.map { key in
      let falls = key.hasPrefix("-")
      return NSSortDescriptor(key: falls ? String(key.dropFirst()) : key, ascending: !falls)
    } + [NSSortDescriptor(key: "self", ascending: true)]
  }

  /// The plan by which a store carries the query out; rows come by key unless they are sorted.
  package func plan(for store: InspectedStore) throws -> FetchPlan {
    let request = try request(for: store)
    do {
      return try store.coordinator.plan(
        for: request, rankedBy: isRanked ? search.map { TextQuery($0) } : nil)
    } catch {
      throw ToolError(.usage, InspectedStore.sentence(for: error))
    }
  }

  /// Hands the rows over as they are read.
  package func forEachRow(
    in store: InspectedStore, includesToMany: Bool, _ body: ([OutputValue.Field]) throws -> Void
  ) throws {
    let plan = try plan(for: store)
    if limit == 0 { return }
    let presenter = RowPresenter(
      model: store.coordinator.model, backend: store.backend, includesToMany: includesToMany)
    try Self.forEachChunk(in: store, matching: plan) { try presenter.present($0, body) }
  }

  /// The columns of the rows, for formats in which all rows have the same: those of all entities of which there are
  /// rows, by name.
  ///
  /// - Throws: `ToolError` as reading the rows.
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

  /// Reads chunks until there are no more, or `body` throws.
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
          throw StoreError(.inputOutput, "The rows are not wanted any more.")
        }
      }
    } catch {
      throw failure
        ?? ToolError(.unreadable, "\(InspectedStore.name(of: store.url)): \(error.message)")
    }
  }
}
