public import OpenPredicates

/// The rule by which a store computes the values of a derived attribute.
///
/// > Reference: Apple, NSDerivedAttributeDescription, derivationExpression.
public enum Derivation: Sendable, Hashable {
  /// The value of the attribute at the end of a key path, which may contain to-one relationships.
  case value([String])
  /// The result of a text function for the string attribute at the end of a key path.
  case text(TextFunction, [String])
  /// The number of destinations of the to-many relationship with the given name.
  case count(String)
  /// The sum of an attribute over the destinations of the to-many relationship with the given name.
  case sum(String, attribute: String)
  /// The time of the save that writes the object.
  case now

  /// A function that transforms a string.
  public enum TextFunction: String, Sendable, Hashable {
    /// Returns the string in lowercase and without diacritics.
    case canonical = "canonical:"
    /// Returns the string in uppercase.
    case uppercase = "uppercase:"
    /// Returns the string in lowercase.
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
    // A collection operator may also be the last step: `pages.words.@sum`.
    let path = Array(steps[..<place] + steps[(place + 1)...])
    switch (steps[place], place, path.count) {
    case ("@count", 1, 1): self = .count(steps[0])
    case ("@sum", 1, 2), ("@sum", 2, 2): self = .sum(steps[0], attribute: path[1])
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

// MARK: Key paths

extension Derivation {
  /// The maximum number of steps in the key path of a derivation.
  package static let longestPath = 16

  /// Returns whether the key path of an attribute's derivation leads to a stored attribute.
  func isResolvable(
    for attribute: NSDerivedAttributeDescription, of entity: NSEntityDescription
  ) -> Bool {
    switch self {
    case .now: true
    case .value(let steps), .text(_, let steps):
      steps.count <= Self.longestPath && steps != [attribute.name]
        && entity.hasColumn(at: steps[...])
    case .count(let name): entity.members(of: name) != nil
    case .sum(let name, let summand):
      entity.members(of: name).map { $0.hasColumn(at: [summand]) } ?? false
    }
  }
}

extension NSEntityDescription {
  /// Returns the destination of a to-many relationship; nil if there is no such relationship.
  fileprivate func members(of name: String) -> NSEntityDescription? {
    guard let relationship = propertiesByName[name] as? NSRelationshipDescription,
      relationship.isToMany
    else { return nil }
    return relationship.destinationEntity
  }

  /// Returns whether a key path leads through to-one relationships to an attribute with a column.
  fileprivate func hasColumn(at steps: ArraySlice<String>) -> Bool {
    let properties = propertiesByName
    if steps.count > 1, let step = steps.first,
      let relationship = properties[step] as? NSRelationshipDescription
    {
      guard relationship.hasColumn, let destination = relationship.destinationEntity else {
        return false
      }
      return destination.hasColumn(at: steps.dropFirst())
    }
    // The name of an element of a composite attribute is a path.
    let name = steps.joined(separator: ".")
    if let property = properties[name] {
      return property is NSAttributeDescription && property.hasColumn
    }
    guard steps.count > 1, let step = steps.first,
      let composite = properties[step] as? NSCompositeAttributeDescription, !composite.isTransient
    else { return false }
    return composite.leaves.contains { $0.path == name && $0.attribute.hasColumn }
  }
}

extension NSPropertyDescription {
  fileprivate var hasColumn: Bool {
    if isTransient { return false }
    if let relationship = self as? NSRelationshipDescription { return !relationship.isToMany }
    return self is NSAttributeDescription && !(self is NSCompositeAttributeDescription)
  }
}
