public import Foundation

/// A type that identifies the variable of a Swift predicate, and provides the variable's value for
/// each fetched object.
public protocol __PredicateSubject {
  /// The identifier of the predicate's variable.
  var variableID: PredicateExpressions.VariableID { get }
  /// Returns the value of the variable for a fetched object.
  ///
  /// - Parameter object: A fetched object; nil for no object.
  /// - Returns: Bindings that contain the value; nil if the object does not represent a value.
  func bindings(for object: Any?) -> PredicateBindings?
}

/// The expression of a complete Swift predicate, and the subject of the predicate.
///
/// The type is a class, because each copy of an expression in a protocol type retains and releases
/// parts of the expression.
///
/// > Concurrency: Immutable, and confined to one thread or queue like the captured values.
public final class __PredicateSource {
  let expression: any StandardPredicateExpression<Bool>
  let subject: any __PredicateSubject

  /// Creates the source of a translation.
  ///
  /// - Parameters:
  ///   - expression: The expression of the predicate.
  ///   - subject: The subject of the predicate, which provides the value of the variable for each
  ///     fetched object.
  public init(
    _ expression: any StandardPredicateExpression<Bool>, about subject: any __PredicateSubject
  ) {
    self.expression = expression
    self.subject = subject
  }
}

/// A Swift predicate, or a part of a Swift predicate, for fetches.
///
/// The library plans fetches from the predicate's tree. If a store cannot execute a part, Swift
/// evaluates this part in memory. The predicate is immutable, and confined to one thread or queue
/// like the captured values.
package final class TranslatedPredicate: NSPredicate {
  /// The tree, or the error that prevents its creation.
  let content: PredicateForm
  /// The expression if it is a part of the translated predicate; nil for the complete predicate.
  private let part: (any PredicateExpression<Bool>)?
  private let translation: PredicateTranslation
  private lazy var isTrue = translation.evaluation(of: expression)

  private var expression: any PredicateExpression<Bool> { part ?? translation.source.expression }

  fileprivate init(
    _ form: PredicateForm, of part: (any PredicateExpression<Bool>)? = nil,
    _ translation: PredicateTranslation
  ) {
    content = form
    self.part = part
    self.translation = translation
    super.init(value: false)
  }

  /// Predicates whose conjunction is equivalent to this predicate. A store can execute some of
  /// these predicates.
  ///
  /// The list is empty for a predicate that is itself a part of a Swift predicate.
  package var parts: [NSPredicate] {
    part == nil ? translation.parts(of: translation.source.expression) : []
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

/// Converts a Swift predicate to a predicate for fetches.
struct PredicateTranslation {
  let source: __PredicateSource
  /// Converts captured values of a higher layer's types to values of the object graph.
  let captured: (Any) -> Any?

  private var variable: PredicateExpressions.VariableID { source.subject.variableID }

  /// Returns the translation of the complete predicate.
  ///
  /// - Throws: `PredicateFormatError` for a property that is not stored or a tree that is too deep.
  func whole() throws(PredicateFormatError) -> NSPredicate {
    TranslatedPredicate(try form(of: source.expression), self)
  }

  private func form(
    of expression: any StandardPredicateExpression<Bool>
  ) throws(PredicateFormatError) -> PredicateForm {
    do throws(PredicateFormatError) {
      return try knownForm(of: expression)
    } catch  where error.code == .unsupportedSyntax {
      try check(expression, [variable])
      return .memory(reason: error.partWithoutForm)
    }
  }

  /// Returns the form, reusing an earlier translation if only captured values differ.
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
    .template(try lowering.template(of: root), arguments: lowering.arguments, variables: [:])
  }

  /// Checks all key paths and variables, because parts that are evaluated in memory are not
  /// lowered.
  private func check(
    _ expression: Any, _ known: Set<PredicateExpressions.VariableID>
  ) throws(PredicateFormatError) {
    if let keyPath = expression as? any NamedKeyPath { try keyPath.checkName() }
    if let variable = expression as? any PredicateVariable, !known.contains(variable.key) {
      throw .unknownVariable
    }
    let known = known.union(ExpressionWalk.variables(boundBy: expression))
    for part in ExpressionWalk.parts(of: expression) { try check(part, known) }
  }

  // MARK: Parts

  /// Returns the parts of a conjunction: those with a form, and the others, each with a condition
  /// that selects candidates.
  fileprivate func parts(of expression: any PredicateExpression<Bool>) -> [NSPredicate] {
    if let sides = (expression as? any DivisibleExpression)?.sides { return sides.flatMap(parts) }
    func part(_ form: PredicateForm) -> NSPredicate {
      TranslatedPredicate(form, of: expression, self)
    }
    do throws(PredicateFormatError) {
      return [part(try exactForm(of: expression))]
    } catch {
      let rest = part(.memory(reason: error.partWithoutForm))
      return candidates(expression).map { [part($0), rest] } ?? [rest]
    }
  }

  /// Returns a condition with a form that is true wherever the expression is true; nil if there is
  /// none.
  private func candidates(_ expression: any PredicateExpression<Bool>) -> PredicateForm? {
    var lowering = SwiftPredicateLowering(object: variable, captured: captured)
    // Errors of the expression were thrown when the whole predicate was translated.
    guard let root = try? lowering.relaxed(expression).holds, root != .constant(true) else {
      return nil
    }
    return try? Self.form(of: root, lowering)
  }

  /// Returns Swift's own evaluation; an object for which the evaluation fails does not satisfy the
  /// predicate.
  fileprivate func evaluation<Expression: PredicateExpression<Bool>>(
    of expression: Expression
  ) -> (Any?) -> Bool {
    let mayTrap = UncheckedEvaluation.isIn(expression)
    return { object in
      guard let bindings = source.subject.bindings(for: object) else { return false }
      // An error means that the condition has no value, such as for an unwrapped nil.
      let value =
        mayTrap
        ? try? expression.valueWithoutTraps(bindings) : try? expression.evaluate(bindings)
      return value ?? false
    }
  }
}
