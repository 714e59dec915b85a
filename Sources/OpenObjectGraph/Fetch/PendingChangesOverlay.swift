internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The unsaved changes of a context, applied to the result of a fetch.
///
/// Objects that no longer match are removed, and new matches are added. Each fetch creates its own
/// overlay.
///
/// > Concurrency: Confined to the context's queue.
struct PendingChangesOverlay {
  private let fetch: PreparedFetch
  private let plan: FetchPlan
  /// The objects with unsaved changes whose entity and store the fetch includes.
  private let changed: [NSManagedObject]

  init(of context: NSManagedObjectContext, over fetch: PreparedFetch) {
    self.fetch = fetch
    plan = fetch.plan
    changed = context.unitOfWork.objects(of: plan.shape.entityIndexes)
      .filter(fetch.affectsStore)
  }

  /// Returns the result that the stores would return if the context had been saved.
  ///
  /// - Parameter stored: The objects that the stores returned.
  /// - Throws: `StoreError` with code `.interrupted` if the fetch was canceled.
  func applied(to stored: [NSManagedObject]) throws -> [NSManagedObject] {
    var unchanged = stored
    if !changed.isEmpty {
      unchanged = stored.filter { $0.registration == .persistent && !$0.flags.contains(.updated) }
    }
    var matching: [NSManagedObject] = []
    for object in changed where object.registration != .deleted {
      let matches = try plan.shape.filter?.evaluate(
        on: ObjectSubject(object: object), bindings: plan.bindings)
      if plan.shape.filter == nil || matches == true { matching.append(object) }
    }
    return fetch.window.apply(try finished(merge(unchanged, matching)))
  }

  /// Merges sorted stored objects with unsaved objects in O(*n* + *k* log *k*).
  private func merge(
    _ stored: [NSManagedObject], _ others: [NSManagedObject]
  ) throws -> [NSManagedObject] {
    let sort = plan.shape.sort
    guard !sort.isEmpty, fetch.isSpread || !others.isEmpty else { return stored + others }
    let base = fetch.isSpread ? try sorted(stored) : try keyed(stored)
    let added = try sorted(others)
    var merged: [NSManagedObject] = []
    merged.reserveCapacity(base.count + added.count)
    var next = 0
    for entry in base {
      while next < added.count, Self.precedes(added[next].keys, entry.keys, sort) {
        merged.append(added[next].object)
        next += 1
      }
      merged.append(entry.object)
    }
    merged += added[next...].map(\.object)
    return merged
  }

  private struct Keyed {
    var object: NSManagedObject
    var keys: [Value]
  }

  private func keyed(_ objects: [NSManagedObject]) throws -> [Keyed] {
    try objects.map { object in
      let subject = ObjectSubject(object: object)
      let keys = try plan.shape.sort.map { term in
        try term.operand.evaluate(on: subject, bindings: plan.bindings)
      }
      return Keyed(object: object, keys: keys)
    }
  }

  private func sorted(_ objects: [NSManagedObject]) throws -> [Keyed] {
    let sort = plan.shape.sort
    return try keyed(objects).enumerated()
      .sorted { one, other in
        if Self.precedes(one.element.keys, other.element.keys, sort) { return true }
        if Self.precedes(other.element.keys, one.element.keys, sort) { return false }
        return one.offset < other.offset
      }
      .map(\.element)
  }

  private static func precedes(_ one: [Value], _ other: [Value], _ sort: [SortTerm]) -> Bool {
    SortTerm.order(one, other, by: sort) == .orderedAscending
  }

  /// Applies the predicate and the order that no store can execute.
  private func finished(_ objects: [NSManagedObject]) throws(StoreError) -> [NSManagedObject] {
    var objects = objects
    if let remaining = fetch.remaining {
      var matching: [NSManagedObject] = []
      for object in objects {
        try plan.throwIfInterrupted()
        do throws(PredicateEvaluationError) {
          if try remaining.meaningInStores(for: object) == true { matching.append(object) }
        } catch {
          throw .unevaluated(error, entityName: plan.shape.entity.name)
        }
      }
      objects = matching
    }
    return objects.sorted(by: fetch.remainingSort ?? [])
  }
}

extension UnitOfWork {
  /// Whether objects of the given entities have unsaved changes.
  @inline(__always)
  func concerns(_ entities: Range<Int>) -> Bool { hasChanges && changes.concerns(entities) }

  /// The inserted, updated and deleted objects of the given entities.
  fileprivate func objects(of entities: Range<Int>) -> [NSManagedObject] {
    (inserted + updated + deleted).filter { entities.contains($0.compiledEntity.index) }
  }
}

extension SaveSet {
  /// Whether any of the objects belongs to the given entities.
  fileprivate func concerns(_ entities: Range<Int>) -> Bool {
    func isConcerned(_ object: NSManagedObject) -> Bool {
      entities.contains(object.compiledEntity.index)
    }
    return inserted.contains(where: isConcerned) || updated.contains(where: isConcerned)
      || deleted.contains(where: isConcerned)
  }
}
