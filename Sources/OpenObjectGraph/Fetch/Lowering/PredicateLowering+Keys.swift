internal import OpenPredicates
internal import OpenStoreContract

// Checks of expressions that only memory can evaluate. A key that the model does not have and a
// function that does not exist are errors in these expressions too.

extension PredicateLowering {
  /// Throws for unknown keys and functions in the operands of an index or of a function.
  mutating func check(_ node: ExpressionNode) throws {
    switch node {
    case .keyPath, .path:
      guard dependsOnRow(node, []) else { return }
      do {
        _ = try term(node)
      } catch is Untranslatable {
        return
      }
    case .index(let base, let index):
      try check(base)
      try check(index)
    case .first(let base), .last(let base), .size(let base): try check(base)
    case .function(let name, let operands):
      for operand in operands { try check(operand) }
      try checkFunction(name, operands)
    default: return
    }
  }

  /// Throws for a key path that starts at the result of an expression if its keys are unknown.
  ///
  /// Each part is lowered only once, because the time would otherwise double with each level.
  mutating func check(_ segments: [String], from base: ExpressionNode) throws {
    switch base {
    case .index(let collection, .constant(.int)), .first(let collection), .last(let collection):
      guard let destinations = try members(of: collection) else { return }
      do {
        let keys = Array(segments.prefix { !$0.hasPrefix("@") })
        _ = try PathResolver(entity: destinations.destination).resolve(keys)
      } catch is Untranslatable {
        return
      }
    default: try check(base)
    }
  }

  /// Returns the objects at the end of to-many relationships; nil for any other expression.
  private mutating func members(of node: ExpressionNode) throws -> Destinations? {
    switch node {
    case .keyPath, .path, .subquery:
      guard dependsOnRow(node, []) else { return nil }
      do {
        guard case .collection(let destinations) = try term(node),
          destinations.element.end == .object, destinations.element.steps.isEmpty
        else { return nil }
        return destinations
      } catch is Untranslatable {
        return nil
      }
    default:
      try check(node)
      return nil
    }
  }

  /// Throws for a function of the row's values that is neither built in nor registered.
  ///
  /// An argument or variable, such as a migration manager, may have further methods.
  func checkFunction(_ name: String, _ operands: [ExpressionNode]) throws {
    guard let target = operands.first, dependsOnRow(target, []), name != "valueForKey:",
      !PredicateFunctions.isBuiltIn(name), !PredicateFunctions.isRegistered(name)
    else { return }
    throw unsupported(
      "The function “\(name)” does not exist. Register it with PredicateFunctions.")
  }

  /// Throws for `IN` with a number or date on the right side, or with a single value beside a
  /// number or date.
  func refuseNumber(_ collection: Term, asCollectionOf member: Term) throws {
    func isNumber(_ kind: ValueKind) -> Bool { kind.family == .number || kind.family == .date }
    switch collection {
    case .operand(_, let kind) where isNumber(kind):
      throw unsupported("The right side of IN must be a collection.", kind.propertyName)
    case .constant, .argument:
      guard isNumber(member.kind), !isNil(collection) else { return }
      throw unsupported("The right side of IN must be a collection.", member.kind.propertyName)
    default: return
    }
  }
}
