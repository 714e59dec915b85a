import Foundation
import Synchronization

/// The content of a predicate with a template: the shared template, the arguments, and the values
/// of variables.
///
/// One predicate owns the content. It is immutable except for the prepared arguments, which are in
/// a `Mutex`.
struct FormatContent: ~Copyable {
  /// The template, or the error that prevents its creation.
  enum Source {
    case template(PredicateTemplate)
    case invalid(PredicateFormatError)
  }

  /// The data that evaluations read, created by the first evaluation.
  ///
  /// Unchecked: the data does not change after its creation, and evaluations only read it.
  struct Prepared: @unchecked Sendable {
    let root: PredicateNode
    let arguments: PreparedArguments
  }

  let source: Source
  let arguments: [Any?]
  let variables: [String: Any]
  private let prepared = Mutex<Prepared?>(nil)

  init(_ source: Source, arguments: [Any?] = [], variables: [String: Any] = [:]) {
    self.source = source
    self.arguments = arguments
    self.variables = variables
  }

  /// Creates the content of a tree that was assembled from parts; trees of the same shape share a
  /// template.
  init(_ root: PredicateNode, _ assembly: TreeAssembly) {
    if let error = assembly.checked(root) {
      self.init(.invalid(error))
    } else {
      let template = SharedTemplates.template(of: root, argumentCount: assembly.arguments.count)
      self.init(.template(template), arguments: assembly.arguments)
    }
  }

  /// The template and the arguments, or the error of an invalid predicate; expressions among the
  /// arguments and variables become parts of the tree.
  var form: PredicateForm {
    switch source {
    case .invalid(let error): return .invalid(error)
    case .template(let template):
      let expressions =
        variables.isEmpty ? [:] : variables.filter { Self.isExpression($0.value) }
      guard !expressions.isEmpty || arguments.contains(where: Self.isExpression) else {
        return .template(template, arguments: arguments, variables: variables)
      }
      var assembly = TreeAssembly()
      let root = assembly.insert(template.root, arguments, expressions)
      if let error = assembly.checked(root) { return .invalid(error) }
      return .template(
        SharedTemplates.template(of: root, argumentCount: assembly.arguments.count),
        arguments: assembly.arguments,
        variables: variables.filter { expressions[$0.key] == nil })
    }
  }

  /// Returns whether an argument is an expression, by its type; casting the argument would copy it
  /// and search for bridges.
  private static func isExpression(_ argument: Any?) -> Bool {
    guard let argument else { return false }
    return type(of: argument) is NSExpression.Type
  }

  /// Returns whether the predicate is true; an invalid predicate never is.
  func holds(
    for object: Any?, _ bindings: [String: Any]?, _ failures: EvaluationFailures? = nil
  ) -> Bool {
    switch source {
    case .invalid(let error):
      failures?.add(.invalid(error))
      return false
    case .template(let template):
      let prepared = prepare(template)
      let evaluator = PredicateEvaluator(
        arguments: prepared.arguments,
        variables: bindings.map { variables.merging($0) { _, new in new } } ?? variables,
        failures: failures)
      return evaluator.holds(prepared.root, for: object)
    }
  }

  /// Returns whether the predicate is true by the rules of stores; nil if the result is unknown.
  func meaning(for object: Any?, _ failures: EvaluationFailures) -> Bool? {
    switch source {
    case .invalid(let error):
      failures.add(.invalid(error))
      return false
    case .template(let template):
      let prepared = prepare(template)
      var evaluator = PredicateEvaluator(
        arguments: prepared.arguments, variables: variables, failures: failures)
      evaluator.rules = .stores
      return evaluator.meaning(prepared.root, for: object)
    }
  }

  private func prepare(_ template: PredicateTemplate) -> Prepared {
    if let ready = prepared.withLock({ $0 }) { return ready }
    let made = make(template)
    prepared.withLock { $0 = made }
    return made
  }

  private func make(_ template: PredicateTemplate) -> Prepared {
    let plain = PreparedArguments(arguments)
    guard plain.holdsExpressions || variables.values.contains(where: { Self.isExpression($0) })
    else { return Prepared(root: template.root, arguments: plain) }
    guard case .template(let whole, let arguments, _) = form else {
      return Prepared(root: .constant(false), arguments: plain)
    }
    return Prepared(root: whole.root, arguments: PreparedArguments(arguments))
  }
}

/// The templates of predicates that were assembled from parts, so that predicates of one shape
/// share plans.
///
/// The templates are in a `Mutex`. When the limit is reached, all are removed.
enum SharedTemplates {
  /// The key of a template. The key contains the text, because equal trees may have text of
  /// different bytes.
  private struct Key: Hashable {
    let root: PredicateNode
    let text: ExactText
  }

  private static let limit = 1_024
  private static let templates = Mutex<[Key: PredicateTemplate]>([:])

  static func template(of root: PredicateNode, argumentCount: Int) -> PredicateTemplate {
    let text = PredicatePrinter { _ in nil }.text(root)
    let key = Key(root: root, text: ExactText(text))
    return templates.withLock { templates in
      if let known = templates[key], known.argumentCount == argumentCount { return known }
      if templates.count >= limit { templates.removeAll(keepingCapacity: true) }
      let made = PredicateTemplate(root: root, argumentCount: argumentCount)
      templates[key] = made
      return made
    }
  }
}
