public import Foundation
internal import OpenObjectModel

/// A controller that fetches objects in order and in sections, and updates the results when the
/// context changes.
///
/// Call ``performFetch()`` once. While the controller has a delegate or an iteration of
/// ``snapshots`` is running, the controller updates the results each time the context posts
/// `NSManagedObjectContextObjectsDidChange`. The context posts this notification after changes by
/// the program, after merges, and after saves of child contexts. The updates execute fetches only
/// if the request has a limit or an offset. Without a delegate or an iteration, the results remain
/// those of the last fetch.
///
/// > Concurrency: Confined to the context's queue. The controller may be released on any thread.
/// > Reference: Apple, NSFetchedResultsController.
open class NSFetchedResultsController<ResultType>: NSObject, ResultsOwner {
  /// The request of the controller; changes to the request take effect with the next call to
  /// ``performFetch()``.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// The name of the cache that keeps the sections in a file between launches of the program; nil
  /// if there is no cache.
  public let cacheName: String?
  let tracker: ResultsTracker

  /// Creates a controller without fetching.
  ///
  /// - Parameters:
  ///   - fetchRequest: A request that fetches managed objects and has sort descriptors. The array
  ///     of descriptors may be empty if there are no sections.
  ///   - context: The context in which to fetch. The controller observes changes in this context.
  ///   - sectionNameKeyPath: The key path of the section names, or nil for no sections. The first
  ///     sort descriptor must group the objects by this key path.
  ///   - name: The name of a cache that keeps the sections in a file between launches of the
  ///     program, or nil for no cache. With a cache, a request with a batch size does not have to
  ///     read all rows. The controller checks cached sections against the rows, because the
  ///     sections may be outdated or belong to another request.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    self.fetchRequest = fetchRequest
    cacheName = name
    tracker = ResultsTracker(
      context: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name,
      makeRequest: { NSFetchRequest<NSManagedObject>(copying: fetchRequest) })
    super.init()
    tracker.owner = self
  }

  /// Creates another controller for the results of a tracker.
  init(_ tracker: ResultsTracker) {
    fetchRequest = NSFetchRequest<ResultType>(copying: tracker.makeRequest())
    cacheName = nil
    self.tracker = tracker
    super.init()
  }

  /// Creates another controller with the same results and a different result type.
  ///
  /// Use this initializer where code for Apple platforms casts the controller. The new controller
  /// shares its results and its delegate with the original controller.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter other: The original controller.
  public convenience init<Other>(sharing other: NSFetchedResultsController<Other>) {
    self.init(other.tracker)
  }

  /// A description with the request, the section key path, the cache name and the number of fetched
  /// objects.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "fetchRequest": DebugText.Verbatim(fetchRequest.description),
        "sectionNameKeyPath": sectionNameKeyPath, "cacheName": cacheName,
        "fetchedObjects": fetchedObjects?.count,
      ])
  }

  /// The context in which the controller fetches the results.
  open var managedObjectContext: NSManagedObjectContext { tracker.context }

  /// The key path of the section names; nil if there are no sections.
  open var sectionNameKeyPath: String? { tracker.sectionNameKeyPath }

  /// The delegate that receives the changes to the results; nil by default.
  ///
  /// The controller holds a weak reference to the delegate.
  open var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { tracker.delegate }
    set { tracker.delegate = newValue }
  }

  /// Executes ``fetchRequest`` and replaces the results with the objects that the request selects.
  ///
  /// If the delegate implements `controller(_:didChangeContentWith:)` with a parameter of type
  /// ``FetchedResultsSnapshot``, the delegate receives a snapshot of the new results. A delegate
  /// without this method is not notified. Each running iteration of ``snapshots`` receives a
  /// snapshot as well.
  ///
  /// - Throws: The errors of `NSManagedObjectContext.fetch(_:)`. After an error, the results are
  ///   unchanged. Also throws `CocoaError` 134060 in the following cases:
  ///   - The request's sort descriptors are nil.
  ///   - The controller has a section key path, and the request has no sort descriptors.
  ///   - The request does not fetch managed objects.
  ///   - The section key path is invalid.
  ///   - The objects of a section are not adjacent in the results.
  /// - Complexity: One statement, as in `NSManagedObjectContext.fetch(_:)`. If the request has a
  ///   batch size and the section cache ``cacheName`` has contents, the controller checks the
  ///   cached sections. The check executes another statement for each batch in which a section
  ///   begins or ends. If the check finds that the cache is outdated, one more statement reads all
  ///   rows.
  open func performFetch() throws {
    try tracker.performFetch()
    if fetchRequest.entity == nil { fetchRequest.entity = tracker.request?.entity }
  }

  // MARK: Content

  /// The fetched objects that have the result type, in order; nil before the first fetch.
  ///
  /// - Complexity: O(*n*) in the number of objects.
  open var fetchedObjects: [ResultType]? {
    tracker.objects?.compactMap { $0 as? ResultType }
  }

  /// Returns the object at an index path.
  ///
  /// The method traps if there is no object at the index path. Use ``objectIfPresent(at:)`` if the
  /// index path may be out of range.
  ///
  /// - Parameter indexPath: The indexes of the section and of the item.
  /// - Returns: The object.
  open func object(at indexPath: IndexPath) -> ResultType {
    guard let object = objectIfPresent(at: indexPath) else {
      preconditionFailure("no object at index path \(indexPath) in the fetched results")
    }
    return object
  }

  /// Returns the object at an index path; nil if the index path is out of range, and before the
  /// first fetch.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter indexPath: The indexes of the section and of the item.
  open func objectIfPresent(at indexPath: IndexPath) -> ResultType? {
    guard indexPath.count == 2, let sections = tracker.sections,
      sections.indices.contains(indexPath.section)
    else { return nil }
    let rows = sections[indexPath.section].rows
    guard rows.indices.contains(indexPath.item) else { return nil }
    return rows[indexPath.item].object as? ResultType
  }

  /// Returns the index path of an object.
  ///
  /// - Parameter object: The object to find.
  /// - Returns: The index path, or nil if the object is not among the results.
  /// - Complexity: O(log *n*) comparisons if the sort values of the results are known; otherwise
  ///   O(*n*). The sort values are known while the controller has a delegate or an iteration of
  ///   ``snapshots`` is running, unless the request has a batch size.
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let object = object as? NSManagedObject,
      let row = tracker.rows[ObjectIdentifier(object)], let section = row.section
    else { return nil }
    let index = tracker.query.flatMap { section.index(of: row, by: $0) }
    return index.map { IndexPath(item: $0, section: section.place) }
  }

  // MARK: Sections

  /// The sections in order; nil before the first fetch.
  ///
  /// Without a section key path, there is one section with an empty name. The property returns the
  /// same object for a section until the objects of the section change.
  open var sections: [any NSFetchedResultsSectionInfo]? {
    tracker.sections?.map { $0.info(of: tracker) }
  }

  /// The index titles of the sections, in order and without duplicates; empty before the first
  /// fetch.
  open var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return (tracker.sections ?? []).compactMap { tracker.indexTitle(ofSectionNamed: $0.name) }
      .filter { seen.insert($0).inserted }
  }

  /// Returns the default index title of a section: the first character of the section's name, in
  /// uppercase.
  ///
  /// - Parameter sectionName: The name of the section.
  /// - Returns: The title, or nil if the name is empty.
  /// > Reference: Apple, sectionIndexTitle(forSectionName:).
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    sectionName.first.map { String($0).uppercased() }
  }

  /// Returns the index of the first section with a given index title.
  ///
  /// On Apple platforms, an unknown title raises an exception.
  ///
  /// - Parameters:
  ///   - title: A title from ``sectionIndexTitles``.
  ///   - sectionIndex: The title's index in ``sectionIndexTitles``; the method ignores this value.
  /// - Returns: The section's index, or `NSNotFound` if no section has the title.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let sections = tracker.sections ?? []
    return sections.firstIndex { tracker.indexTitle(ofSectionNamed: $0.name) == title }
      ?? NSNotFound
  }

  /// Deletes the files of cached sections.
  ///
  /// - Parameter name: The name of the cache, or nil to delete all caches of the program.
  /// > Concurrency: Callable from any thread.
  /// > Reference: Apple, deleteCache(withName:).
  open class func deleteCache(withName name: String?) {
    if let name { SectionCache(named: name).remove() } else { SectionCache.removeAll() }
  }

  /// An asynchronous sequence of snapshots: first of the current results, then of the results after
  /// each change.
  ///
  /// If ``performFetch()`` has not been called, an iteration waits for the first fetch.
  ///
  /// This is an addition to Apple's API.
  open var snapshots: FetchedResultsSequence {
    FetchedResultsSequence(
      ResultsSource(context: tracker.context) { [tracker] in tracker })
  }

  // MARK: Identity

  /// Returns whether another object is a controller that shares its results with this controller.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? any ResultsFace)?.tracker === tracker
  }

  /// A hash value; controllers that share their results have equal hash values.
  open override var hash: Int { ObjectIdentifier(tracker).hashValue }
}

/// A fetched results controller of any result type.
protocol ResultsFace {
  var tracker: ResultsTracker { get }
}

extension NSFetchedResultsController: ResultsFace {}

extension NSFetchedResultsController {
  /// Returns whether two controllers share their results.
  ///
  /// The operator returns true for your controller and the
  /// `NSFetchedResultsController<any NSFetchRequestResult>` that its delegate receives, and false
  /// for two controllers that fetch the same objects separately.
  public static func === <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>
  ) -> Bool {
    one.tracker === other.tracker
  }

  /// Returns whether two controllers share their results; false if the second controller is nil.
  public static func === <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>?
  ) -> Bool {
    one.tracker === other?.tracker
  }

  /// Returns whether two controllers do not share their results.
  public static func !== <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>
  ) -> Bool {
    one.tracker !== other.tracker
  }

  /// Returns whether two controllers do not share their results; true if the second controller is
  /// nil.
  public static func !== <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>?
  ) -> Bool {
    one.tracker !== other?.tracker
  }
}
