public import Foundation
internal import OpenCoreData
public import OpenObjectGraph
internal import OpenPredicates

/// Keeps a store small: objects that are too old go, and if it is still too large, the oldest after them.
///
/// Rows are deleted inside the store in small steps, so that others can save in between. Delete rules hold.
///
/// > Concurrency: A value; pruning may run on any thread, best in the background.
public struct StorePruning: Sendable {
  /// What may go, in the order in which it goes when the store is too large.
  public var rules: [PruningRule]
  /// Greatest number of bytes in use; nil for no limit.
  public var sizeLimit: Int64?
  /// How many objects are deleted in one step.
  public var stepSize = 500
  private let now: @Sendable () -> Date

  /// Describes pruning.
  ///
  /// - Parameters:
  ///   - rules: What may go, in the order in which it goes when the store is too large.
  ///   - sizeLimit: Greatest number of bytes in use; nil for no limit.
  ///   - now: The clock.
  public init(
    rules: [PruningRule], sizeLimit: Int64? = 100_000_000,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.rules = rules
    self.sizeLimit = sizeLimit
    self.now = now
  }

  /// Prunes the stores of a controller; its main context takes the deletions over.
  ///
  /// - Parameters:
  ///   - controller: The stack.
  ///   - protected: Objects that stay, for example those on screen.
  /// - Returns: What was deleted.
  /// - Throws: What a deletion throws, or `CancellationError`; what was deleted before stays so.
  public func prune(
    _ controller: PersistenceController, protecting protected: [NSManagedObjectID] = []
  ) throws -> PruningReport {
    var run = PruningRun(controller, protected)
    let before = run.bytesInUse
    let instant = now()
    for rule in rules {
      let limit = instant.addingTimeInterval(-rule.maximumAge)
      while try run.deleteOldest(stepSize, of: rule, before: limit) > 0 {}
    }
    if let sizeLimit { try shrink(to: sizeLimit, &run) }
    return PruningReport(
      deletedCounts: run.deletedCounts, bytesBefore: before, bytesAfter: run.bytesInUse)
  }

  private func shrink(to limit: Int64, _ run: inout PruningRun) throws {
    for rule in rules {
      while let bytes = run.bytesInUse, bytes > limit {
        if try run.deleteOldest(stepSize, of: rule, before: nil) == 0 { break }
      }
    }
  }
}

/// The steps of one pruning.
struct PruningRun {
  private let controller: PersistenceController
  private let protected: [NSManagedObjectID]
  private(set) var deletedCounts: [String: Int] = [:]

  init(_ controller: PersistenceController, _ protected: [NSManagedObjectID]) {
    self.controller = controller
    self.protected = protected
  }

  /// Bytes in use by all files, pages that are free left out; nil without files.
  var bytesInUse: Int64? {
    let stores = controller.container.persistentStoreCoordinator.persistentStores
    let files = stores.compactMap(\.url).filter { $0.path != "/dev/null" }
    return files.isEmpty ? nil : files.reduce(0) { $0 + StoreSize.inUse($1) }
  }

  /// Deletes the oldest objects that a rule lets go.
  ///
  /// - Returns: How many objects went.
  mutating func deleteOldest(
    _ count: Int, of rule: PruningRule, before limit: Date?
  ) throws -> Int {
    try Task.checkCancellation()
    let request = NSFetchRequest<NSManagedObject>(entityName: rule.entityName)
    request.predicate = predicate(for: rule, before: limit)
    request.sortDescriptors = [NSSortDescriptor(key: rule.dateKeyPath, ascending: true)]
    request.fetchLimit = max(1, count)
    let deleted = try controller.batchDelete(fetchRequest: request)
    for id in deleted { deletedCounts[id.entity.name ?? "", default: 0] += 1 }
    return deleted.count
  }

  private func predicate(for rule: PruningRule, before limit: Date?) -> NSPredicate {
    var parts = [NSPredicate(format: "%K != nil", argumentArray: [rule.dateKeyPath])]
    if let limit {
      parts.append(NSPredicate(format: "%K < %@", argumentArray: [rule.dateKeyPath, limit]))
    }
    if let exceptions = rule.exceptions {
      parts.append(
        NSCompoundPredicate(
          notPredicateWithSubpredicate: NSPredicate(format: exceptions, argumentArray: [])))
    }
    if !protected.isEmpty {
      parts.append(NSPredicate(format: "NOT (SELF IN %@)", argumentArray: [protected]))
    }
    return NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }
}
