public import Foundation

/// The structure of an `NSPredicate`; the library plans fetches from this structure.
///
/// > Concurrency: Confined to one thread or queue, like the predicate and its arguments.
public enum PredicateForm {
  /// A template with the values of its arguments and variables.
  case template(PredicateTemplate, arguments: [Any?], variables: [String: Any])
  /// A compound predicate: its logical type, and the forms of its subpredicates.
  case compound(NSCompoundPredicate.LogicalType, [PredicateForm])
  /// A predicate that is always true or always false.
  case constant(Bool)
  /// A block predicate, or an instance of a predicate class that the library does not know. Both
  /// are evaluated only in memory.
  case block
  /// A part of a Swift predicate that can be evaluated only in memory, with the reason.
  case memory(reason: String)
  /// A format that cannot be parsed; the predicate is never true.
  case invalid(PredicateFormatError)

  /// Returns the tree of the predicate, in which values replace arguments and variables.
  ///
  /// The result is nil if the form or a part of the form is ``block``, ``memory(reason:)`` or
  /// ``invalid(_:)``.
  ///
  /// Boolean values become numbers, so that equal predicates have equal trees.
  public func resolvedNode() -> PredicateNode? {
    switch self {
    case .template(let template, let arguments, let variables):
      let values = TreeValues(
        arguments: arguments.map { Value(any: $0) },
        variables: variables.compactMapValues { Value(any: $0) })
      return template.root.resolved(with: values)
    case .compound(let type, let forms): return Self.combined(type, forms)
    case .constant(let flag): return .constant(flag)
    case .block, .memory, .invalid: return nil
    }
  }

  /// The tree for testing equality. Placeholders of objects that no value can represent have no
  /// numbers, because the numbers depend on the position in the format.
  var comparableNode: PredicateNode? {
    resolvedNode()?.mapping { leaf, _ in
      if case .argument = leaf { .argument(0) } else { leaf }
    }
  }

  /// The arguments and variables that no value can represent, such as objects without a reference.
  var unnamedObjects: [EvaluatedOperand] {
    switch self {
    case .template(_, let arguments, let variables):
      let named = variables.sorted { $0.key < $1.key }.map { Optional($0.value) }
      return (arguments + named).filter { Value(any: $0) == nil }.map(EvaluatedOperand.init(any:))
    case .compound(_, let forms): return forms.flatMap(\.unnamedObjects)
    case .constant, .block, .memory, .invalid: return []
    }
  }

  private static func combined(
    _ type: NSCompoundPredicate.LogicalType, _ forms: [PredicateForm]
  ) -> PredicateNode? {
    var parts: [PredicateNode] = []
    for form in forms {
      guard let part = form.resolvedNode() else { return nil }
      parts.append(part)
    }
    switch type {
    case .and: return .and(parts)
    case .or: return .or(parts)
    case .not: return parts.first.map { .not($0) }
    }
  }
}

extension NSPredicate {
  /// The structure of the predicate, for query planning.
  ///
  /// For a compound predicate with more than 200 levels, the form is `.invalid`.
  public var form: PredicateForm { form(level: 1) }

  private func form(level: Int) -> PredicateForm {
    if let form = ownForm { return form }
    if let compound = plainCompound {
      guard level <= TreeDepth.limit else { return .invalid(.tooDeep) }
      return .compound(
        compound.compoundPredicateType,
        compound.subpredicates.map { $0.form(level: level + 1) })
    }
    guard type(of: self) == NSPredicate.self else { return .block }
    if isEqual(NSPredicate(value: true)) { return .constant(true) }
    return isEqual(NSPredicate(value: false)) ? .constant(false) : .block
  }

  /// The form of a predicate that has a template; nil for other predicates.
  private var ownForm: PredicateForm? {
    switch self {
    case let predicate as FormatPredicate: predicate.content.form
    case let comparison as NSComparisonPredicate: comparison.content.form
    case let compound as FormatCompoundPredicate: compound.content.form
    case let translated as TranslatedPredicate: translated.content
    default: nil
    }
  }

  /// The predicate as a compound that consists of predicates rather than of a format; otherwise
  /// nil.
  var plainCompound: NSCompoundPredicate? {
    self is FormatCompoundPredicate ? nil : self as? NSCompoundPredicate
  }

  /// The canonical format of a predicate of any class, including Foundation's compound predicates.
  ///
  /// The format is `FALSEPREDICATE` for an invalid predicate, and `BLOCKPREDICATE` if a part of the
  /// predicate can be evaluated only in memory.
  ///
  /// On this platform, Foundation's `predicateFormat` does not describe Foundation's own predicate
  /// classes. A predicate that was converted from a `#Predicate` compares strings character by
  /// character. The format cannot express such a comparison, so parsing the format creates a
  /// predicate that compares bytes.
  ///
  /// This is an addition to Apple's API.
  public var canonicalFormat: String {
    switch form {
    case .block, .memory: return "BLOCKPREDICATE"
    case .invalid: return "FALSEPREDICATE"
    case let form:
      let printer = PredicatePrinter { _ in nil }
      return form.resolvedNode().map { printer.text($0) } ?? "BLOCKPREDICATE"
    }
  }

  /// Returns whether another predicate has the same tree and equal arguments, regardless of its
  /// class.
  ///
  /// On this platform, Foundation's `isEqual` does not compare compound predicates.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter other: The predicate to compare with.
  public func hasSameMeaning(as other: NSPredicate) -> Bool {
    if self === other { return true }
    if case .invalid(let one) = form, case .invalid(let two) = other.form { return one == two }
    guard let one = form.comparableNode, let two = other.form.comparableNode else { return false }
    return one == two && EvaluatedOperand.areSame(form.unnamedObjects, other.form.unnamedObjects)
  }
}
