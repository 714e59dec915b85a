/// A difference between a store's behaviour and the expectation of a check.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The checked element.
  public var message: String
  public var expected: String
  public var actual: String
  /// The name of the check; nil outside one.
  public var check: String?
  /// The name of the store; nil while it is not known.
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
    return "\(prefix)\(message)\n  expected: \(expected)\n  got:      \(actual)"
  }
}

/// Requires two values to be equal.
func expect<Element: Equatable>(
  _ actual: Element, equals expected: Element, _ message: @autoclosure () -> String
) throws(ConformanceFailure) {
  guard actual != expected else { return }
  throw ConformanceFailure(message(), expected: "\(expected)", actual: "\(actual)")
}

/// Requires a claim to hold.
func expect(
  _ claim: Bool, _ message: @autoclosure () -> String
) throws(ConformanceFailure) {
  try expect(claim, equals: true, message())
}

/// Requires a value to be there.
func require<Wrapped>(
  _ value: Wrapped?, _ message: @autoclosure () -> String
) throws(ConformanceFailure) -> Wrapped {
  guard let value else {
    throw ConformanceFailure(message(), expected: "a value", actual: "nil")
  }
  return value
}
