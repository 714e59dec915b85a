internal import OpenObjectModel
internal import OpenStoreContract

/// How often a context read single objects, and what it reported of that.
///
/// Confined to the context's queue.
final class RepeatedFaultLog {
  /// What is read: destinations of a relationship, or rows of an entity.
  struct Kind: Hashable {
    var entityIndex: Int
    var ordinal: Int?
  }

  /// Statements of one kind that are worth a report.
  private static let threshold = 10
  private var counts: [Kind: Int] = [:]
  private var found: [Kind: RepeatedFaults] = [:]
  /// The block in which the counts began; nil outside of all blocks.
  private var block: AnyObject?

  /// The reports, greatest count first.
  var reports: [RepeatedFaults] {
    found.values.sorted { ($1.count, $0.entityName) < ($0.count, $1.entityName) }
  }

  /// Counts one read; a new block of work counts from the beginning.
  ///
  /// - Returns: The count.
  func count(_ kind: Kind, in block: AnyObject?) -> Int {
    if block !== self.block {
      counts.removeAll(keepingCapacity: true)
      self.block = block
    }
    counts[kind, default: 0] += 1
    return counts[kind, default: 0]
  }

  /// Keeps a report, unless an earlier block had a greater count.
  func keep(_ report: RepeatedFaults, of kind: Kind) {
    if report.count >= found[kind]?.count ?? 0 { found[kind] = report }
  }

  /// Whether a count is logged: ten, a hundred, a thousand and so on.
  static func isLogged(_ count: Int) -> Bool {
    var step = threshold
    while step < count, step < Int.max / 10 { step *= 10 }
    return step == count
  }

  static func isReported(_ count: Int) -> Bool { count >= threshold }
}

extension NSManagedObjectContext {
  /// Notes that a store was read for one object only.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object, or the one that has the relationship.
  ///   - ordinal: The relationship that was followed, if it is known.
  @inline(__always)
  final func noteSingleRead(
    _ entity: CompiledEntity, _ ordinal: Int?, from store: NSPersistentStore
  ) {
    if RepeatedFaultCheck.isOn { count(entity, ordinal, store) }
  }

  @inline(never)
  private final func count(_ entity: CompiledEntity, _ ordinal: Int?, _ store: NSPersistentStore) {
    let log = repeatedFaultLog ?? RepeatedFaultLog()
    repeatedFaultLog = log
    let kind = RepeatedFaultLog.Kind(entityIndex: entity.index, ordinal: ordinal)
    let count = log.count(kind, in: queue.outermostWork)
    guard RepeatedFaultLog.isReported(count) else { return }
    let property = ordinal.map { entity.properties[$0] }
    let report = RepeatedFaults(
      entityName: entity.name, relationshipName: property?.name, count: count,
      statement: statement(entity, property, store))
    log.keep(report, of: kind)
    if RepeatedFaultLog.isLogged(count) { GraphLog.warning("\(report)") }
  }

  private final func statement(
    _ entity: CompiledEntity, _ property: CompiledProperty?, _ store: NSPersistentStore
  ) -> String? {
    guard let property, let relationship = property.relationship else {
      return store.backend.statement(for: .rows(of: entity))
    }
    if relationship.isToMany {
      return store.backend.statement(for: .destinations(of: property, in: entity))
    }
    return store.backend.statement(
      for: .rows(of: model.entities[relationship.destinationIndex]))
  }
}
