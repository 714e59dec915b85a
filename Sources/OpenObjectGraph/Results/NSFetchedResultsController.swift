public import Foundation
internal import OpenObjectModel

/// The objects of a fetch, in order and in sections, which follow the changes of their context.
///
/// Call ``performFetch()`` once. While the controller has a delegate or a sequence of snapshots,
/// the results follow every change that the context posts: its own changes, merges, and saves of
/// child contexts. Following changes executes no fetches, unless the request has a limit or an
/// offset. Without a delegate or a sequence, the results stay as fetched.
///
/// > Concurrency: Confined to the context's queue; may be released on any thread.
/// > Reference: Apple, NSFetchedResultsController.
open class NSFetchedResultsController<ResultType>: NSObject, ResultsOwner {
  /// The request that the controller was created with. Changes to the request take effect with the
  /// next ``performFetch()``.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// The name of the file that caches the sections between launches of the program, or nil for no
  /// cache.
  public let cacheName: String?
  let tracker: ResultsTracker

  /// Creates a controller without fetching.
  ///
  /// - Parameters:
  ///   - fetchRequest: A request for objects with sort descriptors. The array of descriptors may be
  ///     empty if there are no sections.
  ///   - context: The context to fetch in and to follow.
  ///   - sectionNameKeyPath: The key path of the sections. The first sort descriptor must group the
  ///     objects by this key path.
  ///   - name: The name of the file that caches the sections between launches. With a cache, a
  ///     request with a batch size does not have to read all rows. The controller compares cached
  ///     sections with the rows, because the sections may belong to another request.
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
  /// Use this initializer where code for Apple platforms casts the controller. Both controllers
  /// have the same results and the same delegate. This is an addition to Apple's API.
  ///
  /// - Parameter other: The original controller.
  public convenience init<Other>(sharing other: NSFetchedResultsController<Other>) {
    self.init(other.tracker)
  }

  /// A text with the request, the section key path, the cache name and the number of fetched
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

  /// The context that the results are fetched in.
  open var managedObjectContext: NSManagedObjectContext { tracker.context }

  /// The key path of the sections.
  open var sectionNameKeyPath: String? { tracker.sectionNameKeyPath }

  /// The delegate; a weak reference.
  open var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { tracker.delegate }
    set { tracker.delegate = newValue }
  }

  /// Fetches the objects with the current request.
  ///
  /// A delegate that implements the snapshot method receives the content; other delegates are not
  /// called.
  ///
  /// - Throws: `CocoaError` if the request has no sort descriptors or a result type other than
  ///   objects, if the objects are not in the order of the sections, or if an object does not have
  ///   the result type. Also throws the errors of ``NSManagedObjectContext/fetch(_:)``. After an
  ///   error, the content is unchanged.
  /// - Complexity: One statement. With a batch size, checking cached sections takes one statement
  ///   for each batch in which a section begins or ends. If the cached sections are outdated, one
  ///   more statement reads all rows.
  open func performFetch() throws { try tracker.performFetch() }

  // MARK: Content

  /// The objects in order; nil before the first fetch.
  ///
  /// - Complexity: O(*n*) when it is first read after a change.
  open var fetchedObjects: [ResultType]? {
    tracker.objects?.compactMap { $0 as? ResultType }
  }

  /// Returns the object at an index path, which must exist.
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

  /// Returns the object at an index path, or nil if there is none.
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
  /// - Complexity: O(log *n*) comparisons while the controller tracks changes.
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
  /// Without a section key path, there is one unnamed section. A section that did not change is
  /// represented by the same object as before.
  open var sections: [any NSFetchedResultsSectionInfo]? {
    tracker.sections?.map { $0.info(of: tracker) }
  }

  /// The titles of the sections for an index, without duplicates.
  open var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return (tracker.sections ?? []).compactMap { tracker.indexTitle(ofSectionNamed: $0.name) }
      .filter { seen.insert($0).inserted }
  }

  /// Returns the default index title of a section: the first letter of its name, in uppercase.
  ///
  /// - Parameter sectionName: The name of the section.
  /// - Returns: The title, or nil if the name is empty.
  /// > Reference: Apple, sectionIndexTitle(forSectionName:).
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    sectionName.first.map { String($0).uppercased() }
  }

  /// Returns the index of the first section that has an index title.
  ///
  /// On Apple platforms, an unknown title raises an exception.
  ///
  /// - Parameters:
  ///   - title: A title from ``sectionIndexTitles``.
  ///   - sectionIndex: The title's index in ``sectionIndexTitles``, which is not used.
  /// - Returns: The section's index, or `NSNotFound` if the title is unknown.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let sections = tracker.sections ?? []
    return sections.firstIndex { tracker.indexTitle(ofSectionNamed: $0.name) == title }
      ?? NSNotFound
  }

  /// Deletes cached sections.
  ///
  /// - Parameter name: The name of the cache, or nil to delete all caches of the program.
  /// > Concurrency: Callable from any thread.
  /// > Reference: Apple, deleteCache(withName:).
  open class func deleteCache(withName name: String?) {
    if let name { SectionCache(named: name).remove() } else { SectionCache.removeAll() }
  }

  /// An asynchronous sequence of snapshots: the current content, then the content after each
  /// change.
  ///
  /// The first snapshot arrives after the first fetch. This is an addition to Apple's API.
  open var snapshots: FetchedResultsSequence {
    FetchedResultsSequence(
      ResultsSource(context: tracker.context) { [tracker] in tracker })
  }

  // MARK: Identity

  /// Returns whether another object is a controller that shows the same results.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? any ResultsFace)?.tracker === tracker
  }

  open override var hash: Int { ObjectIdentifier(tracker).hashValue }
}

/// A controller of any result type.
protocol ResultsFace {
  var tracker: ResultsTracker { get }
}

extension NSFetchedResultsController: ResultsFace {}

extension NSFetchedResultsController {
  /// Returns whether two controllers show the same results.
  ///
  /// The operator returns true for a controller and the untyped controller that is passed to its
  /// delegate.
  public static func === <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>
  ) -> Bool {
    one.tracker === other.tracker
  }

  /// Returns whether two controllers show the same results; false if the second controller is nil.
  public static func === <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>?
  ) -> Bool {
    one.tracker === other?.tracker
  }

  /// Returns whether two controllers show different results.
  public static func !== <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>
  ) -> Bool {
    one.tracker !== other.tracker
  }

  /// Returns whether two controllers show different results; true if the second controller is nil.
  public static func !== <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>?
  ) -> Bool {
    one.tracker !== other?.tracker
  }
}
