import Foundation

/// The predicate of `NSPredicate(format:)` for a constant, or for a format that cannot be parsed.
///
/// The predicate is immutable, and confined to one thread or queue like its arguments. Comparisons
/// are ``NSComparisonPredicate``, and compound formats are ``FormatCompoundPredicate``.
final class FormatPredicate: NSPredicate {
  let content: FormatContent

  init(
    _ template: PredicateTemplate, arguments: [Any?], variables: [String: Any] = [:]
  ) {
    content = FormatContent(.template(template), arguments: arguments, variables: variables)
    super.init(value: false)
  }

  init(invalid error: PredicateFormatError) {
    content = FormatContent(.invalid(error))
    super.init(value: false)
  }

  /// Creates a predicate of the class that fits the root of the template.
  static func make(
    _ template: PredicateTemplate, arguments: [Any?], variables: [String: Any] = [:]
  ) -> NSPredicate {
    switch template.root {
    case .comparison:
      NSComparisonPredicate(template, arguments: arguments, variables: variables)
    case .and:
      FormatCompoundPredicate(.and, template, arguments: arguments, variables: variables)
    case .or:
      FormatCompoundPredicate(.or, template, arguments: arguments, variables: variables)
    case .not:
      FormatCompoundPredicate(.not, template, arguments: arguments, variables: variables)
    case .constant: FormatPredicate(template, arguments: arguments, variables: variables)
    }
  }

  /// Creates a predicate from a format, whose template may be cached.
  static func make(format: String, arguments: [Any?]) -> NSPredicate {
    do throws(PredicateFormatError) {
      let match = try TemplateCache.match(format, arguments)
      return make(match.template, arguments: match.arguments)
    } catch {
      return FormatPredicate(invalid: error)
    }
  }

  override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    content.holds(for: object, bindings)
  }

  override var predicateFormat: String { canonicalFormat }

  override var description: String { canonicalFormat }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPredicate).map(hasSameMeaning) ?? false
  }

  override var hash: Int { form.comparableNode?.hashValue ?? 0 }
}
