internal import OpenPredicates

/// An object's place in fetched results, with the values that determine the place.
///
/// Confined to the context's queue. Owned by the section that contains the row.
final class ResultRow {
  /// The indexes of a section and of an item in it.
  struct Place {
    let section: Int
    let item: Int
  }

  let object: NSManagedObject
  /// The values that the row is sorted by; nil until they are needed, and if comparators sort.
  private(set) var sortKeys: [Value]?
  /// A number that orders rows in the same way as their first sort value. Equal numbers do not
  /// imply equal values.
  private(set) var rank = 0.0
  /// The order in which the row joined, which decides between rows with equal sort values.
  let ordinal: Int
  /// The id with which the object was reported before it was saved.
  var temporaryID: NSManagedObjectID?
  /// The section that contains the row. This is a reference cycle, which
  /// ``ResultSection/release()`` breaks. A weak reference would make each retain of a section slow.
  var section: ResultSection?
  /// Where the row was, and in which section, before the change that is being processed.
  var oldPlace: Place?
  var oldSection: ResultSection?
  /// Where the row is after the change that is being processed.
  var newPlace: Place?

  init(_ object: NSManagedObject, ordinal: Int) {
    self.object = object
    self.ordinal = ordinal
    if object.registration == .inserted {
      let id = object.objectID
      if id.isTemporaryID { temporaryID = id }
    }
  }

  /// Stores the values that the row is currently sorted by.
  func setKeys(_ keys: [Value]?, by query: ResultsQuery) {
    sortKeys = keys
    rank = keys.map(query.rank) ?? 0
  }

  /// Returns the values that the row is sorted by, and reads them on first use.
  func keys(by query: ResultsQuery) -> [Value] {
    if let sortKeys { return sortKeys }
    let keys = query.keys(of: object) ?? []
    setKeys(keys, by: query)
    return keys
  }
}

/// The rows with one section name, in order.
///
/// Confined to the context's queue; owned by a ``ResultsTracker``.
final class ResultSection {
  let name: String
  private(set) var rows: [ResultRow] = [] {
    didSet { knownInfo = nil }
  }
  /// The section as last reported; nil if its rows have changed since then.
  private var knownInfo: ResultSectionInfo?
  /// The section's index among the sections.
  var place = 0

  init(name: String) { self.name = name }

  /// Appends a row.
  func append(_ row: ResultRow) {
    row.section = self
    rows.append(row)
  }

  /// Returns the section as it is reported. The method returns the same object until the section's
  /// rows change.
  func info(of tracker: ResultsTracker) -> ResultSectionInfo {
    if let knownInfo { return knownInfo }
    let info = ResultSectionInfo(name: name, rows: rows, tracker: tracker)
    knownInfo = info
    return info
  }

  /// Releases the rows and breaks their references to the section when the section is no longer
  /// used.
  func release() {
    for row in rows {
      row.section = nil
      row.oldSection = nil
    }
    rows = []
  }

  /// Returns the index of a row of the section, with O(log n) comparisons if the row's sort values
  /// are known.
  func index(of row: ResultRow, by query: ResultsQuery) -> Int? {
    if row.sortKeys != nil {
      let index = insertionIndex(of: row, from: 0, by: query)
      if index < rows.count, rows[index] === row { return index }
    }
    return rows.firstIndex { $0 === row }
  }

  /// Returns the index of the first row at or after `start` that does not come before a given row.
  private func insertionIndex(
    of row: ResultRow, from start: Int, by query: ResultsQuery
  ) -> Int {
    rows.partitionIndex(from: start) { query.precedes($0, row) }
  }

  /// Removes rows at indices in ascending order and moves the remaining rows in place.
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

  /// Inserts rows that are sorted among themselves and moves the existing rows in place.
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
  /// Returns the index of the first element for which a condition is false.
  ///
  /// The condition must be true for a prefix of the array and false for all later elements.
  ///
  /// - Parameter start: An index before which the condition is true for all elements.
  func partitionIndex(from start: Int = 0, where holds: (Element) -> Bool) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// An immutable description of a section, as reported to users of the controller.
final class ResultSectionInfo: NSFetchedResultsSectionInfo {
  let name: String
  private let rows: [ResultRow]
  /// A weak reference, because the tracker's sections retain their descriptions.
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
