import Synchronization

/// Numbers shapes, so that an identity is never used twice, unlike an address.
enum ShapeCounter {
  private static let counter = Atomic<UInt64>(1)

  static func next() -> UInt64 { counter.add(1, ordering: .relaxed).oldValue }
}
