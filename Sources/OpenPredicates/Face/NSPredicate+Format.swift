public import Foundation

/// The initializers of `NSPredicate` that Foundation lacks on this platform.
///
/// Only `NSPredicate` and its subclasses conform. The format of a comparison creates an ``NSComparisonPredicate``; a
/// format with AND, OR or NOT creates an `NSCompoundPredicate`. A protocol's initializer can assign `self`, and can therefore return a
/// subclass.
public protocol FormatInitializable {}

extension NSPredicate: FormatInitializable {}

extension FormatInitializable {
  /// Creates a predicate from a format and arguments.
  ///
  /// An invalid format creates a predicate that is never true and whose `form` is `.invalid`; use
  /// ``Foundation/NSPredicate/parsing(_:_:)`` for errors.
  public init(format: String, _ arguments: any CVarArg...) {
    // One by one: casting the whole array looks every element's type up.
    let values = arguments.map { Optional<Any>.some($0) }
    self = Self.made(FormatPredicate.make(format: format, arguments: values))
  }

  /// Creates a predicate from a format and an array of arguments.
  public init(format: String, argumentArray arguments: [Any]?) {
    self = Self.made(FormatPredicate.make(format: format, arguments: arguments ?? []))
  }

  /// Creates a predicate from a format and the arguments of `getVaList` or `withVaList`.
  public init(format: String, arguments: CVaListPointer) {
    guard let values = ArgumentList.arguments(of: arguments) else {
      self = Self.made(FormatPredicate(invalid: .unknownList(format)))
      return
    }
    self = Self.made(FormatPredicate.make(format: format, arguments: values))
  }

  /// Creates a predicate that searches for words: `keyPath CONTAINSWORDS query`. An addition to Apple's API.
  ///
  /// - Parameters:
  ///   - query: The words to search for.
  ///   - keyPath: A string, or an object whose searched attributes are searched together; nil for the object itself.
  public init(search query: TextQuery, in keyPath: String? = nil) {
    self = Self.made(
      keyPath.map {
        FormatPredicate.make(format: "%K CONTAINSWORDS %@", arguments: [$0, query.text])
      } ?? FormatPredicate.make(format: "SELF CONTAINSWORDS %@", arguments: [query.text]))
  }

  private static func made(_ predicate: NSPredicate) -> Self {
    // The types are the same, which only the check at run time can show the compiler.
    if Self.self == NSPredicate.self { return unsafeBitCast(predicate, to: Self.self) }
    return cast(predicate)
  }

  @inline(never)
  private static func cast(_ predicate: NSPredicate) -> Self {
    guard let result = predicate as? Self else {
      preconditionFailure(
        "The format makes a \(type(of: predicate)). Call NSPredicate(format:), and cast the result."
      )
    }
    return result
  }
}

extension NSPredicate {
  /// Parses a format, or throws an error with the position of the mistake.
  ///
  /// An addition, because `init(format:_:)` cannot throw.
  ///
  /// - Parameters:
  ///   - format: The text of the predicate.
  ///   - arguments: Exactly as many values as the format has specifiers; nil means null.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the position of the error.
  public static func parsing(
    _ format: String, _ arguments: [Any?] = []
  ) throws(PredicateFormatError) -> NSPredicate {
    let match = try TemplateCache.match(format, arguments)
    guard match.usedCount == arguments.count else {
      throw PredicateFormatError(
        code: .extraArgument, message: "There are more arguments than specifiers.",
        format: format)
    }
    return FormatPredicate.make(match.template, arguments: match.arguments)
  }

  /// A predicate with the given values in place of its `$` variables.
  ///
  /// Variables of compounds, subqueries and expressions are also replaced, but not the variables that subqueries
  /// declare. Blocks and predicates of other classes are not changed.
  ///
  /// - Parameter variables: Values by variable name, without the dollar sign.
  /// - Returns: A predicate in which variables without a value remain.
  /// > Reference: Apple, NSPredicate, withSubstitutionVariables(_:).
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    Self.substituting(variables, in: self, level: 1) as? Self ?? self
  }

  private static func substituting(
    _ variables: [String: Any], in predicate: NSPredicate, level: Int
  ) -> NSPredicate {
    if let compound = predicate.plainCompound {
      guard level <= TreeDepth.limit else { return FormatPredicate(invalid: .tooDeep) }
      return NSCompoundPredicate(
        type: compound.compoundPredicateType,
        subpredicates: compound.subpredicates.map {
          substituting(variables, in: $0, level: level + 1)
        })
    }
    guard case .template(let template, let arguments, let earlier) = predicate.form else {
      return predicate
    }
    return FormatPredicate.make(
      template, arguments: arguments, variables: earlier.merging(variables) { _, new in new })
  }
}
