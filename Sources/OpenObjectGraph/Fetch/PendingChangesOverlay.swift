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
    let merged = try merge(unchanged, matching, shape.sort, isSorted: fetch.stores.count == 1)
    return fetch.window.apply(merged)
  }

  private func dirtyObjects(_ shape: FetchShape) -> [NSManagedObject] {
    let wanted = shape.entityIndexes
    return (unitOfWork.inserted + unitOfWork.updated + unitOfWork.deleted)
      .filter { wanted.contains($0.compiledEntity.index) }
  }

  /// Merges sorted stored objects with others: O(n + k log k).
  private func merge(
    _ stored: [NSManagedObject], _ others: [NSManagedObject], _ sort: [SortTerm], isSorted: Bool
  ) throws -> [NSManagedObject] {
    guard !sort.isEmpty else { return stored + others }
    let base = isSorted ? try keyed(stored, sort) : try sorted(stored, sort)
    let added = try sorted(others, sort)
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

  private func keyed(_ objects: [NSManagedObject], _ sort: [SortTerm]) throws -> [Keyed] {
    try objects.map { object in
      let subject = ObjectSubject(object: object)
      return Keyed(object: object, keys: try sort.map { try subject.filterValue(at: $0.path) })
    }
  }

  private func sorted(_ objects: [NSManagedObject], _ sort: [SortTerm]) throws -> [Keyed] {
    try keyed(objects, sort).enumerated()
      .sorted { one, other in
        if Self.precedes(one.element.keys, other.element.keys, sort) { return true }
        if Self.precedes(other.element.keys, one.element.keys, sort) { return false }
        return one.offset < other.offset
      }
      .map(\.element)
  }

  private static func precedes(_ one: [Value], _ other: [Value], _ sort: [SortTerm]) -> Bool {
    for (index, term) in sort.enumerated() {
      switch term.order(one[index], other[index]) {
      case .orderedAscending: return true
      case .orderedDescending: return false
      case .orderedSame: continue
      }
    }
    return false
  }
}
