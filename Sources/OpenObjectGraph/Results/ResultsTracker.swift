internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// The methods that a tracker calls on its controller.
protocol ResultsOwner: AnyObject {
  func sectionIndexTitle(forSectionName sectionName: String) -> String?
}

/// The sections and objects of fetched results, which are updated when the context changes.
///
/// The controllers and sequences that show the results retain the tracker. An update fetches only
/// if the request has a limit or an offset. Confined to the context's queue; the tracker may be
/// released on any thread.
final class ResultsTracker {
  let context: NSManagedObjectContext
  let sectionNameKeyPath: String?
  /// The cache that keeps the sections between launches, or nil for no cache.
  private let sectionCache: SectionCache?
  /// A closure that copies the request in its current state.
  let makeRequest: () -> NSFetchRequest<NSManagedObject>
  weak var owner: (any ResultsOwner)?
  weak var untyped: NSFetchedResultsController<any NSFetchRequestResult>?
  /// The forms of change that the delegate is known to use.
  var forms = DelegateForms()
  /// The mailboxes of snapshot sequences.
  let listeners = Mailboxes<FetchedResultsSnapshot>()

  weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet {
      forms = DelegateForms()
      beginTracking()
    }
  }

  /// The request of the last fetch.
  var request: NSFetchRequest<NSManagedObject>?
  /// The query; nil before the first fetch and after the context was reset.
  var query: ResultsQuery?
  /// The sections; nil before the first fetch.
  var sections: [ResultSection]?
  // Exclusivity is not checked, because each changed object would pay for it. Invariant: no access
  // encloses another.
  @exclusivity(unchecked) var rows: [ObjectIdentifier: ResultRow] = [:]
  var sectionsByName: [ExactText: ResultSection] = [:]
  /// Announced changes that are not yet processed.
  var pending: [(changed: [NSManagedObject], occasion: Occasion)] = []
  var isFollowing = false
  /// The number of times that the entire content was replaced.
  private(set) var installations = 0
  private var nextOrdinal = 0
  /// The rows that were reported with temporary ids.
  var unsaved: [ResultRow] = []
  private var flattened: [NSManagedObject]?
  /// Whether changes were announced while there was neither a delegate nor a snapshot sequence.
  private var missedChanges = false
  private var observation: ResultsObservation?

  init(
    context: NSManagedObjectContext, sectionNameKeyPath: String?, cacheName: String? = nil,
    makeRequest: @escaping () -> NSFetchRequest<NSManagedObject>
  ) {
    self.context = context
    self.sectionNameKeyPath = sectionNameKeyPath
    sectionCache = sectionNameKeyPath == nil ? nil : cacheName.map(SectionCache.init)
    self.makeRequest = makeRequest
  }

  deinit {
    for section in sections ?? [] { section.release() }
  }

  /// Whether there is a delegate or a snapshot sequence.
  var isTracking: Bool { delegate != nil || !listeners.isEmpty }

  /// All objects in order.
  var objects: [NSManagedObject]? {
    guard let sections else { return nil }
    if let flattened { return flattened }
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(rows.count)
    for section in sections { for row in section.rows { objects.append(row.object) } }
    flattened = objects
    return objects
  }

  // MARK: Fetching

  /// Fetches the objects and replaces the content.
  func performFetch() throws {
    context.processPendingChanges()
    let request = makeRequest()
    try check(request)
    let query = try fetchKeptSections(of: request) ?? fetchWhole(request)
    self.request = request
    observation = ResultsObservation(of: self, query)
    missedChanges = false
    if isTracking { readKeys() }
    announceFetch()
  }

  /// Fetches with cached sections and reads only the batches in which sections begin and end.
  ///
  /// - Returns: The query; nil, with unchanged content, if cached sections are missing or outdated.
  private func fetchKeptSections(
    of request: NSFetchRequest<NSManagedObject>
  ) throws -> ResultsQuery? {
    guard request.fetchBatchSize > 0, let kept = sectionCache?.read() else { return nil }
    let query = try makeQuery(request)
    guard query.loadsInBatches, isSorted(request, bySectionOf: query) else { return nil }
    let objects = try context.fetch(request)
    guard objects.allSatisfy({ $0.contents == .fault }) else { return nil }
    // A row that cannot be read is read again with all others, and then the error is thrown.
    let isTrue = try? context.throwingFailedReads {
      SectionCache.isTrue(kept, of: objects, name: query.sectionKey)
    }
    guard isTrue == true else { return nil }
    var rest = objects[...]
    let sections = kept.map { kept in
      let section = ResultSection(name: kept.name)
      for object in rest.prefix(kept.count) { section.append(makeRow(object)) }
      rest = rest.dropFirst(kept.count)
      return section
    }
    install(sections, query)
    return query
  }

  /// Fetches the objects without cached sections, and reads all rows if there are sections.
  private func fetchWhole(_ request: NSFetchRequest<NSManagedObject>) throws -> ResultsQuery {
    let batchSize = request.fetchBatchSize
    if sectionNameKeyPath != nil { request.fetchBatchSize = 0 }
    let checksObjects = try !isSectionKeyPathKnown(request)
    let query = try makeQuery(request)
    let objects = try context.fetch(request)
    if checksObjects { try checkSectionKeyPath(on: objects) }
    let sections = try makeSections(objects, by: query)
    install(sections, query)
    if let sectionCache, batchSize > 0, isSorted(request, bySectionOf: query) {
      sectionCache.write(sections.map { .init(name: $0.name, count: $0.rows.count) })
    }
    return query
  }

  /// Returns whether the store sorts the rows first by the section key path.
  private func isSorted(
    _ request: NSFetchRequest<NSManagedObject>, bySectionOf query: ResultsQuery
  ) -> Bool {
    query.isOrderedByStoredValues && request.sortDescriptors?.first?.key == sectionNameKeyPath
  }

  private func makeQuery(_ request: NSFetchRequest<NSManagedObject>) throws -> ResultsQuery {
    ResultsQuery(try PreparedFetch(request, in: context), sectionNameKeyPath: sectionNameKeyPath)
  }

  private func check(_ request: NSFetchRequest<NSManagedObject>) throws {
    guard let descriptors = request.sortDescriptors,
      sectionNameKeyPath == nil || !descriptors.isEmpty
    else {
      throw CocoaError.make(
        .coreData,
        "An instance of NSFetchedResultsController requires a fetch request with sort descriptors. "
          + "If there is a section key path, the first sort descriptor must sort by section.")
    }
    guard request.resultType == .managedObjectResultType else {
      throw CocoaError.make(
        .coreData,
        "Only objects can be tracked. Set the request's resultType to .managedObjectResultType.")
    }
  }

  /// Returns whether the model knows all steps of the section key path.
  private func isSectionKeyPathKnown(_ request: NSFetchRequest<NSManagedObject>) throws -> Bool {
    guard let sectionNameKeyPath else { return true }
    return try SectionKeyPath(sectionNameKeyPath).check(in: try context.entity(of: request))
  }

  private func checkSectionKeyPath(on objects: [NSManagedObject]) throws {
    guard let path = sectionNameKeyPath.map(SectionKeyPath.init) else { return }
    for object in objects { if try path.check(on: object) { return } }
  }

  /// Returns the sections of objects that are sorted by section.
  private func makeSections(
    _ objects: [NSManagedObject], by query: ResultsQuery
  ) throws -> [ResultSection] {
    guard query.sectionNameKeyPath != nil else {
      let section = ResultSection(name: "")
      for object in objects { section.append(makeRow(object)) }
      return [section]
    }
    var sections: [ResultSection] = []
    var names: Set<ExactText> = []
    for (index, object) in objects.enumerated() {
      let name = query.sectionKey(of: object)
      if sections.last?.key != name {
        guard names.insert(name).inserted else {
          throw CocoaError.make(
            .coreData,
            "The fetched object at index \(index) has an out of order section name '\(name.text)'. "
              + "Objects must be sorted by section name. Use the first sort descriptor for this.")
        }
        sections.append(ResultSection(name: name.text))
      }
      sections.last?.append(makeRow(object))
    }
    return sections
  }

  func makeRow(_ object: NSManagedObject) -> ResultRow {
    nextOrdinal += 1
    return ResultRow(object, ordinal: nextOrdinal)
  }

  private func install(_ sections: [ResultSection], _ query: ResultsQuery?) {
    self.query = query
    for section in self.sections ?? [] { section.release() }
    self.sections = sections
    installations += 1
    pending.removeAll()
    rows.removeAll(keepingCapacity: true)
    rows.reserveCapacity(sections.reduce(0) { $0 + $1.rows.count })
    sectionsByName.removeAll(keepingCapacity: true)
    for section in sections {
      sectionsByName[section.key] = section
      for row in section.rows { rows[ObjectIdentifier(row.object)] = row }
    }
    unsaved = sections.flatMap { $0.rows.filter { $0.temporaryID != nil } }
    contentChanged()
  }

  /// Renumbers the sections and discards the cached array of all objects.
  func contentChanged() {
    for (place, section) in (sections ?? []).enumerated() { section.place = place }
    flattened = nil
  }

  /// Reads the sort values of the rows while the rows are still in the order of these values. An
  /// object whose changes will be announced may have other values already.
  private func readKeys() {
    guard let query, !query.loadsInBatches else { return }
    for row in rows.values where !row.object.flags.contains(.announced) {
      _ = row.keys(by: query)
    }
  }

  // MARK: Following

  /// Prepares the rows for updates if there is a delegate or a snapshot sequence.
  func beginTracking() {
    guard isTracking, let query, observation != nil else { return }
    if missedChanges {
      missedChanges = false
      order(anew: query)
    }
    readKeys()
  }

  /// Sorts the objects by their current values, without objects that no longer exist or match.
  private func order(anew query: ResultsQuery) {
    let kept = rows.values.sorted { $0.ordinal < $1.ordinal }.map(\.object).filter(query.matches)
    let sorted = kept.map(makeRow).sorted(by: query.precedes)
    var sections: [ResultSection] = []
    var known: [ExactText: ResultSection] = [:]
    for row in sorted {
      let name = query.sectionKey(of: row.object)
      let section = known[name] ?? ResultSection(name: name.text)
      if known.updateValue(section, forKey: name) == nil { sections.append(section) }
      section.append(row)
    }
    if sections.isEmpty, query.sectionNameKeyPath == nil { sections = [ResultSection(name: "")] }
    install(sections, query)
  }

  /// Processes a change that the context announced.
  func handleChange(_ userInfo: [AnyHashable: Any]) {
    if userInfo[NSInvalidatedAllObjectsKey] != nil { return forgetAll() }
    renewNames()
    guard let query else { return }
    guard isTracking else {
      missedChanges = true
      return
    }
    let keys = [
      NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey,
      NSDeletedObjectsKey,
    ]
    let changed = changedObjects(in: userInfo, keys, query)
    if !changed.isEmpty { follow(changed, .announced) }
  }

  /// Processes a save that the context announced: computed derived values and new permanent ids.
  func handleSave(_ userInfo: [AnyHashable: Any]) {
    renewNames()
    guard let query else { return }
    let inserted = userInfo[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
    let isConcerned = query.isConcerned(bySaveOf: inserted)
    guard isTracking else { return missedChanges = missedChanges || isConcerned }
    if isConcerned {
      let keys = [NSInsertedObjectsKey, NSUpdatedObjectsKey]
      let changed = changedObjects(in: userInfo, keys, query)
      if !changed.isEmpty { follow(changed, .saved) }
    }
    announceNewIDs()
  }

  /// Renews the query with the permanent ids of the objects that the predicate refers to.
  private func renewNames() {
    guard query?.namesUnsavedObjects == true, let request else { return }
    do {
      query?.renew(try PreparedFetch(request, in: context))
    } catch {
      GraphLog.error("The predicate of fetched results could not be updated: \(error)")
    }
  }

  /// Returns the objects that may affect the results, without duplicates and in a defined order.
  private func changedObjects(
    in userInfo: [AnyHashable: Any], _ keys: [String], _ query: ResultsQuery
  ) -> [NSManagedObject] {
    var changed: [NSManagedObject] = []
    for key in keys {
      guard let objects = userInfo[key] as? Set<NSManagedObject> else { continue }
      let knownCount = changed.count
      for object in objects where query.entityIndexes.contains(object.compiledEntity.index) {
        changed.append(object)
      }
      // Only several sets can name an object twice.
      guard knownCount > 0, changed.count > knownCount else { continue }
      let known = Set(changed.prefix(knownCount).map(ObjectIdentifier.init))
      let new = changed.dropFirst(knownCount).filter { !known.contains(ObjectIdentifier($0)) }
      changed.replaceSubrange(knownCount..., with: new)
    }
    return changed.sorted { Self.wasMade($0, before: $1) }
  }

  /// Orders saved objects by their keys, before unsaved objects in the order of their insertion.
  private static func wasMade(_ one: NSManagedObject, before other: NSManagedObject) -> Bool {
    if (one.key < 0) != (other.key < 0) { return one.key > 0 }
    return one.key < 0 ? one.key > other.key : one.key < other.key
  }

  /// Empties the results after the context was reset, until the next fetch.
  private func forgetAll() {
    guard sections != nil else { return }
    install(sectionNameKeyPath == nil ? [ResultSection(name: "")] : [], nil)
    announceReset()
  }
}

