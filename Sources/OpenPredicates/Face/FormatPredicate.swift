import Foundation
import Synchronization

/// The predicate behind `NSPredicate(format:)`: a shared template and its arguments.
///
/// Immutable but for the prepared arguments, which are in a `Mutex`.
final class FormatPredicate: NSPredicate {
  /// The template, or why there is none.
  private enum Source {
    case template(PredicateTemplate)
    case invalid(PredicateFormatError)
  }

  private let source: Source
  private let arguments: [Any?]
  private let variables: [String: Any]
  private let prepared = Mutex<Prepared?>(nil)

  /// Prepared arguments on their way between evaluations.
  ///
  /// Unchecked: they are never changed after their making, and only read by evaluations.
  private struct Prepared: @unchecked Sendable {
    let arguments: PreparedArguments
  }

  init(
    _ template: PredicateTemplate, arguments: [Any?], variables: [String: Any] = [:]
  ) {
    source = .template(template)
    self.arguments = arguments
    self.variables = variables
    super.init(value: false)
  }

  init(invalid error: PredicateFormatError) {
    source = .invalid(error)
    arguments = []
    variables = [:]
    super.init(value: false)
  }

  /// Parses a format, or finds its template.
  convenience init(format: String, arguments: [Any?]) {
    do throws(PredicateFormatError) {
      let match = try TemplateCache.match(format, arguments)
      self.init(match.template, arguments: match.arguments)
    } catch {
      self.init(invalid: error)
    }
  }

  /// The template and arguments, or why there are none.
  var content: PredicateForm {
    switch source {
    case .template(let template):
      .template(template, arguments: arguments, variables: variables)
    case .invalid(let error): .invalid(error)
    }
  }

  override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    guard case .template(let template) = source else { return false }
    let evaluator = PredicateEvaluator(
      arguments: prepare(),
      variables: bindings.map { variables.merging($0) { _, new in new } } ?? variables)
    return evaluator.holds(template.root, for: object)
  }

  private func prepare() -> PreparedArguments {
    if let ready = prepared.withLock({ $0 }) { return ready.arguments }
    let made = Prepared(arguments: PreparedArguments(arguments))
    prepared.withLock { $0 = made }
    return made.arguments
  }

  override var predicateFormat: String { canonicalFormat }

  override var description: String { canonicalFormat }

  override func copy(with zone: NSZone? = nil) -> Any {
    self
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate else { return false }
    return hasSameMeaning(as: other)
  }

  override var hash: Int {
    content.resolvedNode()?.hashValue ?? 0
  }
}
