/// The types of queue on which a context runs its blocks.
///
/// > Reference: Apple, NSManagedObjectContextConcurrencyType.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// No queue: blocks run on the calling thread; the type is deprecated on Apple platforms.
  case confinementConcurrencyType = 0
  /// A private queue.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The type of queue on which a context runs its blocks.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    /// The number that identifies the type of queue.
    public let rawValue: Int

    /// Creates a type of queue from a number: 2 for the main queue, any other number for a private
    /// queue.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A private queue.
    public static let privateQueue = ConcurrencyType(rawValue: 1)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: 2)

    var value: NSManagedObjectContextConcurrencyType {
      self == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
    }
  }

  /// Creates a context with the given type of queue.
  ///
  /// Set a coordinator or a parent before you use the context.
  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type.value)
  }
}
