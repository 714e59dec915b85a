public import OpenPredicates

/// The rule by which a store computes the values of a derived attribute.
///
/// > Reference: Apple, NSDerivedAttributeDescription, derivationExpression.
public enum Derivation: Sendable, Hashable {
  /// The value of the attribute at the end of a key path, which may lead through to-one
  /// relationships.
  case value([String])
  /// The result of a text function for the string attribute at the end of a key path.
  case text(TextFunction, [String])
  /// The number of destinations of a to-many relationship.
  case count(String)
  /// The sum of an attribute over the destinations of a to-many relationship.
  case sum(String, attribute: String)
  /// The time of the save that writes the object.
  case now

  /// A function that transforms a string.
  public enum TextFunction: String, Sendable, Hashable {
    case canonical = "canonical:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
  }

  /// Creates the derivation that computes the given expression; nil if stores cannot compute the
  /// expression.
  public init?(_ node: ExpressionNode) {
    switch node {
    case .keyPath(let steps): self.init(steps: steps)
    case .function("now", let operands) where operands.isEmpty: self = .now
    case .function(let name, let operands):
      guard operands.count == 1, case .keyPath(let steps) = operands[0] else { return nil }
      self.init(function: name, steps: steps)
    default: return nil
    }
  }

  private init?(steps: [String]) {
    guard let place = steps.firstIndex(where: { $0.hasPrefix("@") }) else {
      self = .value(steps)
      return
    }
    guard place == 1 else { return nil }
    switch (steps[1], steps.count) {
    case ("@count", 2): self = .count(steps[0])
    case ("@sum", 3): self = .sum(steps[0], attribute: steps[2])
    default: return nil
    }
  }

  private init?(function name: String, steps: [String]) {
    if let function = TextFunction(rawValue: name) {
      self = .text(function, steps)
    } else if name == "count:", steps.count == 1 {
      self = .count(steps[0])
    } else if name == "sum:", steps.count == 2 {
      self = .sum(steps[0], attribute: steps[1])
    } else {
      return nil
    }
  }
}
