internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Unsaved changes laid over a fetched result: objects that no longer match leave it, others join it.

extension NSManagedObjectContext {
  /// The result that the store would give if the context had been saved.
  func overlay(
    _ stored: [NSManagedObject], _ fetch: PreparedFetch
  ) throws -> [NSManagedObject] {
    let shape = fetch.plan.shape
    let dirty = dirtyObjects(shape)
    var unchanged = stored
    if !dirty.isEmpty {
      unchanged = stored.filter { $0.registration == .persistent && !$0.flags.contains(.updated) }
    }
    var matching: [NSManagedObject] = []
    for object in dirty where object.registration != .deleted {
      let matches = try shape.filter?.evaluate(
        on: ObjectSubject(object: object), bindings: fetch.plan.bindings)
      if shape.filter == nil || matches == true { matching.append(object) }
    }
    let merged = try merge(unchanged, matching, fetch.plan, isSorted: !fetch.isSpread)
    return fetch.window.apply(try fetch.finished(merged))
  }

  private func dirtyObjects(_ shape: FetchShape) -> [NSManagedObject] {
    let wanted = shape.entityIndexes
    return (unitOfWork.inserted + unitOfWork.updated + unitOfWork.deleted)
      .filter { wanted.contains($0.compiledEntity.index) }
  }

  /// Merges sorted stored objects with others: O(n + k log k).
  private func merge(
    _ stored: [NSManagedObject], _ others: [NSManagedObject], _ plan: FetchPlan, isSorted: Bool
  ) throws -> [NSManagedObject] {
    let sort = plan.shape.sort
    guard !sort.isEmpty else { return stored + others }
    let base = isSorted ? try keyed(stored, plan) : try sorted(stored, plan)
    let added = try sorted(others, plan)
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

  private func keyed(_ objects: [NSManagedObject], _ plan: FetchPlan) throws -> [Keyed] {
    try objects.map { object in
      let subject = ObjectSubject(object: object)
      let keys = try plan.shape.sort.map { term in
        try term.operand.evaluate(on: subject, bindings: plan.bindings)
      }
      return Keyed(object: object, keys: keys)
    }
  }

  private func sorted(_ objects: [NSManagedObject], _ plan: FetchPlan) throws -> [Keyed] {
    let sort = plan.shape.sort
    return try keyed(objects, plan).enumerated()
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
}

extension NSManagedObjectContext.PreparedFetch {
  /// The objects that satisfy what no store could test, in the order that no store could bring them into.
  ///
  /// - Throws: `StoreError` with code `.interrupted`.
  func finished(_ objects: [NSManagedObject]) throws(StoreError) -> [NSManagedObject] {
    var objects = objects
    if let remaining {
      var matching: [NSManagedObject] = []
      for object in objects {
        try plan.throwIfInterrupted()
        if remaining.meaningInStores(for: object) == true { matching.append(object) }
      }
      objects = matching
    }
    return objects.sorted(by: remainingSort ?? [])
  }
}
