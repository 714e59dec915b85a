internal import OpenPredicates

/// An object in fetched results, with the values that determine its position.
///
/// Confined to the context's queue. The section that contains the row retains the row.
final class ResultRow {
  /// A position in fetched results.
  struct Place {
    /// The index of the section.
    let section: Int
    /// The index of the row in its section.
    let item: Int
  }

  let object: NSManagedObject
  /// The values that the row is sorted by; nil if the values have not been needed yet, or if
  /// comparators sort the rows.
  private(set) var sortKeys: [Value]?
  /// A number that orders rows in the same way as their first sort value. Equal numbers do not
  /// imply equal values.
  private(set) var rank = 0.0
  /// A number that increases with each row that joins the results. It orders rows with equal sort
  /// values.
  let ordinal: Int
  /// The temporary id of an object that was not saved when it joined the results; nil after the
  /// permanent id has been reported.
  var temporaryID: NSManagedObjectID?
  /// The section that contains the row. ``ResultSection/release()`` breaks the reference cycle
  /// between section and row. A weak reference would make each retain of a section slow.
  var section: ResultSection?
  /// The position of the row before the change that is being processed.
  var oldPlace: Place?
  /// The section of the row before the change that is being processed.
  var oldSection: ResultSection?
  /// The position of the row after the change that is being processed.
  var newPlace: Place?

  init(_ object: NSManagedObject, ordinal: Int) {
    self.object = object
    self.ordinal = ordinal
    if object.registration == .inserted {
      let id = object.currentID
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
/// Confined to the context's queue. A ``ResultsTracker`` owns the section.
final class ResultSection {
  let name: String
  /// The name, which is compared by bytes: names that differ only in composition belong to
  /// different sections.
  var key: ExactText { ExactText(name) }
  private(set) var rows: [ResultRow] = [] {
    didSet { knownInfo = nil }
  }
  /// The description of the section that was last returned; nil if the rows have changed since
  /// then.
  private var knownInfo: ResultSectionInfo?
  /// The section's index among the sections.
  var place = 0

  init(name: String) { self.name = name }

  /// Appends a row.
  func append(_ row: ResultRow) {
    row.section = self
    rows.append(row)
  }

  /// Returns a description of the section. The method returns the same object until the section's
  /// rows change.
  func info(of tracker: ResultsTracker) -> ResultSectionInfo {
    if let knownInfo { return knownInfo }
    let info = ResultSectionInfo(name: name, rows: rows, tracker: tracker)
    knownInfo = info
    return info
  }

  /// Releases the rows and their references to the section. Call this method when the section is no
  /// longer used.
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

  /// Removes the rows at given indices and moves the remaining rows within the array.
  ///
  /// - Parameter indices: The indices of the rows, in ascending order.
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

  /// Inserts rows at the positions that the sort order determines.
  ///
  /// - Parameters:
  ///   - sorted: The rows, in sort order.
  ///   - query: The query that determines the sort order.
  /// - Returns: The indices of the inserted rows, in the order of `sorted`.
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
  /// - Parameters:
  ///   - start: The index at which the search begins. The condition must be true for all elements
  ///     before this index.
  ///   - holds: The condition.
  /// - Returns: The index, or the number of elements if the condition is true for all elements.
  func partitionIndex(from start: Int = 0, where holds: (Element) -> Bool) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// An immutable description of a section for users of the controller.
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
