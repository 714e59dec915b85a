package import Foundation

/// A Swift predicate, or a part of one, as fetches take it: planned by its tree, evaluated by Swift.
///
/// What a store cannot carry out runs in memory, and there Swift's own evaluation is the meaning.
///
/// Confined; immutable.
package final class TranslatedPredicate: NSPredicate {
  /// The tree, or why there is none.
  let content: PredicateForm
  private let isTrue: (Any?) -> Bool
  private let divided: () -> [NSPredicate]

  init(
    _ form: PredicateForm, isTrue: @escaping (Any?) -> Bool,
    parts: @escaping () -> [NSPredicate] = { [] }
  ) {
    content = form
    self.isTrue = isTrue
    divided = parts
    super.init(value: false)
  }

  /// Predicates that hold together where this one holds, of which a store can carry out some; empty where there is one part.
  package var parts: [NSPredicate] { divided() }

  override package func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool { isTrue(object) }

  override package var predicateFormat: String { canonicalFormat }

  override package var description: String { canonicalFormat }

  override package func copy(with zone: NSZone? = nil) -> Any { self }

  override package func isEqual(_ object: Any?) -> Bool {
    (object as? NSPredicate).map(hasSameMeaning) ?? false
  }

  override package var hash: Int { form.comparableNode?.hashValue ?? 0 }
}

/// Turns a Swift predicate into one for fetches.
struct PredicateTranslation<Input> {
  let variable: PredicateExpressions.Variable<Input>
  /// The value that the predicate is about, from the object that a fetch evaluates it for.
  let subject: (Any?) -> Input?
  /// Turns captured values that only the layer above knows into values of the graph.
  let captured: (Any) -> Any?

  /// The translation of a whole predicate.
  ///
  /// - Throws: `PredicateFormatError` for a property that is not stored, and for a tree that is too deep.
  func whole(
    _ expression: any PredicateExpression<Bool>
  ) throws(PredicateFormatError) -> NSPredicate {
    let form: PredicateForm
    do throws(PredicateFormatError) {
      form = try knownForm(of: expression)
    } catch  where error.code == .unsupportedSyntax {
      try check(expression)
      form = .memory(reason: error.partWithoutForm)
    }
    return TranslatedPredicate(form, isTrue: evaluation(of: expression)) { parts(of: expression) }
  }

  /// The form, from an earlier translation where the expressions differ in captured values only.
  private func knownForm<Expression: PredicateExpression<Bool>>(
    of expression: Expression
  ) throws(PredicateFormatError) -> PredicateForm {
    try ShapedForms.form(of: expression, variable.key, captured) {
      () throws(PredicateFormatError) in try exactForm(of: expression)
    }
  }

  private func exactForm(
    of expression: any PredicateExpression<Bool>
  ) throws(PredicateFormatError) -> PredicateForm {
    var lowering = SwiftPredicateLowering(object: variable.key, captured: captured)
    let root = try lowering.condition(expression).holds
    return try Self.form(of: root, lowering)
  }

  private static func form(
    of root: PredicateNode, _ lowering: SwiftPredicateLowering
  ) throws(PredicateFormatError) -> PredicateForm {
    try TreeDepth.check(root)
    let template = SharedTemplates.template(of: root, argumentCount: lowering.arguments.count)
    return .template(template, arguments: lowering.arguments, variables: [:])
  }

  /// Checks all key paths, since a part that is evaluated in memory is not lowered.
  private func check(_ expression: Any) throws(PredicateFormatError) {
    if let keyPath = expression as? any NamedKeyPath { try keyPath.checkName() }
    for part in ExpressionWalk.parts(of: expression) { try check(part) }
  }

  // MARK: Parts

  /// The parts of a conjunction: those with a form, and the rest, each behind a condition with a form that selects candidates.
  private func parts(of expression: any PredicateExpression<Bool>) -> [NSPredicate] {
    if let divisible = expression as? any DivisibleExpression {
      return divisible.sides.flatMap(parts)
    }
    let isTrue = evaluation(of: expression)
    do throws(PredicateFormatError) {
      return [TranslatedPredicate(try exactForm(of: expression), isTrue: isTrue)]
    } catch {
      let rest = TranslatedPredicate(.memory(reason: error.partWithoutForm), isTrue: isTrue)
      return candidates(expression).map { [TranslatedPredicate($0, isTrue: isTrue), rest] } ?? [
        rest
      ]
    }
  }

  /// A condition with a form that holds wherever the expression holds; nil for none.
  private func candidates(_ expression: any PredicateExpression<Bool>) -> PredicateForm? {
    var lowering = SwiftPredicateLowering(object: variable.key, captured: captured)
    // What is wrong with the expression was thrown when the whole was translated.
    guard let root = try? lowering.relaxed(expression).holds, root != .constant(true) else {
      return nil
    }
    return try? Self.form(of: root, lowering)
  }

  /// Swift's own evaluation; an object for which it cannot be carried out does not satisfy the predicate.
  private func evaluation<Expression: PredicateExpression<Bool>>(
    of expression: Expression
  ) -> (Any?) -> Bool {
    let check = UncheckedEvaluation.Check(expression)
    return { object in
      guard let input = subject(object) else { return false }
      let bindings = PredicateBindings((variable, input))
      // An error means that the condition has no value, as an unwrapped nil.
      let value =
        check.mayTrap
        ? try? expression.valueWithoutTraps(bindings) : try? expression.evaluate(bindings)
      return value ?? false
    }
  }
}
