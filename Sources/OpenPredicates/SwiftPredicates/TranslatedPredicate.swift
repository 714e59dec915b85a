public import Foundation

/// The object of a Swift predicate, for a fetch that evaluates it in memory.
public protocol __PredicateSubject {
  /// The variable of the predicate.
  var variableID: PredicateExpressions.VariableID { get }
  /// The value of the variable for an object of the fetch; nil for an object that represents none.
  func bindings(for object: Any?) -> PredicateBindings?
}

/// A Swift predicate, or a part of one, as fetches take it: planned by its tree, evaluated by Swift.
///
/// What a store cannot execute runs in memory, and there Swift's own evaluation is the meaning.
///
/// Confined; immutable.
package final class TranslatedPredicate: NSPredicate {
  /// The expression; a whole one as Foundation has it, since another type would copy it.
  enum Source {
    case whole(any StandardPredicateExpression<Bool>)
    case part(any PredicateExpression<Bool>)

    var expression: any PredicateExpression<Bool> {
      switch self {
      case .whole(let expression): expression
      case .part(let expression): expression
      }
    }
  }

  /// The tree, or the reason why it cannot be created.
  let content: PredicateForm
  private let source: Source
  private let translation: PredicateTranslation
  private lazy var isTrue = translation.evaluation(of: source.expression)

  fileprivate init(_ form: PredicateForm, _ source: Source, _ translation: PredicateTranslation) {
    content = form
    self.source = source
    self.translation = translation
    super.init(value: false)
  }

  /// Predicates whose conjunction is equivalent to this one, so that a store can execute some of them; empty when
  /// there is only one part.
  package var parts: [NSPredicate] {
    if case .whole(let expression) = source { translation.parts(of: expression) } else { [] }
  }

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
struct PredicateTranslation {
  let subject: any __PredicateSubject
  /// Turns captured values that only the layer above knows into values of the graph.
  let captured: (Any) -> Any?

  private var variable: PredicateExpressions.VariableID { subject.variableID }

  /// The translation of a whole predicate.
  ///
  /// - Throws: `PredicateFormatError` for a property that is not stored, and for a tree that is too deep.
  func whole(
    _ expression: any StandardPredicateExpression<Bool>
  ) throws(PredicateFormatError) -> NSPredicate {
    let form: PredicateForm
    do throws(PredicateFormatError) {
      form = try knownForm(of: expression)
    } catch  where error.code == .unsupportedSyntax {
      try check(expression)
      form = .memory(reason: error.partWithoutForm)
    }
    return TranslatedPredicate(form, .whole(expression), self)
  }

  /// The form, from an earlier translation where the expressions differ in captured values only.
  private func knownForm<Expression: PredicateExpression<Bool>>(
    of expression: Expression
  ) throws(PredicateFormatError) -> PredicateForm {
    try ShapedType.form(of: expression, variable, captured) {
      () throws(PredicateFormatError) in try exactForm(of: expression)
    }
  }

  private func exactForm(
    of expression: any PredicateExpression<Bool>
  ) throws(PredicateFormatError) -> PredicateForm {
    var lowering = SwiftPredicateLowering(object: variable, captured: captured)
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
  fileprivate func parts(of expression: any PredicateExpression<Bool>) -> [NSPredicate] {
    if let divisible = expression as? any DivisibleExpression {
      return divisible.sides.flatMap(parts)
    }
    func part(_ form: PredicateForm) -> NSPredicate {
      TranslatedPredicate(form, .part(expression), self)
    }
    do throws(PredicateFormatError) {
      return [part(try exactForm(of: expression))]
    } catch {
      let rest = part(.memory(reason: error.partWithoutForm))
      return candidates(expression).map { [part($0), rest] } ?? [rest]
    }
  }

  /// A condition with a form that holds wherever the expression holds; nil for none.
  private func candidates(_ expression: any PredicateExpression<Bool>) -> PredicateForm? {
    var lowering = SwiftPredicateLowering(object: variable, captured: captured)
    // What is wrong with the expression was thrown when the whole was translated.
    guard let root = try? lowering.relaxed(expression).holds, root != .constant(true) else {
      return nil
    }
    return try? Self.form(of: root, lowering)
  }

  /// Swift's own evaluation; an object for which it cannot be executed does not satisfy the predicate.
  fileprivate func evaluation<Expression: PredicateExpression<Bool>>(
    of expression: Expression
  ) -> (Any?) -> Bool {
    let mayTrap = UncheckedEvaluation.isIn(expression)
    return { object in
      guard let bindings = subject.bindings(for: object) else { return false }
      // An error means that the condition has no value, as an unwrapped nil.
      let value =
        mayTrap
        ? try? expression.valueWithoutTraps(bindings) : try? expression.evaluate(bindings)
      return value ?? false
    }
  }
}
