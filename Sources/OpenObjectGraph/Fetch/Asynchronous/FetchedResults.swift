/// The objects that a fetch found, loaded batch by batch when they are asked for.
///
/// Holds 16 bytes for each row, and the objects of the last two batches; others live as long as anything else
/// uses them. So a result of any size can be shown or walked through in bounded memory:
///
/// ```swift
/// let posts = try context.fetchLazily(request)
/// for post in posts { print(post.title) }
/// ```
///
/// Which rows there are, and their order, is what the fetch found; the objects show what they hold now.
/// Relationships to prefetch are read with each batch. A batch that cannot be read consists of faults.
///
/// An addition.
///
/// > Concurrency: Confined to the context's queue. Copies share the loaded batches.
public struct FetchedResults<Element: NSManagedObject>: RandomAccessCollection {
  private let batches: FetchedBatches

  init(_ batches: FetchedBatches) { self.batches = batches }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { batches.count }

  /// How many rows are read at once.
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
  public func objectID(at position: Int) -> NSManagedObjectID {
    check(position)
    return batches.objectID(at: position)
  }

  /// Lets go of the loaded objects; they are loaded again when they are asked for.
  public func releaseObjects() { batches.releaseObjects() }

  private func check(_ position: Int) {
    precondition(
      indices.contains(position), "The position is outside of the fetched results.")
  }
}

extension NSManagedObjectContext {
  /// Fetches ids now, and the objects batch by batch when they are asked for.
  ///
  /// A batch has as many rows as the request's `fetchBatchSize` says, 500 when it is 0, and never more than
  /// 1,000. Unsaved changes count as in `fetch(_:)`.
  ///
  /// An addition; Apple's framework gives such arrays to Objective-C only.
  ///
  /// - Parameter request: A request for objects.
  /// - Returns: The results, with one statement done.
  /// - Throws: As `fetch(_:)`.
  /// > Concurrency: On the context's queue.
  public func fetchLazily<Object: NSManagedObject>(
    _ request: NSFetchRequest<Object>
  ) throws -> FetchedResults<Object> {
    FetchedResults(try FetchedBatches(of: request, in: self))
  }
}
