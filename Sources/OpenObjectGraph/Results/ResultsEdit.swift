internal import OpenPredicates

/// A change of fetched results that is being computed.
///
/// Rows whose sort values or section changed are removed and inserted again. Such a row is reported
/// as updated if its position relative to the unchanged rows is the same as before, and otherwise
/// as moved. The number of rows that are reported as moved is as small as possible.
struct ResultsEdit {
  /// A row that is removed and inserted again.
  struct Candidate {
    let row: ResultRow
    let keys: [Value]?
    let sectionName: ExactText
  }

  typealias Place = ResultRow.Place

  var joining: [ResultRow] = []
  var leaving: [ResultRow] = []
  var candidates: [Candidate] = []
  /// Saved rows whose former sort values are unknown. The save may have derived other values.
  var unsure: [Candidate] = []
  /// Changed rows whose sort values and section have not changed.
  var staying: [ResultRow] = []
  /// Sections from which all rows were removed.
  var emptied: [ResultSection] = []
  /// Emptied sections into which rows were inserted again.
  var refilled: [ResultSection] = []
  var addedSections: [ResultSection] = []
  /// Refilled sections whose position among the other sections changed.
  private var relocated: Set<ObjectIdentifier> = []
  private var oldSectionPlaces: [ObjectIdentifier: Int] = [:]
  /// The indices of removed rows, by section, in ascending order.
  private var vacated: [ObjectIdentifier: [Int]] = [:]

  var isEmpty: Bool {
    joining.isEmpty && leaving.isEmpty && candidates.isEmpty && staying.isEmpty
  }

  private var movable: [ResultRow] { leaving + candidates.map(\.row) }

  /// Adds a changed row that still belongs to the results.
  mutating func keep(
    _ row: ResultRow, _ occasion: ResultsTracker.Occasion, _ query: ResultsQuery
  ) {
    let keys = query.keys(of: row.object)
    let name = query.sectionKey(of: row.object)
    if let keys, let old = row.sortKeys, query.isSame(old, keys), name == row.section?.key {
      row.setKeys(keys, by: query)
      if occasion == .announced { staying.append(row) }
    } else {
      let candidate = Candidate(row: row, keys: keys, sectionName: name)
      let isUnsure = occasion == .saved && (keys == nil || row.sortKeys == nil)
      if isUnsure { unsure.append(candidate) } else { candidates.append(candidate) }
    }
  }

  /// Adds and removes rows so that the results match a fetched window.
  mutating func adopt(_ window: ResultsWindow, tracker: ResultsTracker) {
    let known = Set((joining + leaving).map { ObjectIdentifier($0.object) })
    for object in window.objects {
      let id = ObjectIdentifier(object)
      if tracker.rows[id] == nil, !known.contains(id) { joining.append(tracker.makeRow(object)) }
    }
    for (id, row) in tracker.rows where !window.contains(id) && !known.contains(id) {
      leaving.append(row)
    }
  }

  // MARK: Places

  mutating func noteOldPlaces(by query: ResultsQuery) {
    for row in movable + staying {
      guard let section = row.section, let index = section.index(of: row, by: query) else {
        continue
      }
      row.oldPlace = Place(section: section.place, item: index)
      row.oldSection = section
    }
  }

  /// Returns the indices at which rows are to be removed, by section.
  mutating func vacatedIndices() -> [(section: ResultSection, indices: [Int])] {
    var groups: [ObjectIdentifier: (section: ResultSection, indices: [Int])] = [:]
    for row in movable {
      guard let section = row.oldSection, let place = row.oldPlace else { continue }
      groups[ObjectIdentifier(section), default: (section, [])].indices.append(place.item)
    }
    for id in Array(groups.keys) { groups[id]?.indices.sort() }
    vacated = groups.mapValues(\.indices)
    return groups.values.sorted { $0.section.place < $1.section.place }
  }

  /// Determines which refilled sections have a new position among the other sections. Call this
  /// method before the sections receive their new indices.
  mutating func settleSections(_ sections: [ResultSection]) {
    for section in emptied { oldSectionPlaces[ObjectIdentifier(section)] = section.place }
    guard !refilled.isEmpty else { return }
    let moved = Set(refilled.map(ObjectIdentifier.init))
    let added = Set(addedSections.map(ObjectIdentifier.init))
    let old = sections.filter { !added.contains(ObjectIdentifier($0)) }
    var bounds = [Int](repeating: Int.max, count: old.count)
    var bound = Int.max
    for index in old.indices.reversed() {
      bounds[index] = bound
      if !moved.contains(ObjectIdentifier(old[index])) { bound = old[index].place }
    }
    var last = -1
    for (section, bound) in zip(old, bounds) {
      let id = ObjectIdentifier(section)
      if !moved.contains(id) || last < section.place && section.place < bound {
        last = section.place
      } else {
        relocated.insert(id)
      }
    }
  }

