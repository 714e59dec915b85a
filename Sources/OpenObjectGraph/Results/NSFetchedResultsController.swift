public import Foundation
internal import OpenObjectModel

/// The objects of a fetch, in order and in sections, which follow their context's changes.
///
/// Fetch once with ``performFetch()``. While there is a delegate, or a sequence of snapshots, the results follow
/// every change that the context posts: its own changes, merges, and saves of children. This fetches nothing, unless
/// the request has a limit or an offset. Without a delegate or a sequence, the results stay as fetched.
///
/// > Concurrency: Confined to the context's queue; may be released on any thread.
/// > Reference: Apple, NSFetchedResultsController.
open class NSFetchedResultsController<ResultType>: NSObject, ResultsOwner {
  /// The request that the controller was created with; changes to it take effect with the next ``performFetch()``.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// The name of the file that caches the sections between runs of the program; nil for none.
  public let cacheName: String?
  let tracker: ResultsTracker

  /// Creates a controller without fetching.
  ///
  /// - Parameters:
  ///   - fetchRequest: A request for objects with sort descriptors; they may be empty when there are no sections.
  ///   - context: The context to fetch in and to follow.
  ///   - sectionNameKeyPath: The key path of the sections; the first sort descriptor must group by it.
  ///   - name: The name of a cache of the sections between runs, so a request with a batch size need not read all
  ///     rows. Cached sections are compared with the rows; they may belong to another request.
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

  /// Makes another face of a controller's results.
  init(_ tracker: ResultsTracker) {
    fetchRequest = NSFetchRequest<ResultType>(copying: tracker.makeRequest())
    cacheName = nil
    self.tracker = tracker
    super.init()
  }

  /// Creates another controller with the same results and a different result type.
  ///
  /// An addition, used where code for Apple platforms casts. Both controllers have the same results and the same
  /// delegate.
  ///
  /// - Parameter other: The original controller.
  public convenience init<Other>(sharing other: NSFetchedResultsController<Other>) {
    self.init(other.tracker)
  }

  /// The request and the number of fetched objects.
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

  /// Fetches again, with the current request.
  ///
  /// A snapshot delegate receives the content; other delegates are not called.
  ///
  /// - Throws: `CocoaError` for a request without sort descriptors or with another result type than objects, if the
  ///   objects are not in the order of the sections, or if an object is not of the result type; also the same errors
  ///   as ``NSManagedObjectContext/fetch(_:)``. The content is then unchanged.
  /// - Complexity: One statement. With a batch size, checking cached sections takes one statement for each batch in
  ///   which a section begins or ends; if they are outdated, another one for all rows.
  open func performFetch() throws { try tracker.performFetch() }

  // MARK: Content

  /// The objects in order; nil before the first fetch.
  ///
  /// - Complexity: O(*n*) when it is first read after a change.
  open var fetchedObjects: [ResultType]? {
    tracker.objects?.compactMap { $0 as? ResultType }
  }

  /// The object at an existing index path; see ``objectIfPresent(at:)``.
  ///
  /// - Parameter indexPath: Section and item.
  /// - Returns: The object.
  open func object(at indexPath: IndexPath) -> ResultType {
    guard let object = objectIfPresent(at: indexPath) else {
      preconditionFailure("no object at index path \(indexPath) in the fetched results")
    }
    return object
  }

  /// The object at an index path; nil if there is none.
  ///
  /// An addition to Apple's API; Apple's framework raises an exception.
  ///
  /// - Parameter indexPath: Section and item.
  /// - Returns: The object at an index path; nil if there is none.
  open func objectIfPresent(at indexPath: IndexPath) -> ResultType? {
    guard indexPath.count == 2, let sections = tracker.sections,
      sections.indices.contains(indexPath.section)
    else { return nil }
    let rows = sections[indexPath.section].rows
    guard rows.indices.contains(indexPath.item) else { return nil }
    return rows[indexPath.item].object as? ResultType
  }

  /// The index path of an object; nil if it is not among the results.
  ///
  /// - Returns: The index path of an object; nil if it is not among the results.
  /// - Complexity: O(log *n*) comparisons while the controller tracks changes.
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let object = object as? NSManagedObject,
      let row = tracker.rows[ObjectIdentifier(object)], let section = row.section
    else { return nil }
    let index = tracker.query.flatMap { section.index(of: row, by: $0) }
    return index.map { IndexPath(item: $0, section: section.place) }
  }

  // MARK: Sections

  /// The sections in order; nil before the first fetch. Without a section key path, there is one unnamed section.
  ///
  /// A section that did not change is the same object as before.
  open var sections: [any NSFetchedResultsSectionInfo]? {
    tracker.sections?.map { $0.info(of: tracker) }
  }

  /// The titles of the sections for an index, each once.
  open var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return (tracker.sections ?? []).compactMap { tracker.indexTitle(ofSectionNamed: $0.name) }
      .filter { seen.insert($0).inserted }
  }

  /// The default index title of a section: its first letter in uppercase.
  ///
  /// - Returns: The title; nil for an empty section name.
  /// > Reference: Apple, sectionIndexTitle(forSectionName:).
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    sectionName.first.map { String($0).uppercased() }
  }

  /// The first section that has an index title.
  ///
  /// - Parameters:
  ///   - title: A title among ``sectionIndexTitles``.
  ///   - sectionIndex: The title's index there.
  /// - Returns: The section's index; `NSNotFound` for an unknown title, for which Apple's framework raises an exception.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let sections = tracker.sections ?? []
    return sections.firstIndex { tracker.indexTitle(ofSectionNamed: $0.name) == title }
      ?? NSNotFound
  }

  /// Deletes cached sections.
  ///
  /// - Parameter name: The name of the cache; nil for all caches of the program.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, deleteCache(withName:).
  open class func deleteCache(withName name: String?) {
    if let name { SectionCache(named: name).remove() } else { SectionCache.removeAll() }
  }

  /// An asynchronous sequence of the current content and a snapshot after each change.
  ///
  /// The first snapshot arrives after the first fetch. An addition to Apple's API.
  open var snapshots: FetchedResultsSequence {
    FetchedResultsSequence(
      ResultsSource(context: tracker.context) { [tracker] in tracker })
  }

  // MARK: Identity

  /// Whether the other object is a controller that shows the same results.
  ///
  /// - Returns: `true` if the other object is a controller that shows the same results.
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
  /// Whether two controllers show the same results, as a controller and the one passed to its delegate do.
  ///
  /// - Returns: `true` if two controllers show the same results.
  public static func === <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>
  ) -> Bool {
    one.tracker === other.tracker
  }

  /// Whether two controllers show the same results; nil shows none.
  ///
  /// - Returns: `true` if two controllers show the same results.
  public static func === <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>?
  ) -> Bool {
    one.tracker === other?.tracker
  }

  /// Whether two controllers are different objects.
  ///
  /// - Returns: `true` if two controllers are different objects.
  public static func !== <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>
  ) -> Bool {
    one.tracker !== other.tracker
  }

  /// Whether two controllers show different results; nil shows none.
  ///
  /// - Returns: `true` if two controllers are different objects.
  public static func !== <Other>(
    one: NSFetchedResultsController<ResultType>, other: NSFetchedResultsController<Other>?
  ) -> Bool {
    one.tracker !== other?.tracker
  }
}