/// The observation of a tracker's context, which ends when this object is deallocated.
private final class ResultsObservation {
  // Invariant of the unchecked conformance: the tracker is used where the context posts, on its
  // queue.
  private struct WeakTracker: @unchecked Sendable {
    weak var tracker: ResultsTracker?
  }

  private let tokens: [any NSObjectProtocol]
  private let observed: [(entities: ObservedEntities, level: ObservedEntities.Level)]
  private let root: Int

  init(of tracker: ResultsTracker, _ query: ResultsQuery) {
    root = query.rootIndex
    let reference = WeakTracker(tracker: tracker)
    tokens = [
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: tracker.context, queue: nil
      ) { reference.tracker?.handleChange($0.userInfo ?? [:]) },
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: tracker.context, queue: nil
      ) { reference.tracker?.handleSave($0.userInfo ?? [:]) },
    ]
    // What a child shows reaches it through its parents, which have to let it through.
    observed = Self.observed(from: tracker.context, hasOffset: query.hasOffset)
    for (entities, level) in observed { entities.add(root: root, level) }
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
    for (entities, level) in observed { entities.remove(root: root, level) }
  }

  /// Returns the observed entities of a context and its ancestors, which must contain the root
  /// entity.
  private static func observed(
    from context: NSManagedObjectContext, hasOffset: Bool
  ) -> [(entities: ObservedEntities, level: ObservedEntities.Level)] {
    var observed = [(entities: context.observedEntities, level: ObservedEntities.Level.own)]
    if hasOffset { observed.append((context.observedEntities, .offset)) }
    var ancestor = context.parent
    while let current = ancestor {
      observed.append((current.observedEntities, .child))
      ancestor = current.parent
    }
    return observed
  }
}
