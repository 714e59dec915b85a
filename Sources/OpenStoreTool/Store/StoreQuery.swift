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
  /// Greatest number of rows; nil for all.
  package var limit: Int?
  package var offset = 0
  package var includesSubentities = true

  package init(entity: String) { self.entity = entity }

  /// The request that says the same.
  ///
  /// - Throws: `ToolError` for a predicate that cannot be parsed or a negative number.
  func request() throws -> NSFetchRequest<NSManagedObject> {
    guard limit ?? 0 >= 0, offset >= 0 else {
      throw ToolError(.usage, "--limit and --offset take numbers from 0 on.")
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    if let predicate {
      do {
        request.predicate = try NSPredicate.parsing(predicate)
      } catch {
        throw ToolError(.usage, "--where: \(error)")
      }
    }
    request.sortDescriptors = sortDescriptors
    request.fetchLimit = limit ?? 0
    request.fetchOffset = offset
    request.includesSubentities = includesSubentities
    return request
  }

  /// The keys in order; what is equal by them comes by primary key.
  private var sortDescriptors: [NSSortDescriptor] {
    let keys = sortKeys.flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return keys.map { key in
      let falls = key.hasPrefix("-")
      return NSSortDescriptor(key: falls ? String(key.dropFirst()) : key, ascending: !falls)
    } + [NSSortDescriptor(key: "self", ascending: true)]
  }

  /// The plan by which a store carries the query out; rows come by key unless they are sorted.
  package func plan(for store: OpenedStore) throws -> FetchPlan {
    let request = try request()
    do {
      return try store.coordinator.plan(for: request)
    } catch {
      throw ToolError(.usage, OpenedStore.sentence(for: error))
    }
  }

  /// Hands the rows over as they are read.
  package func forEachRow(
    in store: OpenedStore, includesToMany: Bool, _ body: ([OutputValue.Field]) throws -> Void
  ) throws {
    let plan = try plan(for: store)
    if limit == 0 { return }
    let presenter = RowPresenter(
      model: store.coordinator.model, backend: store.backend, includesToMany: includesToMany)
    var failure: (any Error)?
    do {
      try store.backend.forEachChunk(matching: plan) { (chunk) throws(StoreError) in
        guard failure == nil else { return }
        do { try presenter.present(chunk, body) } catch { failure = error }
      }
    } catch {
      throw ToolError(.unreadable, "\(store.url.path): \(error.message)")
    }
    if let failure { throw failure }
  }
}
