internal import OpenPredicates
internal import OpenStoreContract

/// Checks expressions that only memory can evaluate.
///
/// A key that the model does not have and a function that does not exist are errors in these
/// expressions too. The lowering of a predicate creates a value for each expression. The check
/// lowers paths in copies of the lowering, and never changes the lowering of the predicate.
struct KeyCheck {
  private let lowering: PredicateLowering

  init(in lowering: PredicateLowering) { self.lowering = lowering }

  /// Throws for unknown keys and functions in the operands of an index or of a function.
  func check(_ node: ExpressionNode) throws {
    switch node {
    case .keyPath, .path: _ = try term(node)
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
  func check(_ segments: [String], from base: ExpressionNode) throws {
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
  private func members(of node: ExpressionNode) throws -> Destinations? {
    switch node {
    case .keyPath, .path, .subquery:
      guard case .collection(let destinations)? = try term(node),
        destinations.element.end == .object, destinations.element.steps.isEmpty
      else { return nil }
      return destinations
    default:
      try check(node)
      return nil
    }
  }

  /// Lowers an expression; nil if it does not depend on the row, or if only memory can evaluate it.
  private func term(_ node: ExpressionNode) throws -> Term? {
    guard lowering.dependsOnRow(node, []) else { return nil }
    var copy = lowering
    do {
      return try copy.term(node)
    } catch is Untranslatable {
      return nil
    }
  }

  /// Throws for a function of the row's values that is neither built in nor registered.
  ///
  /// An argument or variable, such as a migration manager, may have additional methods.
  func checkFunction(_ name: String, _ operands: [ExpressionNode]) throws {
    guard let target = operands.first, lowering.dependsOnRow(target, []), name != "valueForKey:",
      !PredicateFunctions.isBuiltIn(name), !PredicateFunctions.isRegistered(name)
    else { return }
    throw lowering.unsupported(
      "The function “\(name)” does not exist. Register it with PredicateFunctions.")
  }
}
