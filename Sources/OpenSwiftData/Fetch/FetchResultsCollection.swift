internal import OpenObjectGraph

/// The results of a batched fetch, or the results of a ``ResultsObserver``.
///
/// During iteration, the collection reads the results of a batched fetch one batch at a time.
///
/// > Concurrency: Confined to the actor or task of the context that created the collection.
/// > Reference: Apple, FetchResultsCollection.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  private enum Storage {
    case batches(Batches)
    case elements([Element])
  }

  /// The results of a fetch in batches.
  private final class Batches {
    let ids: [NSManagedObjectID]
    let size: Int
    let context: ModelContext
    let read: (ModelContext, ArraySlice<NSManagedObjectID>) -> [Element]
    /// The last batch that was read, with the index of its first element.
    private var batch: (start: Int, elements: [Element])?

    init(
      _ ids: [NSManagedObjectID], _ size: Int, _ context: ModelContext,
      _ read: @escaping (ModelContext, ArraySlice<NSManagedObjectID>) -> [Element]
    ) {
      self.ids = ids
      self.size = Swift.max(1, size)
      self.context = context
      self.read = read
    }

    func element(at index: Int) -> Element {
      let start = index / size * size
      if let batch, batch.start == start { return batch.elements[index - start] }
      let slice = ids[start..<Swift.min(start + size, ids.count)]
      let elements = read(context, slice)
      batch = (start, elements)
      return elements[index - start]
    }
  }

  private let storage: Storage

  init(
    _ ids: [NSManagedObjectID], batchSize: Int, in context: ModelContext,
    _ read: @escaping (ModelContext, ArraySlice<NSManagedObjectID>) -> [Element]
  ) {
    storage = .batches(Batches(ids, batchSize, context, read))
  }

  init(_ elements: [Element]) { storage = .elements(elements) }

  /// The elements of an observer's results; `nil` for results that are read in batches.
  var loadedElements: [Element]? {
    if case .elements(let elements) = storage { elements } else { nil }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int {
    switch storage {
    case .batches(let batches): batches.ids.count
    case .elements(let elements): elements.count
    }
  }

  /// The element at an index.
  ///
  /// In the results of a batched fetch, the collection keeps only the last batch in memory. If the
  /// element is in another batch, the subscript reads that batch. If this read fails, the next save
  /// of the context throws the error.
  ///
  /// - Parameter index: The index of the element. An index outside the collection stops the
  ///   program.
  public subscript(index: Int) -> Element {
    switch storage {
    case .batches(let batches): batches.element(at: index)
    case .elements(let elements): elements[index]
    }
  }
}
