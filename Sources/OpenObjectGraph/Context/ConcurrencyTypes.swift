/// The kinds of queue on which a context does its work.
///
/// > Reference: Apple, NSManagedObjectContextConcurrencyType.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// No queue: the context's work runs on the calling thread. This kind is deprecated on Apple platforms.
  case confinementConcurrencyType = 0
  /// A private queue.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The kind of queue on which a context does its work.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    /// The number of the kind of queue.
    public let rawValue: Int

    /// Creates a kind of queue from its number: 1 for a private queue, 2 for the main queue.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A private queue.
    public static let privateQueue = ConcurrencyType(rawValue: 1)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: 2)

    var value: NSManagedObjectContextConcurrencyType {
      self == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
    }
  }

  /// Creates a context with the given kind of queue. Set its coordinator or its parent before you use it.
  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type.value)
  }
}
