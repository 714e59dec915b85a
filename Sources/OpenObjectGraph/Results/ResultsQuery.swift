internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The conditions, the order and the sections of fetched results, evaluated for one object at a time.
///
/// Made by a fetch and owned by a ``ResultsTracker``; reads no store by itself.
final class ResultsQuery {
  let sectionNameKeyPath: String?
  /// The entities whose objects may belong to the results.
  let entityIndexes: Range<Int>
  let rootIndex: Int
  /// Whether only a part of what matches belongs to the results.
  let isWindowed: Bool
  /// Whether objects that match come before the results: any change of such an object moves them.
  let hasOffset: Bool
  /// Whether rows are read only when they are needed.
  let loadsInBatches: Bool
  // Exclusivity is not checked, because each comparison would pay for it. Invariant: nothing is called during
  // an access.
  /// How often an object was tested.
  @exclusivity(unchecked) private(set) var tests = 0
  /// How often two objects were compared.
  @exclusivity(unchecked) private(set) var comparisons = 0
  @exclusivity(unchecked) private var fetch: PreparedFetch
  private let ranking: ResultsRanking
  /// The stored property that alone sorts the objects, as it does most lists; nil when more does.
  private let ownOrdinal: Int?
  /// Whether the predicate names objects by ids that a save will change.
  private(set) var namesUnsavedObjects: Bool
  /// The root entities on whose objects' keys the results depend; nil where they depend on more that a save changes.
  private let keyRoots: Set<Int>?

  init(_ fetch: PreparedFetch, sectionNameKeyPath: String?) {
    self.fetch = fetch
    self.sectionNameKeyPath = sectionNameKeyPath
    entityIndexes = fetch.plan.shape.entityIndexes
    rootIndex = fetch.plan.shape.entity.rootIndex
    isWindowed = !fetch.window.isWhole
    hasOffset = fetch.window.offset > 0
    loadsInBatches = fetch.batchSize > 0
    namesUnsavedObjects = fetch.plan.bindings.contains(where: \.namesUnsavedObject)
    let sort = fetch.plan.shape.sort
    ownOrdinal = sort.count == 1 ? sort.first?.operand.ownOrdinal : nil
    let isPlain = fetch.remaining == nil && fetch.remainingSort == nil && !isWindowed
    keyRoots = isPlain && sectionNameKeyPath == nil ? fetch.plan.shape.keyRoots : nil
    ranking = ResultsRanking(fetch.remainingSort == nil ? fetch.plan.shape.sort.first : nil)
  }

  /// Takes over the ids that the objects in the predicate have now.
  func renew(_ fetch: PreparedFetch) {
    self.fetch = fetch
    namesUnsavedObjects = fetch.plan.bindings.contains(where: \.namesUnsavedObject)
  }

  /// Whether a save may have changed what belongs to the results, or their order.
  ///
  /// Other values than those that the context announced before are made by a save for derived attributes, and keys for
  /// objects that were inserted.
  func isConcerned(bySaveOf inserted: Set<NSManagedObject>) -> Bool {
    guard let keyRoots else { return true }
    if keyRoots.isEmpty { return false }
    return inserted.contains { keyRoots.contains($0.compiledEntity.rootIndex) }
  }

  /// Whether an object is of the entity and satisfies the predicate.
  func matches(_ object: NSManagedObject) -> Bool {
    guard object.registration == .persistent || object.registration == .inserted else {
      return false
    }
    tests += 1
    do {
      if let filter = fetch.plan.shape.filter {
        let subject = ObjectSubject(object: object)
        guard try filter.evaluate(on: subject, bindings: fetch.plan.bindings) == true else {
          return false
        }
      }
      return fetch.remaining.map { $0.meaningInStores(for: object) == true } ?? true
    } catch {
      GraphLog.error("A changed object could not be tested for its place in results: \(error)")
      return false
    }
  }

  /// The values that an object is sorted by now; nil when comparators sort.
  func keys(of object: NSManagedObject) -> [Value]? {
    guard fetch.remainingSort == nil else { return nil }
    let subject = ObjectSubject(object: object)
    if let ownOrdinal { return [subject.value(ofStored: ownOrdinal)] }
    return fetch.plan.shape.sort.map { term in
      do {
        return try term.operand.evaluate(on: subject, bindings: fetch.plan.bindings)
      } catch {
        GraphLog.error("A value that results are sorted by could not be read: \(error)")
        return .null
      }
    }
  }

  /// A number that orders lists of values as their first does, as far as it tells them apart.
  func rank(_ keys: [Value]) -> Double { ranking.rank(keys) }

  /// Whether two lists of values sort alike.
  func isSame(_ one: [Value], _ other: [Value]) -> Bool {
    SortTerm.order(one, other, by: fetch.plan.shape.sort) == .orderedSame
  }

  /// Whether a row comes before another one; rows that sort alike come as they joined.
  @inline(__always)
  func precedes(_ one: ResultRow, _ other: ResultRow) -> Bool {
    comparisons += 1
    let (rank, otherRank) = (one.rank, other.rank)
    if rank != otherRank, one.sortKeys != nil, other.sortKeys != nil { return rank < otherRank }
    return precedesByAll(one, other)
  }

  private func precedesByAll(_ one: ResultRow, _ other: ResultRow) -> Bool {
    switch order(one, other) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame: one.ordinal < other.ordinal
    }
  }

  private func order(_ one: ResultRow, _ other: ResultRow) -> ComparisonResult {
    if let descriptors = fetch.remainingSort {
      for descriptor in descriptors {
        let order = descriptor.compare(one.object, to: other.object)
        if order != .orderedSame { return order }
      }
      return .orderedSame
    }
    return SortTerm.order(
      one.keys(by: self), other.keys(by: self), by: fetch.plan.shape.sort)
  }

  /// Whether stores alone order the objects, and by the values of their first term, so that equal ones come together.
  var isOrderedByStoredValues: Bool {
    guard !fetch.overlays, fetch.remainingSort == nil, let first = fetch.plan.shape.sort.first,
      case .property = first.operand
    else { return false }
    return first.collation == .binary
  }

  /// The name of the section that an object belongs to now.
  func sectionName(of object: NSManagedObject) -> String {
    guard let sectionNameKeyPath else { return "" }
    switch object.value(forKeyPath: sectionNameKeyPath) {
    case nil, is NSNull: return ""
    case let text as String: return text
    case let flag as Bool: return flag ? "1" : "0"
    case .some(let value): return "\(value)"
    }
  }
}

extension Value {
  /// Whether the value is an object that was not saved yet, or has one among its members.
  fileprivate var namesUnsavedObject: Bool {
    switch self {
    case .object(let reference): reference.key < 0
    case .list(let values): values.contains(where: \.namesUnsavedObject)
    default: false
    }
  }
}

extension NSFetchedResultsController {
  /// How often an object was tested against the predicate, and two were compared, since the last fetch.
  package var evaluationCounts: EvaluationCounts {
    EvaluationCounts(
      tests: tracker.query?.tests ?? 0, comparisons: tracker.query?.comparisons ?? 0)
  }
}

/// How much work it took to follow changes; for tests of its growth.
package struct EvaluationCounts: Equatable {
  /// Objects tested against the predicate.
  package let tests: Int
  /// Pairs of rows compared by the sort descriptors.
  package let comparisons: Int
}
