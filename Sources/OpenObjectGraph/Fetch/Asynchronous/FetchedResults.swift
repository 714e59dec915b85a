/// The objects that a fetch found, loaded in batches when they are accessed.
///
/// The collection uses 16 bytes for each row. The collection retains the unsaved objects that the
/// fetch found, and the objects of the two most recently accessed batches. A program can therefore
/// display or iterate over a large result with little memory:
///
/// ```swift
/// let posts = try context.fetchLazily(request)
/// for post in posts { print(post.title) }
/// ```
///
/// The collection contains the objects that the fetch found, in the order of the fetch. Later
/// changes affect only the values of these objects, not the number or the order of the objects.
/// With each batch, the collection also prefetches the relationships that the request specifies. If
/// a batch cannot be read, the objects of the batch are faults.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Confined to the context's queue. Copies share the loaded batches.
public struct FetchedResults<Element: NSManagedObject>: RandomAccessCollection {
  private let batches: FetchedBatches

  init(_ batches: FetchedBatches) { self.batches = batches }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// The position after the last object, which equals the number of objects.
  public var endIndex: Int { batches.count }

  /// The number of objects in a batch; the rows of a batch are read together.
  public var batchSize: Int { batches.batchSize }

  /// The object at a position.
  ///
  /// - Parameter position: A position that is at least 0 and less than `endIndex`. Any other
  ///   position traps.
  /// - Complexity: O(1). If the batch of the object is not loaded, the access also executes a
  ///   statement that reads the batch.
  public subscript(position: Int) -> Element {
    check(position)
    guard let object = batches.object(at: position) as? Element else {
      preconditionFailure("The class of a fetched object is not the result type.")
    }
    return object
  }

  /// Returns the id of the object at a position, without loading the object.
  ///
  /// - Parameter position: A position that is at least 0 and less than `endIndex`. Any other
  ///   position traps.
  /// - Returns: The id.
  public func objectID(at position: Int) -> NSManagedObjectID {
    check(position)
    return batches.objectID(at: position)
  }

  /// Releases the loaded objects, which are loaded again when they are accessed.
  public func releaseObjects() { batches.releaseObjects() }

  private func check(_ position: Int) {
    precondition(
      indices.contains(position), "The position is outside the fetched results.")
  }
}

extension NSManagedObjectContext {
  /// Fetches the ids of objects immediately, and loads the objects in batches when they are
  /// accessed.
  ///
  /// The size of a batch is the request's `fetchBatchSize`, or 500 if the `fetchBatchSize` is less
  /// than 1, but never more than 1,000. Unsaved changes are included as in `fetch(_:)`.
  ///
  /// Apple's framework returns such lazily loaded arrays only to Objective-C code.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter request: A request for objects.
  /// - Returns: The results. Only the ids have been read.
  /// - Throws: The same errors as `fetch(_:)`; `CocoaError` 134060 if the request is not for
  ///   objects.
  /// > Concurrency: Call on the context's queue.
  public func fetchLazily<Object: NSManagedObject>(
    _ request: NSFetchRequest<Object>
  ) throws -> FetchedResults<Object> {
    FetchedResults(try FetchedBatches(of: request, in: self))
  }
}
