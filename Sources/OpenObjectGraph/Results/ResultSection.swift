internal import OpenPredicates

/// An object's place in fetched results, with the values that put it there.
///
/// Confined to the context's queue; owned by the section it is in.
final class ResultRow {
  /// A place in the sections.
  struct Place {
    let section: Int
    let item: Int
  }

  let object: NSManagedObject
  /// The values that the row was sorted by; nil before they are needed, and when comparators sort.
  private(set) var sortKeys: [Value]?
  /// A number that orders rows as the first of these values does, as far as it tells them apart.
  private(set) var rank = 0.0
  /// When the row joined: the order of rows that sort alike.
  let ordinal: Int
  /// The id with which the object was reported before it was saved.
  var temporaryID: NSManagedObjectID?
  /// The section that the row is in. A cycle, which ``ResultSection/release()`` breaks: a weak reference would
  /// make each retain of a section a slow one.
  var section: ResultSection?
  /// Where the row was before the change that is worked out, and in which section.
  var oldPlace: Place?
  var oldSection: ResultSection?
  /// Where the row is after the change that is worked out.
  var newPlace: Place?

  init(_ object: NSManagedObject, ordinal: Int) {
    self.object = object
    self.ordinal = ordinal
    if object.registration == .inserted {
      let id = object.objectID
      if id.isTemporaryID { temporaryID = id }
    }
  }

  /// Takes over the values that the row is sorted by now.
  func setKeys(_ keys: [Value]?, by query: ResultsQuery) {
    sortKeys = keys
    rank = keys.map(query.rank) ?? 0
  }

  /// The values that the row is sorted by, read when they are first needed.
  func keys(by query: ResultsQuery) -> [Value] {
    if let sortKeys { return sortKeys }
    let keys = query.keys(of: object) ?? []
    setKeys(keys, by: query)
    return keys
  }
}

/// Rows of one section name, in order.
///
/// Confined to the context's queue; owned by a ``ResultsTracker``.
final class ResultSection {
  let name: String
  private(set) var rows: [ResultRow] = [] {
    didSet { knownInfo = nil }
  }
  /// The section as it was last reported; nil since its rows changed.
  private var knownInfo: ResultSectionInfo?
  /// The section's index among the sections.
  var place = 0

  init(name: String) { self.name = name }

  /// Appends a row.
  func append(_ row: ResultRow) {
    row.section = self
    rows.append(row)
  }

  /// The section as it is reported: the same object until its rows change.
  func info(of tracker: ResultsTracker) -> ResultSectionInfo {
    if let knownInfo { return knownInfo }
    let info = ResultSectionInfo(name: name, rows: rows, tracker: tracker)
    knownInfo = info
    return info
  }

  /// Lets go of the rows, which keep their section, when the section is no longer used.
  func release() {
    for row in rows {
      row.section = nil
      row.oldSection = nil
    }
    rows = []
  }

  /// The index of a row that is here: O(log n) comparisons where its values are known.
  func index(of row: ResultRow, by query: ResultsQuery) -> Int? {
    if row.sortKeys != nil {
      let index = insertionIndex(of: row, from: 0, by: query)
      if index < rows.count, rows[index] === row { return index }
    }
    return rows.firstIndex { $0 === row }
  }

  /// The index of the first row, from an index on, that does not come before a row.
  private func insertionIndex(
    of row: ResultRow, from start: Int, by query: ResultsQuery
  ) -> Int {
    rows.partitionIndex(from: start) { query.precedes($0, row) }
  }

  /// Removes rows at indices in ascending order; the others move in place.
  func remove(at indices: [Int]) {
    guard let first = indices.first else { return }
    var rest = indices.dropFirst()[...]
    var target = first
    rows.withUnsafeMutableBufferPointer { rows in
      for index in first + 1..<rows.count {
        if index == rest.first {
          rest.removeFirst()
        } else {
          rows.swapAt(target, index)
          target += 1
        }
      }
    }
    rows.removeLast(indices.count)
  }

  /// Inserts rows that are in order among themselves; the others move in place.
  ///
  /// - Returns: The new indices of the rows.
  @discardableResult
  func insert(_ sorted: [ResultRow], by query: ResultsQuery) -> [Int] {
    var indices: [Int] = []
    indices.reserveCapacity(sorted.count)
    var start = 0
    for row in sorted {
      row.section = self
      start = insertionIndex(of: row, from: start, by: query)
      indices.append(start)
    }
    var end = rows.count
    rows.append(contentsOf: sorted)
    rows.withUnsafeMutableBufferPointer { rows in
      for position in indices.indices.reversed() {
        let start = indices[position]
        for index in stride(from: end - 1, through: start, by: -1) {
          rows.swapAt(index, index + position + 1)
        }
        rows[start + position] = sorted[position]
        indices[position] = start + position
        end = start
      }
    }
    return indices
  }
}

extension Array {
  /// The index of the first element for which a condition is false that is true for a prefix only.
  ///
  /// - Parameter start: An index before which the condition is true.
  func partitionIndex(from start: Int = 0, where holds: (Element) -> Bool) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A section as it is reported; immutable.
final class ResultSectionInfo: NSFetchedResultsSectionInfo {
  let name: String
  private let rows: [ResultRow]
  /// Not kept alive: its sections keep their infos.
  private weak var tracker: ResultsTracker?

  init(name: String, rows: [ResultRow], tracker: ResultsTracker) {
    self.name = name
    self.rows = rows
    self.tracker = tracker
  }

  var indexTitle: String? { tracker?.indexTitle(ofSectionNamed: name) }
  var numberOfObjects: Int { rows.count }
  var objects: [Any]? { rows.map(\.object) }
}
