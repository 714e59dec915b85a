/// The queue a context works on.
///
/// > Reference: Apple, NSManagedObjectContextConcurrencyType.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// Deprecated on Apple; work on such a context runs on the calling thread.
  case confinementConcurrencyType = 0
  case privateQueueConcurrencyType = 1
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The kinds of context queue.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let privateQueue = ConcurrencyType(rawValue: 1)
    public static let mainQueue = ConcurrencyType(rawValue: 2)

    var value: NSManagedObjectContextConcurrencyType {
      self == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
    }
  }

  /// Creates a context without stores.
  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type.value)
  }
}
