internal import OpenObjectModel
internal import OpenStoreContract

/// The reads of single objects in a context, and the reports of repeated reads.
///
/// > Concurrency: Confined to the context's queue.
final class RepeatedFaultLog {
  /// A kind of read: the destinations of a relationship, or the rows of an entity.
  private struct Kind: Hashable {
    var entityIndex: Int
    var ordinal: Int?
  }

  /// The number of statements of one kind that causes a report.
  private static let threshold = 10
  private var counts: [Kind: Int] = [:]
  private var found: [Kind: RepeatedFaults] = [:]
  /// The block in which the counts began; nil outside all blocks.
  private var block: AnyObject?

  /// The reports, in descending order of ``RepeatedFaults/count``.
  var reports: [RepeatedFaults] {
    found.values.sorted { ($1.count, $0.entityName) < ($0.count, $1.entityName) }
  }

  /// Notes that a store was read for a single object, and reports repeated reads of one kind.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object, or the entity that has the relationship.
  ///   - ordinal: The ordinal of the relationship that was followed, if it is known.
  ///   - store: The store that was read.
  ///   - block: The block in which the read happened; each block starts a new count.
  func note(
    _ entity: CompiledEntity, _ ordinal: Int?, from store: NSPersistentStore, in block: AnyObject?
  ) {
    let kind = Kind(entityIndex: entity.index, ordinal: ordinal)
    let count = count(kind, in: block)
    guard count >= Self.threshold else { return }
    let property = ordinal.map { entity.properties[$0] }
    let report = RepeatedFaults(
      entityName: entity.name, relationshipName: property?.name, count: count,
      statement: Self.statement(entity, property, store))
    keep(report, of: kind)
    if Self.isLogged(count) { GraphLog.warning("\(report)") }
  }

  private func count(_ kind: Kind, in block: AnyObject?) -> Int {
    if block !== self.block {
      counts.removeAll(keepingCapacity: true)
      self.block = block
    }
    counts[kind, default: 0] += 1
    return counts[kind, default: 0]
  }

  /// Keeps a report, unless an earlier block had a higher count.
  private func keep(_ report: RepeatedFaults, of kind: Kind) {
    if report.count >= found[kind]?.count ?? 0 { found[kind] = report }
  }

  /// Whether a count is logged: ten, a hundred, a thousand and so on.
  private static func isLogged(_ count: Int) -> Bool {
    var step = threshold
    while step < count, step < Int.max / 10 { step *= 10 }
    return step == count
  }

  private static func statement(
    _ entity: CompiledEntity, _ property: CompiledProperty?, _ store: NSPersistentStore
  ) -> String? {
    guard store.backend.capabilities.contains(.statements) else { return nil }
    guard let property, let relationship = property.relationship else {
      return store.backend.statement(for: .rows(of: entity))
    }
    if relationship.isToMany {
      return store.backend.statement(for: .destinations(of: property, in: entity))
    }
    return store.backend.statement(for: .rows(of: relationship.destination))
  }
}

extension NSManagedObjectContext {
  /// Notes that a store was read for a single object.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object, or the entity that has the relationship.
  ///   - ordinal: The ordinal of the relationship that was followed, if it is known.
  ///   - store: The store that was read.
  @inline(__always)
  final func noteSingleRead(
    _ entity: CompiledEntity, _ ordinal: Int?, from store: NSPersistentStore
  ) {
    guard RepeatedFaultCheck.isOn else { return }
    counters.makeSingleReads().note(entity, ordinal, from: store, in: queue.outermostWork)
  }
}
