public import Foundation
public import OpenObjectModel
internal import OpenPredicates

/// A request that a coordinator sends to its stores.
///
/// > Reference: Apple, NSPersistentStoreRequest.
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The stores that execute the request; all stores of the coordinator if nil or empty.
  @exclusivity(unchecked) open var affectedStores: [NSPersistentStore]?

  /// The kind of the request; a fetch unless a subclass overrides the property.
  ///
  /// > Reference: Apple, NSPersistentStoreRequest, requestType.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// Returns the request itself; subclasses such as fetch requests return a copy.
  ///
  /// - Returns: The request, or a copy of the request.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The kinds of store requests, with Apple's raw values.
///
/// > Reference: Apple, NSPersistentStoreRequestType.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// A request that fetches objects, ids, dictionaries or a count.
  case fetchRequestType = 1
  /// A request that saves changed objects.
  case saveRequestType = 2
  /// A request that inserts rows without creating objects.
  case batchInsertRequestType = 5
  /// A request that updates rows without creating objects.
  case batchUpdateRequestType = 6
  /// A request that deletes rows without creating objects.
  case batchDeleteRequestType = 7
}

/// The superclass of the results that `execute(_:)` returns.
open class NSPersistentStoreResult: NSObject {}

/// The type of the results of a fetch: objects, ids, dictionaries or a count.
///
/// > Reference: Apple, NSFetchRequestResultType.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The bit mask of the result type.
  public let rawValue: UInt

  /// Creates a result type from a bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The fetch returns managed objects.
  public static let managedObjectResultType: NSFetchRequestResultType = []
  /// The fetch returns object ids.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// The fetch returns dictionaries of property values by name.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// The fetch returns one number, the number of matching objects.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// A description of the objects to fetch, their order, and the amount of data to load.
