import Foundation
import Synchronization

/// What a predicate of a template is made of: the shared template, arguments, and values of variables.
///
/// Owned by one predicate. Immutable but for the prepared arguments, which are in a `Mutex`.
struct FormatContent: ~Copyable {
  /// The template, or the reason why it cannot be created.
  enum Source {
    case template(PredicateTemplate)
    case invalid(PredicateFormatError)
  }

  /// What evaluations read, made at the first one.
  ///
  /// Unchecked: never changed after its making, and only read by evaluations.
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

  /// The content of a tree assembled from parts; trees of one shape share a template.
  init(_ root: PredicateNode, _ assembly: TreeAssembly) {
    if let error = assembly.checked(root) {
      self.init(.invalid(error))
    } else {
      let template = SharedTemplates.template(of: root, argumentCount: assembly.arguments.count)
      self.init(.template(template), arguments: assembly.arguments)
    }
  }

  /// The template and arguments, or why there are none; expressions among the arguments become
  /// parts of the tree.
  var form: PredicateForm {
    switch source {
    case .invalid(let error): return .invalid(error)
    case .template(let template):
      guard arguments.contains(where: Self.isExpression) else {
        return .template(template, arguments: arguments, variables: variables)
      }
      var assembly = TreeAssembly()
      let root = assembly.insert(template.root, arguments, [:])
      if let error = assembly.checked(root) { return .invalid(error) }
      return .template(
        SharedTemplates.template(of: root, argumentCount: assembly.arguments.count),
        arguments: assembly.arguments, variables: variables)
    }
  }

  /// Whether an argument is an expression, by its type: a cast of the argument would copy it, and look for bridges.
  private static func isExpression(_ argument: Any?) -> Bool {
    guard let argument else { return false }
    return type(of: argument) is NSExpression.Type
  }

  /// Whether the predicate holds; what is invalid never does.
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

  /// Whether the predicate holds by the rules of stores; nil for unknown.
  func meaning(for object: Any?) -> Bool? {
    guard case .template(let template) = source else { return false }
    let prepared = prepare(template)
    var evaluator = PredicateEvaluator(arguments: prepared.arguments, variables: variables)
    evaluator.rules = .stores
    return evaluator.meaning(prepared.root, for: object)
  }

  private func prepare(_ template: PredicateTemplate) -> Prepared {
    if let ready = prepared.withLock({ $0 }) { return ready }
    let made = make(template)
    prepared.withLock { $0 = made }
    return made
  }

  private func make(_ template: PredicateTemplate) -> Prepared {
    let plain = PreparedArguments(arguments)
    guard plain.holdsExpressions else { return Prepared(root: template.root, arguments: plain) }
    guard case .template(let whole, let arguments, _) = form else {
      return Prepared(root: .constant(false), arguments: plain)
    }
    return Prepared(root: whole.root, arguments: PreparedArguments(arguments))
  }
}

/// The templates of predicates that were made from parts, so that those of one shape share plans.
///
/// Shared: its state is in one `Mutex`. When full it forgets everything.
enum SharedTemplates {
  /// Equal trees may have texts of different bytes, hence the text.
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
