internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The conditions, the order and the sections of fetched results, which are evaluated for one
/// object at a time.
///
/// A fetch creates the query, and a ``ResultsTracker`` owns it. The query does not fetch.
final class ResultsQuery {
  let sectionNameKeyPath: String?
  /// The entities whose objects may belong to the results.
  let entityIndexes: Range<Int>
  let rootIndex: Int
  /// Whether the request has a limit or an offset.
  let isWindowed: Bool
  /// Whether the request has an offset. A change of an object before the offset can change the
  /// results.
  let hasOffset: Bool
  /// Whether rows are read only when they are needed.
  let loadsInBatches: Bool
  // Exclusivity is not checked, because each comparison would pay for it. Invariant: nothing is
  // called during an access.
  /// The number of times that an object was tested against the predicate.
  @exclusivity(unchecked) private(set) var tests = 0
  /// The number of times that two rows were compared.
  @exclusivity(unchecked) private(set) var comparisons = 0
  @exclusivity(unchecked) private var fetch: PreparedFetch
  private let ranking: ResultsRanking
  /// The ordinal of the only stored property that sorts the objects, which is the usual case; nil
  /// in all other cases.
  private let ownOrdinal: Int?
  /// Whether the predicate refers to unsaved objects, whose keys a save replaces.
  private(set) var namesUnsavedObjects: Bool
  /// The root entities whose object keys affect the results; nil if other values that a save
  /// changes can also affect the results.
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

  /// Replaces the fetch by a fetch with the current ids of the objects in the predicate.
  func renew(_ fetch: PreparedFetch) {
    self.fetch = fetch
    namesUnsavedObjects = fetch.plan.bindings.contains(where: \.namesUnsavedObject)
  }

  /// Returns whether a save may have changed which objects are in the results, or their order.
  ///
  /// The save itself changes only the values of derived attributes and the keys of inserted
  /// objects. The context has announced all other changes before the save.
  func isConcerned(bySaveOf inserted: Set<NSManagedObject>) -> Bool {
    guard let keyRoots else { return true }
    if keyRoots.isEmpty { return false }
    return inserted.contains { keyRoots.contains($0.compiledEntity.rootIndex) }
  }

  /// Returns whether an object is in an affected store and satisfies the predicate.
  func matches(_ object: NSManagedObject) -> Bool {
    guard object.registration == .persistent || object.registration == .inserted,
      fetch.affectsStore(of: object)
    else { return false }
    tests += 1
    do {
      if let filter = fetch.plan.shape.filter {
        let subject = ObjectSubject(object: object)
        guard try filter.evaluate(on: subject, bindings: fetch.plan.bindings) == true else {
          return false
        }
      }
      return try fetch.remaining.map { try $0.meaningInStores(for: object) == true } ?? true
    } catch {
      GraphLog.error(
        "The predicate of fetched results could not be evaluated for a changed object: \(error)")
      return false
    }
  }

  /// Returns the values that an object is currently sorted by, or nil if comparators sort.
  func keys(of object: NSManagedObject) -> [Value]? {
    guard fetch.remainingSort == nil else { return nil }
    let subject = ObjectSubject(object: object)
    if let ownOrdinal { return [subject.value(ofStored: ownOrdinal)] }
    return fetch.plan.shape.sort.map { term in
      do {
        return try term.operand.evaluate(on: subject, bindings: fetch.plan.bindings)
      } catch {
        GraphLog.error("A sort value of fetched results could not be read: \(error)")
        return .null
      }
    }
  }

  /// Returns a number that orders lists of values in the same way as their first value. Equal
  /// numbers do not imply equal values.
  func rank(_ keys: [Value]) -> Double { ranking.rank(keys) }

  /// Returns whether the sort terms treat two lists of values as equal.
  func isSame(_ one: [Value], _ other: [Value]) -> Bool {
    SortTerm.order(one, other, by: fetch.plan.shape.sort) == .orderedSame
  }

  /// Returns whether a row comes before another row. Rows with equal sort values are in the order
  /// in which they joined the results.
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
    if let descriptors = fetch.remainingSort { return descriptors.order(one.object, other.object) }
    return SortTerm.order(
      one.keys(by: self), other.keys(by: self), by: fetch.plan.shape.sort)
  }

  /// Whether the store sorts the results, first by a stored value that is compared by bytes. Equal
  /// values are then adjacent.
  var isOrderedByStoredValues: Bool {
    guard !fetch.overlays, fetch.remainingSort == nil, let first = fetch.plan.shape.sort.first,
      case .property = first.operand
    else { return false }
    return first.collation == .binary
  }

  /// Returns the name of the section that an object currently belongs to, for comparisons.
  func sectionKey(of object: NSManagedObject) -> ExactText { ExactText(sectionName(of: object)) }

  /// Returns the name of the section that an object currently belongs to.
  func sectionName(of object: NSManagedObject) -> String {
    guard let sectionNameKeyPath else { return "" }
    switch KeyPathReader.value(atPath: sectionNameKeyPath, of: object) {
    case nil, is NSNull: return ""
    case let text as String: return text
    case let flag as Bool: return flag ? "1" : "0"
    case .some(let value):
      if case .double(let real)? = Value(any: value), let text = Value.wholeText(of: real) {
        return text
      }
      return "\(value)"
    }
  }
}

extension Value {
  /// Whether the value is an unsaved object or a list that contains an unsaved object.
  fileprivate var namesUnsavedObject: Bool {
    switch self {
    case .object(let reference): reference.key < 0
    case .list(let values): values.contains(where: \.namesUnsavedObject)
    default: false
    }
  }
}

extension NSFetchedResultsController {
  /// The numbers of predicate tests and of row comparisons since the last fetch; 0 before the first
  /// fetch.
  package var evaluationCounts: EvaluationCounts {
    EvaluationCounts(
      tests: tracker.query?.tests ?? 0, comparisons: tracker.query?.comparisons ?? 0)
  }
}

/// The amount of work for updating fetched results, for use in tests.
package struct EvaluationCounts: Equatable {
  /// The number of objects tested against the predicate.
  package let tests: Int
  /// The number of pairs of rows compared by the sort descriptors.
  package let comparisons: Int
}
