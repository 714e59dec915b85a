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
