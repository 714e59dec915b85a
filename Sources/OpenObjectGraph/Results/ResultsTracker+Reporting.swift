internal import Foundation

// Reporting changes to the delegate and to the snapshot sequences, in the forms that they use.

/// A delegate of the framework that is also notified when a reset of the context empties the
/// results.
protocol ResetObserver: NSFetchedResultsControllerDelegate {
  /// Called after a reset of the context has emptied the results.
  func contextDidReset()
}

extension ResultsTracker {
  /// The controller that delegates receive.
  private var shown: NSFetchedResultsController<any NSFetchRequestResult> {
    if let own = owner as? NSFetchedResultsController<any NSFetchRequestResult> { return own }
    if let untyped { return untyped }
    let made = NSFetchedResultsController<any NSFetchRequestResult>(self)
    untyped = made
    return made
  }

  /// Returns the current content as object ids.
  func snapshot(reloaded: [NSManagedObjectID] = []) -> FetchedResultsSnapshot {
    FetchedResultsSnapshot(
      sections: (sections ?? []).map { section in
        .init(identifier: section.name, itemIdentifiers: section.rows.map(\.object.currentID))
      },
      reloaded: reloaded)
  }

  /// Returns the index title of a section from the delegate, or from the controller if the delegate
  /// returns nil.
  func indexTitle(ofSectionNamed name: String) -> String? {
    if let title = delegate?.controller(shown, sectionIndexTitleForSectionName: name) {
      return title
    }
    guard let owner else { return name.first.map { String($0).uppercased() } }
    return owner.sectionIndexTitle(forSectionName: name)
  }

  // MARK: Fetches

  /// Sends a snapshot of the results to the snapshot sequences, and to the delegate unless it is
  /// known not to use snapshots.
  func announceFetch() {
    if let delegate, forms.takesSnapshots != false { send(snapshot(), to: delegate) }
    if !listeners.isEmpty { listeners.offer(snapshot()) }
  }

  /// Sends a snapshot of the empty results to the snapshot sequences after a reset of the context,
  /// and notifies observed results. Other delegates are not notified.
  ///
  /// The results of a sequence without a controller are fetched again, because the program has no
  /// other way to fetch them.
  func announceReset() {
    if owner == nil, !listeners.isEmpty, fetchesAgain() { return }
    listeners.offer(snapshot())
    (delegate as? any ResetObserver)?.contextDidReset()
  }

  /// Fetches the results after a reset of the context.
  ///
  /// - Returns: `false` if the fetch failed, which leaves the results empty.
  private func fetchesAgain() -> Bool {
    do {
      try performFetch()
      return true
    } catch {
      GraphLog.error("The results of a sequence could not be fetched after a reset: \(error)")
      return false
    }
  }

  private func send(
    _ snapshot: FetchedResultsSnapshot, to delegate: any NSFetchedResultsControllerDelegate
  ) {
    let wasKnown = forms.takesSnapshots != nil
    if !wasKnown { forms.takesSnapshots = true }
    delegate.controller(shown, didChangeContentWith: snapshot)
  }

  private func send(
    _ difference: CollectionDifference<NSManagedObjectID>,
    to delegate: any NSFetchedResultsControllerDelegate
  ) {
    if forms.takesDifferences == nil { forms.takesDifferences = true }
    delegate.controller(shown, didChangeContentWith: difference)
  }

  // MARK: Changes

  private enum Form { case snapshots, differences, calls }

  private var form: Form {
    if forms.takesSnapshots == true { return .snapshots }
    return sectionNameKeyPath == nil && forms.takesDifferences == true ? .differences : .calls
  }

  /// Determines which form of change the delegate uses, by sending changes without an effect. Call
  /// this method before the content changes.
  private func findForm(of delegate: any NSFetchedResultsControllerDelegate) {
    if forms.takesSnapshots == nil { send(snapshot(), to: delegate) }
    guard forms.takesSnapshots == false, sectionNameKeyPath == nil, forms.takesDifferences == nil,
      let nothing = CollectionDifference<NSManagedObjectID>([])
    else { return }
    send(nothing, to: delegate)
  }

  func announceWillChange() {
    guard let delegate else { return }
    findForm(of: delegate)
    if form == .calls { delegate.controllerWillChangeContent(shown) }
  }

  func announce(_ changes: ResultsChanges) {
    if !listeners.isEmpty { listeners.offer(snapshot(reloaded: changes.reloadedIDs)) }
    guard let delegate else { return }
    switch form {
    case .snapshots: send(snapshot(reloaded: changes.reloadedIDs), to: delegate)
    case .differences:
      if let difference = changes.difference { send(difference, to: delegate) }
    case .calls: call(delegate, changes)
    }
  }

  private func call(
    _ delegate: any NSFetchedResultsControllerDelegate, _ changes: ResultsChanges
  ) {
    let controller = shown
    let (emptying, others) = changes.splitDeletions()
    call(delegate, emptying, .delete)
    for (name, place) in changes.deletedSections {
      delegate.controller(
        controller, didChange: ResultSectionInfo(name: name, rows: [], tracker: self),
        atSectionIndex: place, for: .delete)
    }
    for (section, place) in changes.insertedSections {
      delegate.controller(
        controller, didChange: section.info(of: self), atSectionIndex: place, for: .insert)
    }
    call(delegate, others, .delete)
    call(delegate, changes.insertions, .insert)
    call(delegate, changes.moves, .move)
    call(delegate, changes.updates, .update)
    delegate.controllerDidChangeContent(controller)
  }

  private func call(
    _ delegate: any NSFetchedResultsControllerDelegate, _ changes: [ResultsChanges.Change],
    _ type: NSFetchedResultsChangeType
  ) {
    for change in changes {
      delegate.controller(
        shown, didChange: change.row.object, at: change.oldPath, for: type,
        newIndexPath: change.newPath)
    }
  }

  /// Reports rows whose objects received a new id since the last report, to the delegate and to the
  /// sequences that identify objects by id.
  func announceNewIDs() {
    let renamed = unsaved.filter { !$0.object.currentID.isTemporaryID }
    if renamed.isEmpty { return }
    unsaved.removeAll { !$0.object.currentID.isTemporaryID }
    if !listeners.isEmpty { listeners.offer(snapshot()) }
    if let delegate {
      findForm(of: delegate)
      switch form {
      case .snapshots: send(snapshot(), to: delegate)
      case .differences: sendNewIDs(of: renamed, to: delegate)
      case .calls: break
      }
    }
    for row in renamed { row.temporaryID = nil }
  }

  private func sendNewIDs(
    of renamed: [ResultRow], to delegate: any NSFetchedResultsControllerDelegate
  ) {
    guard let query else { return }
    var changes = ResultsChanges()
    changes.updates = renamed.compactMap { row in
      guard let index = row.section?.index(of: row, by: query) else { return nil }
      let place = ResultsEdit.Place(section: 0, item: index)
      return .init(row: row, old: place, new: place)
    }
    if let difference = changes.difference { send(difference, to: delegate) }
  }
}