///
/// > Concurrency: Confined to one thread at a time. Swift does not check the properties for
/// > overlapping access. A context copies the properties when it executes the request.
/// > Reference: Apple, NSFetchRequest.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The entity to fetch; alternatively, pass the name of the entity to the initializer.
  ///
  /// Setting an entity also changes ``entityName``. If the property is nil, a context sets the
  /// property when it executes the request.
  @exclusivity(unchecked) open var entity: NSEntityDescription? {
    didSet { if let new = entity?.name { name = new } }
  }
  @exclusivity(unchecked) private var name: String?
  /// The condition that fetched objects satisfy; nil fetches all objects of the entity.
  @exclusivity(unchecked) open var predicate: NSPredicate?
  /// The order of the result; if nil or empty, the order is unspecified.
  @exclusivity(unchecked) open var sortDescriptors: [NSSortDescriptor]?
  /// The maximum number of results. If the value is 0 (the default) or negative, there is no limit.
  @exclusivity(unchecked) open var fetchLimit = 0
  /// The number of results to skip at the start. If the value is 0 (the default) or negative, no
  /// results are skipped.
  @exclusivity(unchecked) open var fetchOffset = 0
  /// The number of objects whose rows are read together when one of the objects is accessed. If the
  /// value is 0 (the default) or negative, the fetch reads all rows at once.
  ///
  /// `fetch(_:)` ignores the batch size if the request prefetches relationships, refreshes objects,
  /// does not return faults, or tests a part of its predicate in memory.
  @exclusivity(unchecked) open var fetchBatchSize = 0
  /// Whether the result contains objects, ids, dictionaries or a count; objects by default.
  @exclusivity(unchecked) open var resultType: NSFetchRequestResultType = .managedObjectResultType
  /// Whether the result includes objects of subentities; true by default.
  @exclusivity(unchecked) open var includesSubentities = true
  /// Whether the fetch reads the objects' values in addition to their ids; true by default.
  @exclusivity(unchecked) open var includesPropertyValues = true
  /// Whether the result reflects the context's unsaved changes; true by default.
  ///
  /// If the value is false, stored values determine the result and its order. The fetched objects
  /// still have their unsaved values. If the context has unsaved changes, conditions and
  /// comparators that run in memory receive copies of the objects with the stored values (D-425).
  /// An `NSAsynchronousFetchRequest` always ignores the context's unsaved changes (D-052).
  @exclusivity(unchecked) open var includesPendingChanges = true
  /// Whether the fetch returns faults, even for objects whose rows were read; true by default.
  @exclusivity(unchecked) open var returnsObjectsAsFaults = true
  /// The key paths of relationships whose destinations are prefetched, such as `author.books`; nil
  /// for no prefetching. A fetch with a step that is not a relationship throws `CocoaError` 134060.
  @exclusivity(unchecked) open var relationshipKeyPathsForPrefetching: [String]?
  /// Whether the fetch replaces the saved values of registered objects with the fetched values;
  /// false by default. The objects keep their unsaved changes.
  @exclusivity(unchecked) open var shouldRefreshRefetchedObjects = false
  /// Whether the result contains equal dictionaries only once; false by default.
  @exclusivity(unchecked) open var returnsDistinctResults = false
  @exclusivity(unchecked) private var fetchedProperties: [Any]?
  @exclusivity(unchecked) private var groupingProperties: [Any]?
  /// The columns of dictionary results: names, key paths, or descriptions of attributes, to-one
  /// relationships and expressions; nil for all attributes.
  ///
  /// If ``entity`` is set, the getter returns property descriptions in place of names. Executing a
  /// request for dictionaries throws `CocoaError` 134060 if the array is empty, or if an element
  /// has another type, an empty name, or a name that the model does not have.
  ///
  /// > Reference: Apple, NSFetchRequest, propertiesToFetch.
  open var propertiesToFetch: [Any]? {
    get { described(fetchedProperties) }
    set { fetchedProperties = newValue }
  }
  /// The properties by which rows are grouped; nil for no grouping.
  ///
  /// The elements have the same types as those of ``propertiesToFetch``. Executing a request with
  /// groups throws `CocoaError` 134060 if the request does not fetch dictionaries, or if the fetch
  /// searches several stores.
  open var propertiesToGroupBy: [Any]? {
    get { described(groupingProperties) }
    set { groupingProperties = newValue }
  }
  /// The condition that the groups in the result satisfy; nil for no condition.
  ///
  /// The condition may refer to an expression description by its name, as a key or as a variable.
  /// Executing a request with this condition but without ``propertiesToGroupBy`` throws
  /// `CocoaError` 134060.
  @exclusivity(unchecked) open var havingPredicate: NSPredicate?
  /// Whether parts of the request that no store can evaluate, such as block predicates, are
  /// evaluated in memory; true by default.
  ///
  /// If false, executing a request with such parts throws `CocoaError` 134060. On Apple platforms,
  /// such a request raises an exception.
  ///
  /// This is an addition to Apple's API.
  @exclusivity(unchecked) open var allowsEvaluationInMemory = true

  /// Creates a request without an entity; set ``entity`` before you execute the request. Otherwise,
  /// executing the request throws `CocoaError` 134060.
  public override init() { super.init() }

  /// Creates a request for the objects of an entity.
  ///
  /// - Parameter entityName: The name of the entity. If the model of the context has no such
  ///   entity, executing the request throws `CocoaError` 134060.
  public convenience init(entityName: String) {
    self.init()
    name = entityName
  }

  /// A description of the request's entity, predicate, order and limits.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "entity": entityName.map(DebugText.Verbatim.init),
        "predicate": predicate.map { DebugText.Verbatim($0.canonicalFormat) },
        "sortDescriptors": sortDescriptors?.map { $0.debugText },
        "fetchLimit": fetchLimit == 0 ? nil : fetchLimit,
        "fetchOffset": fetchOffset == 0 ? nil : fetchOffset,
      ])
  }

  /// The name of the entity to fetch; nil if the request has no entity.
  open var entityName: String? { name ?? entity?.name }

  /// Executes the request in the context whose block is running.
  ///
  /// Call this method only inside `perform` or `performAndWait`.
  ///
  /// - Returns: The results.
  /// - Throws: The same errors as `fetch(_:)`; `CocoaError` 134060 if no block of a context is
  ///   running.
  /// > Reference: Apple, execute().
  open func execute() throws -> [ResultType] { try results() }

  /// Returns a copy of the request.
  ///
  /// The copy shares the predicate and the sort descriptors with the request.
  ///
  /// - Returns: The copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    NSFetchRequest<ResultType>(copying: self)
  }

  /// Returns properties with the entity's descriptions in place of names.
  private func described(_ properties: [Any]?) -> [Any]? {
    guard let properties, let known = entity?.propertiesByName else { return properties }
    return properties.map { ($0 as? String).flatMap { known[$0] } ?? $0 }
  }

  func adoptName<Other>(of request: NSFetchRequest<Other>) { name = request.entityName }

  /// The part of the result to return.
  var window: FetchWindow { FetchWindow(limit: fetchLimit, offset: fetchOffset) }
}

/// The part of a sorted result to return.
struct FetchWindow {
  var limit: Int
  var offset: Int

  /// The whole result.
  static let whole = FetchWindow(limit: 0, offset: 0)

  var isWhole: Bool { limit <= 0 && offset <= 0 }

  /// Returns the elements that are inside the window.
  func apply<Element>(_ elements: [Element]) -> [Element] {
    if isWhole { return elements }
    let start = min(max(0, offset), elements.count)
    let end = limit > 0 ? start + min(limit, elements.count - start) : elements.count
    return Array(elements[start..<end])
  }

  /// Returns how many of a number of elements are inside the window.
  func count(of total: Int) -> Int {
    let rest = max(0, total - max(0, offset))
    return limit > 0 ? min(limit, rest) : rest
  }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  /// Returns a typed request for the objects of this class's entity.
  ///
  /// Use this method for classes without a generated `fetchRequest()`. The call needs an explicit
  /// type:
  ///
  /// ```swift
  /// let request: NSFetchRequest<Book> = Book.fetchRequest()
  /// ```
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Returns: A request for the entity.
  @_disfavoredOverload
  public static func fetchRequest() -> NSFetchRequest<Self> {
    NSFetchRequest<Self>(entityName: ClassLookup.entityName(of: Self.self))
  }
}
