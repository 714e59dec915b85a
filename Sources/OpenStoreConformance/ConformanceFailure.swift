/// A difference between a store's behavior and the expectation of a check.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The requirement that is not met.
  public var message: String
  /// A description of the expected value.
  public var expected: String
  /// A description of the actual value.
  public var actual: String
  /// The name of the check that failed; nil if no check threw the failure.
  public var check: String?
  /// The name of the tested store; nil if no check threw the failure.
  public var store: String?

  public init(
    _ message: String, expected: String, actual: String, check: String? = nil,
    store: String? = nil
  ) {
    self.message = message
    self.expected = expected
    self.actual = actual
    self.check = check
    self.store = store
  }

  public var description: String {
    let place = [store, check].compactMap { $0 }.joined(separator: ": ")
    let prefix = place.isEmpty ? "" : "\(place): "
    return "\(prefix)\(message)\n  expected: \(expected)\n  actual:   \(actual)"
  }
}

/// Requires that two values are equal.
func expect<Element: Equatable>(
  _ actual: Element, equals expected: Element, _ message: @autoclosure () -> String
) throws(ConformanceFailure) {
  guard actual != expected else { return }
  throw ConformanceFailure(message(), expected: "\(expected)", actual: "\(actual)")
}

/// Requires that a condition is true.
func expect(
  _ claim: Bool, _ message: @autoclosure () -> String
) throws(ConformanceFailure) {
  try expect(claim, equals: true, message())
}

/// Requires that a value is not nil, and returns it.
func require<Wrapped>(
  _ value: Wrapped?, _ message: @autoclosure () -> String
) throws(ConformanceFailure) -> Wrapped {
  guard let value else {
    throw ConformanceFailure(message(), expected: "a value", actual: "nil")
  }
  return value
}
