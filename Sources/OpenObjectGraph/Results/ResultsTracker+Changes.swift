internal import OpenPredicates

// Updating the results after a change: the changed objects are tested, removed from their old
// positions and inserted at their new positions. The work is proportional to the change. Finding a
// position takes O(log n) comparisons.

extension ResultsTracker {
  /// The reason why objects are checked.
  enum Occasion {
    /// The context announced that the objects changed.
    case announced
    /// The context saved the objects; only changes made by the save itself are new.
    case saved
  }

  /// Updates the results with changed objects, and notifies the delegate and the observers.
  ///
  /// Changes that are announced during a call of the delegate are processed after the current
  /// change.
  func follow(_ changed: [NSManagedObject], _ occasion: Occasion) {
    pending.append((changed, occasion))
    guard !isFollowing else { return }
    isFollowing = true
    while !pending.isEmpty {
      let next = pending.removeFirst()
      followNow(next.changed, next.occasion)
    }
    isFollowing = false
  }

  private func followNow(_ changed: [NSManagedObject], _ occasion: Occasion) {
    guard let query else { return }
    var edit = sort(changed, occasion, query)
    guard !edit.isEmpty else { return }
    defer { edit.forgetPlaces() }
    edit.noteOldPlaces(by: query)
    let installed = installations
    announceWillChange()
    // The delegate fetched anew, or reset the context: there is nothing left to change.
    guard installed == installations else { return announce(ResultsChanges()) }
    remove(&edit, query)
    insert(&edit, query)
    contentChanged()
    edit.noteNewPlaces(by: query)
    announce(edit.changes())
  }

  /// Divides changed objects into those that join the results, leave the results, may move, and
  /// stay at their position.
  private func sort(
    _ changed: [NSManagedObject], _ occasion: Occasion, _ query: ResultsQuery
  ) -> ResultsEdit {
    var edit = ResultsEdit()
    let window = query.isWindowed ? fetchedWindow(for: changed, query) : nil
    for object in changed {
      let row = rows[ObjectIdentifier(object)]
      let belongs =
        window.map { $0.contains(ObjectIdentifier(object)) } ?? query.matches(object)
      if let row {
        belongs ? edit.keep(row, occasion, query) : edit.leaving.append(row)
      } else if belongs {
        edit.joining.append(makeRow(object))
      }
    }
    if let window { edit.adopt(window, tracker: self) }
    // If one of these rows is out of place, the rows next to it cannot show their place either.
    if !edit.unsure.allSatisfy({ isInPlace($0, query) }) { edit.candidates += edit.unsure }
    return edit
  }

  /// Returns whether a row is in its section, and in order with the rows before and after it.
  private func isInPlace(_ candidate: ResultsEdit.Candidate, _ query: ResultsQuery) -> Bool {
    let row = candidate.row
    guard let section = row.section, section.key == candidate.sectionName,
      let index = section.index(of: row, by: query)
    else { return false }
    let rows = section.rows
    return (index == 0 || !query.precedes(row, rows[index - 1]))
      && (index + 1 == rows.count || !query.precedes(rows[index + 1], row))
  }

  /// Returns the current objects of a request with a limit or an offset. If no relevant object
  /// changed, the method returns the known objects without a fetch. If the fetch fails, the method
  /// returns the known objects without the changed objects that no longer match.
  private func fetchedWindow(
    for changed: [NSManagedObject], _ query: ResultsQuery
  ) -> ResultsWindow {
    // With an offset an object may have stood before the results, which nothing here says.
    let concerns =
      query.hasOffset
      || changed.contains { object in
        rows[ObjectIdentifier(object)] != nil || query.matches(object)
          || object.registration == .deleted || object.registration == .detached
      }
    guard concerns, let request else { return ResultsWindow(unchanged: rows) }
    do {
      return ResultsWindow(try context.fetch(request))
    } catch {
      GraphLog.error("Fetched results with a limit could not be updated: \(error)")
      var kept = rows
      for object in changed where !query.matches(object) { kept[ObjectIdentifier(object)] = nil }
      return ResultsWindow(unchanged: kept)
    }
  }

