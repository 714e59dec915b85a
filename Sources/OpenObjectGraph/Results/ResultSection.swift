internal import OpenPredicates

/// An object's place in fetched results, with the values that put it there.
///
/// Confined to the context's queue; owned by the section it is in.
final class ResultRow {
  let object: NSManagedObject
  /// The values that the row was sorted by; nil before they are needed, and when comparators sort.
  var sortKeys: [Value]?
  /// When the row joined: the order of rows that sort alike.
  let ordinal: Int
  /// The id under which the object was told before it was saved.
  var temporaryID: NSManagedObjectID?
  weak var section: ResultSection?

  init(_ object: NSManagedObject, ordinal: Int) {
    self.object = object
    self.ordinal = ordinal
    if object.registration == .inserted {
      let id = object.objectID
      if id.isTemporaryID { temporaryID = id }
    }
  }

  /// The values that the row is sorted by, read when they are first needed.
  func keys(by query: ResultsQuery) -> [Value] {
    if let sortKeys { return sortKeys }
    let keys = query.keys(of: object) ?? []
    sortKeys = keys
    return keys
  }
}

/// Rows of one section name, in order.
///
/// Confined to the context's queue; owned by a ``ResultsTracker``.
final class ResultSection {
  let name: String
  var rows: [ResultRow] = []
  /// The section's index among the sections.
  var place = 0

  init(name: String) { self.name = name }

  /// The index of a row that is here: O(log n) comparisons where its values are known.
  func index(of row: ResultRow, by query: ResultsQuery) -> Int? {
    if row.sortKeys != nil {
      let index = insertionIndex(of: row, by: query)
      if index < rows.count, rows[index] === row { return index }
    }
    return rows.firstIndex { $0 === row }
  }

  /// The index of the first row that does not come before a row.
  func insertionIndex(of row: ResultRow, by query: ResultsQuery) -> Int {
    rows.partitionIndex { query.precedes($0, row) }
  }

  /// Removes rows at indices in ascending order.
  func remove(at indices: [Int]) {
    guard indices.count > 1 else {
      if let index = indices.first { rows.remove(at: index) }
      return
    }
    var kept: [ResultRow] = []
    kept.reserveCapacity(rows.count - indices.count)
    var start = 0
    for index in indices {
      kept += rows[start..<index]
      start = index + 1
    }
    rows = kept + rows[start...]
  }

  /// Inserts rows that are in order among themselves.
  func insert(_ sorted: [ResultRow], by query: ResultsQuery) {
    for row in sorted { row.section = self }
    guard sorted.count > 1 else {
      if let row = sorted.first { rows.insert(row, at: insertionIndex(of: row, by: query)) }
      return
    }
    var merged: [ResultRow] = []
    merged.reserveCapacity(rows.count + sorted.count)
    var start = 0
    for row in sorted {
      let index = insertionIndex(of: row, by: query)
      merged += rows[start..<index]
      merged.append(row)
      start = index
    }
    rows = merged + rows[start...]
  }
}

extension Array {
  /// The index of the first element for which a condition fails that holds for a part at the start only.
  func partitionIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A section as it is told to clients.
struct ResultSectionInfo: NSFetchedResultsSectionInfo {
  let name: String
  let rows: [ResultRow]
  let tracker: ResultsTracker

  var indexTitle: String? { tracker.indexTitle(ofSectionNamed: name) }
  var numberOfObjects: Int { rows.count }
  var objects: [Any]? { rows.map(\.object) }
}
