public import Foundation

/// A protocol that provides the `NSPredicate` initializers missing from Foundation on this
/// platform.
///
/// Only `NSPredicate` and its subclasses conform to this protocol. The format of a comparison
/// creates an ``NSComparisonPredicate``, and a format with AND, OR or NOT creates an
/// `NSCompoundPredicate`. An initializer in a protocol extension can assign `self`, and can
/// therefore return an instance of a subclass.
public protocol FormatInitializable {}

extension NSPredicate: FormatInitializable {}

extension FormatInitializable {
  /// Creates a predicate from a format and arguments.
  ///
  /// An invalid format creates a predicate that is never true and whose `form` is `.invalid`. A
  /// fetch with this predicate throws `PredicateFormatError`. To get the error without a fetch, use
  /// ``Foundation/NSPredicate/parsing(_:_:)``.
  ///
  /// - Parameters:
  ///   - format: The text of the predicate.
  ///   - arguments: The values of the specifiers in the format. Extra values are ignored; with too
  ///     few values, the format is invalid.
  public init(format: String, _ arguments: any CVarArg...) {
    // Converted one by one: casting the whole array would look up the type of every element.
    let values = arguments.map { Optional<Any>.some($0) }
    self = Self.made(FormatPredicate.make(format: format, arguments: values))
  }

  /// Creates a predicate from a format and an array of arguments.
  ///
  /// An invalid format creates a predicate that is never true and whose `form` is `.invalid`. A
  /// fetch with this predicate throws `PredicateFormatError`.
  ///
  /// - Parameters:
  ///   - format: The text of the predicate.
  ///   - arguments: The values of the specifiers in the format; nil if the format has no
  ///     specifiers. Extra values are ignored; with too few values, the format is invalid.
  public init(format: String, argumentArray arguments: [Any]?) {
    self = Self.made(FormatPredicate.make(format: format, arguments: arguments ?? []))
  }

  /// Creates a predicate from a format and an argument list that `getVaList` or `withVaList`
  /// created.
  ///
  /// If the format is invalid, or if the list was not created by this module's `getVaList` or
  /// `withVaList`, the predicate is never true, and its `form` is `.invalid`. A fetch with this
  /// predicate throws `PredicateFormatError`.
  ///
  /// - Parameters:
  ///   - format: The text of the predicate.
  ///   - arguments: The list of the values for the specifiers in the format.
  public init(format: String, arguments: CVaListPointer) {
    guard let values = ArgumentList.arguments(of: arguments) else {
      self = Self.made(FormatPredicate(invalid: .unknownList(format)))
      return
    }
    self = Self.made(FormatPredicate.make(format: format, arguments: values))
  }

  /// Creates a predicate that searches for words: `keyPath CONTAINSWORDS query`.
  ///
  /// A fetch throws `CocoaError` 134060 if the predicate searches an object whose entity has no
  /// searchable attributes, or an attribute that is not a string.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - query: The words, phrases and operators to search for.
  ///   - keyPath: The key path of a string or an object; nil for the evaluated object itself. For
  ///     an object, the predicate searches all attributes whose `isIndexedBySpotlight` is true. The
  ///     words may be in different attributes, but each phrase must be within one attribute.
  public init(search query: TextQuery, in keyPath: String? = nil) {
    self = Self.made(
      keyPath.map {
        FormatPredicate.make(format: "%K CONTAINSWORDS %@", arguments: [$0, query.text])
      } ?? FormatPredicate.make(format: "SELF CONTAINSWORDS %@", arguments: [query.text]))
  }

  private static func made(_ predicate: NSPredicate) -> Self {
    // The types are equal, which the compiler can only verify by a check at run time.
    if Self.self == NSPredicate.self { return unsafeBitCast(predicate, to: Self.self) }
    return cast(predicate)
  }

  @inline(never)
  private static func cast(_ predicate: NSPredicate) -> Self {
    guard let result = predicate as? Self else {
      preconditionFailure(
        "The format creates a predicate of type \(type(of: predicate)). Call NSPredicate(format:), and cast the result."
      )
    }
    return result
  }
}

extension NSPredicate {
  /// Parses the format of a predicate, or throws an error.
  ///
  /// Unlike `init(format:_:)`, this method reports errors.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - format: The text of the predicate.
  ///   - arguments: Exactly one value for each specifier in the format; a nil value becomes null.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError`, for example with code `.unexpectedToken` if the format is
  ///   invalid, or with `.missingArgument`, `.extraArgument` or `.unsuitableArgument` if the
  ///   arguments do not match the specifiers. The error contains the position of the problem, if
  ///   known.
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

  /// Returns a copy of the predicate in which values replace `$` variables.
  ///
  /// The method replaces variables in all parts of the predicate, including compound predicates,
  /// subqueries and expressions. The method does not replace the variables that subqueries declare.
  /// Block predicates and instances of your own subclasses are not changed.
  ///
  /// - Parameter variables: The values of the variables, keyed by name without the dollar sign.
  /// - Returns: The copy. Variables without a value in `variables` remain unchanged.
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