  // MARK: Out and in

  private func remove(_ edit: inout ResultsEdit, _ query: ResultsQuery) {
    for group in edit.vacatedIndices() {
      group.section.remove(at: group.indices)
      guard group.section.rows.isEmpty, query.sectionNameKeyPath != nil else { continue }
      edit.emptied.append(group.section)
    }
    for row in edit.leaving { rows[ObjectIdentifier(row.object)] = nil }
    if edit.leaving.contains(where: { $0.temporaryID != nil }) {
      unsaved.removeAll { rows[ObjectIdentifier($0.object)] == nil }
    }
    guard !edit.emptied.isEmpty else { return }
    sections?.removeAll { section in edit.emptied.contains { $0 === section } }
    for section in edit.emptied { sectionsByName[section.key] = nil }
  }

  private func insert(_ edit: inout ResultsEdit, _ query: ResultsQuery) {
    for row in edit.joining {
      rows[ObjectIdentifier(row.object)] = row
      if row.temporaryID != nil { unsaved.append(row) }
      if !query.loadsInBatches { _ = row.keys(by: query) }
    }
    for candidate in edit.candidates { candidate.row.setKeys(candidate.keys, by: query) }
    for (name, arriving) in arriving(edit, query) {
      let sorted = arriving.sorted(by: query.precedes)
      let section = section(named: name, for: sorted, &edit, query)
      for (row, index) in zip(sorted, section.insert(sorted, by: query)) {
        row.newPlace = ResultRow.Place(section: section.place, item: index)
      }
    }
    edit.settleSections(sections ?? [])
  }

  /// Returns the rows to insert, by the name of their section.
  private func arriving(
    _ edit: ResultsEdit, _ query: ResultsQuery
  ) -> [(name: ExactText, rows: [ResultRow])] {
    let moving = edit.candidates.map(\.row)
    guard query.sectionNameKeyPath != nil else {
      let rows = edit.joining + moving
      return rows.isEmpty ? [] : [(ExactText(""), rows)]
    }
    let named =
      edit.joining.map { ($0, query.sectionKey(of: $0.object)) }
      + edit.candidates.map { ($0.row, $0.sectionName) }
    return Dictionary(grouping: named, by: \.1)
      .sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
      .map { ($0.key, $0.value.map(\.0)) }
  }

  /// Returns the section with the given name. A new or emptied section is inserted at the position
  /// that the sort order of its rows determines.
  private func section(
    named name: ExactText, for sorted: [ResultRow], _ edit: inout ResultsEdit, _ query: ResultsQuery
  ) -> ResultSection {
    if let section = sectionsByName[name] { return section }
    let section: ResultSection
    if let known = edit.emptied.first(where: { $0.key == name }) {
      section = known
      edit.refilled.append(known)
    } else {
      section = ResultSection(name: name.text)
      edit.addedSections.append(section)
    }
    let place = (sections ?? []).partitionIndex { other in
      guard let first = other.rows.first, let row = sorted.first else { return false }
      return query.precedes(first, row)
    }
    sections?.insert(section, at: place)
    sectionsByName[name] = section
    return section
  }
}

/// The objects of a request with a limit or an offset, after a change.
struct ResultsWindow {
  let objects: [NSManagedObject]
  private let members: Set<ObjectIdentifier>

  init(_ objects: [NSManagedObject]) {
    self.objects = objects
    members = Set(objects.map(ObjectIdentifier.init))
  }

  init(unchanged rows: [ObjectIdentifier: ResultRow]) {
    objects = rows.values.map(\.object)
    members = Set(rows.keys)
  }

  func contains(_ id: ObjectIdentifier) -> Bool { members.contains(id) }
}