  /// Records the new positions of the rows that stayed, and the new section indices of the inserted
  /// rows.
  func noteNewPlaces(by query: ResultsQuery) {
    for row in staying {
      guard let section = row.section, let index = section.index(of: row, by: query) else {
        continue
      }
      row.newPlace = Place(section: section.place, item: index)
    }
    for row in joining + candidates.map(\.row) {
      guard let section = row.section, let place = row.newPlace else { continue }
      row.newPlace = Place(section: section.place, item: place.item)
    }
  }

  /// Clears the positions that were recorded in the rows.
  func forgetPlaces() {
    for row in movable + joining + staying {
      row.oldPlace = nil
      row.oldSection = nil
      row.newPlace = nil
    }
  }

  // MARK: Outcome

  /// Returns the changes to report.
  func changes() -> ResultsChanges {
    var changes = ResultsChanges()
    for section in emptied where !isBack(section) {
      guard let place = oldSectionPlaces[ObjectIdentifier(section)] else { continue }
      changes.deletedSections.append((section.name, place))
    }
    for section in addedSections + refilled where !isBack(section) {
      changes.insertedSections.append((section, section.place))
    }
    for row in leaving { changes.deletions.append(change(row)) }
    for row in joining { changes.insertions.append(change(row)) }
    let inPlace = candidatesInPlace()
    for row in candidates.map(\.row) {
      if inPlace.contains(ObjectIdentifier(row)) {
        changes.updates.append(change(row))
      } else {
        changes.moves.append(change(row))
      }
    }
    for row in staying { changes.updates.append(change(row)) }
    changes.sort()
    return changes
  }

  /// Returns whether an emptied section was refilled at its old position.
  private func isBack(_ section: ResultSection) -> Bool {
    refilled.contains { $0 === section } && !relocated.contains(ObjectIdentifier(section))
  }

  private func change(_ row: ResultRow) -> ResultsChanges.Change {
    ResultsChanges.Change(row: row, old: row.oldPlace, new: row.newPlace)
  }

  /// Returns the largest possible set of candidates whose position relative to each other and to
  /// the rows that were not removed is unchanged.
  private func candidatesInPlace() -> Set<ObjectIdentifier> {
    guard !candidates.isEmpty else { return [] }
    let filled = filledIndices()
    var inPlace: Set<ObjectIdentifier> = []
    for (section, group) in Dictionary(
      grouping: candidates, by: { $0.row.section.map(ObjectIdentifier.init) })
    {
      guard let section, !relocated.contains(section) else { continue }
      let eligible = group.compactMap { candidate -> (id: ObjectIdentifier, old: Int, new: Int)? in
        let id = ObjectIdentifier(candidate.row)
        guard candidate.row.oldSection.map(ObjectIdentifier.init) == section,
          let old = candidate.row.oldPlace?.item, let new = candidate.row.newPlace?.item,
          old - Self.count(in: vacated[section], below: old)
            == new - Self.count(in: filled[section], below: new)
        else { return nil }
        return (id, old, new)
      }.sorted { $0.new < $1.new }
      for index in eligible.map(\.old).longestIncreasingIndices {
        inPlace.insert(eligible[index].id)
      }
    }
    return inPlace
  }

  /// Returns the indices of inserted rows, by section, in ascending order.
  private func filledIndices() -> [ObjectIdentifier: [Int]] {
    var filled: [ObjectIdentifier: [Int]] = [:]
    for row in joining + candidates.map(\.row) {
      guard let section = row.section, let place = row.newPlace else { continue }
      filled[ObjectIdentifier(section), default: []].append(place.item)
    }
    return filled.mapValues { $0.sorted() }
  }

  /// Returns the number of indices in a sorted array that are less than a bound.
  private static func count(in sorted: [Int]?, below bound: Int) -> Int {
    sorted?.partitionIndex { $0 < bound } ?? 0
  }
}

extension [Int] {
  /// The indices of a longest increasing subsequence.
  ///
  /// - Complexity: O(*n* log *n*).
  var longestIncreasingIndices: [Int] {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: count)
    for (index, value) in enumerated() {
      let length = tails.partitionIndex { self[$0] < value }
      previous[index] = length > 0 ? tails[length - 1] : nil
      if length == tails.count { tails.append(index) } else { tails[length] = index }
    }
    var found: [Int] = []
    var next = tails.last
    while let index = next {
      found.append(index)
      next = previous[index]
    }
    return found.reversed()
  }
}
