import Synchronization

/// Numbers shapes; unlike an address, a number is never reused.
enum ShapeCounter {
  private static let counter = Atomic<UInt64>(1)

  static func next() -> UInt64 { counter.add(1, ordering: .relaxed).oldValue }
}
