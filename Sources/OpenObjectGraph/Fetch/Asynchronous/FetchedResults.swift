/// The objects of a fetch, loaded in batches when they are accessed.
///
/// The collection uses 16 bytes for each row, and retains the objects of the last two batches. A result of any size
/// can therefore be displayed or iterated in bounded memory:
///
/// ```swift
/// let posts = try context.fetchLazily(request)
/// for post in posts { print(post.title) }
/// ```
///
/// The rows and their order are those of the fetch; the objects have their current values. Prefetched relationships
/// are read with each batch. A batch that cannot be read consists of faults.
///
/// An addition to Apple's API.
///
/// > Concurrency: Confined to the context's queue. Copies share the loaded batches.
public struct FetchedResults<Element: NSManagedObject>: RandomAccessCollection {
  private let batches: FetchedBatches

  init(_ batches: FetchedBatches) { self.batches = batches }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { batches.count }

  /// The number of rows that are read together.
  public var batchSize: Int { batches.batchSize }

  /// The object at a position.
  ///
  /// - Parameter position: At least 0 and less than `endIndex`.
  /// - Complexity: O(1), and one statement for a batch that is not loaded.
  public subscript(position: Int) -> Element {
    check(position)
    guard let object = batches.object(at: position) as? Element else {
      preconditionFailure("The fetch checked the classes of the entity.")
    }
    return object
  }

  /// The id of the object at a position, without loading it.
  ///
  /// - Parameter position: At least 0 and less than `endIndex`.
  /// - Returns: The id of the object at a position.
  public func objectID(at position: Int) -> NSManagedObjectID {
    check(position)
    return batches.objectID(at: position)
  }

  /// Releases the loaded objects; they are loaded again when they are accessed.
  public func releaseObjects() { batches.releaseObjects() }

  private func check(_ position: Int) {
    precondition(
      indices.contains(position), "The position is outside of the fetched results.")
  }
}

extension NSManagedObjectContext {
  /// Fetches ids immediately, and objects in batches when they are accessed.
  ///
  /// The size of a batch is the request's `fetchBatchSize`, 500 if that is 0, and never more than 1,000. Unsaved
  /// changes are included as in `fetch(_:)`.
  ///
  /// An addition; Apple's framework returns such arrays only to Objective-C.
  ///
  /// - Parameter request: A request for objects.
  /// - Returns: The results, after one statement.
  /// - Throws: The same errors as `fetch(_:)`.
  /// > Concurrency: On the context's queue.
  public func fetchLazily<Object: NSManagedObject>(
    _ request: NSFetchRequest<Object>
  ) throws -> FetchedResults<Object> {
    FetchedResults(try FetchedBatches(of: request, in: self))
  }
}
