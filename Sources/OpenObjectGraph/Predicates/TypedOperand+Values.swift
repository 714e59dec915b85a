public import OpenPredicates

// Conditions with a method instead of an operator. A key path needs parentheses before the method's
// name: `(\Post.title).contains("x")`.

/// The types of string properties: `String` and `String?`.
///
/// Only these types conform to the protocol.
public protocol TextProperty {}

extension String: TextProperty {}

extension Optional: TextProperty where Wrapped: TextProperty {}

extension TypedOperand where Value: TextProperty {
  /// Returns a condition that is true if the string contains another string.
  ///
  /// No string contains the empty string.
  ///
  /// - Parameters:
  ///   - text: The string to search for.
  ///   - options: The options of the comparison, such as `.caseInsensitive`; by default, uppercase
  ///     and lowercase letters differ, and so do letters with and without diacritics.
  public func contains(_ text: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.contains, text, options)
  }

  /// Returns a condition that is true if the string begins with another string.
  ///
  /// Every string begins with the empty string.
  ///
  /// - Parameters:
  ///   - text: The prefix.
  ///   - options: The options of the comparison, such as `.caseInsensitive`; by default, uppercase
  ///     and lowercase letters differ, and so do letters with and without diacritics.
  public func beginsWith(_ text: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.beginsWith, text, options)
  }

  /// Returns a condition that is true if the string ends with another string.
  ///
  /// Every string ends with the empty string.
  ///
  /// - Parameters:
  ///   - text: The suffix.
  ///   - options: The options of the comparison, such as `.caseInsensitive`; by default, uppercase
  ///     and lowercase letters differ, and so do letters with and without diacritics.
  public func endsWith(_ text: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.endsWith, text, options)
  }

  /// Returns a condition that is true if the whole string matches a pattern with wildcards.
  ///
  /// In the pattern, `?` matches any character, and `*` matches any string.
  ///
  /// - Parameters:
  ///   - pattern: The pattern. A backslash before `?` or `*` makes the character match only itself.
  ///   - options: The options of the comparison, such as `.caseInsensitive`; by default, uppercase
  ///     and lowercase letters differ, and so do letters with and without diacritics.
  public func like(_ pattern: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.like, pattern, options)
  }

  /// Returns a condition that is true if the whole string matches a regular expression.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression, in the syntax of `NSRegularExpression`. An invalid
  ///     expression, or an expression of more than 65,536 bytes, matches no string.
  ///   - options: The options of the comparison, such as `.caseInsensitive`; by default, uppercase
  ///     and lowercase letters differ, and so do letters with and without diacritics.
  public func matches(_ pattern: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.matches, pattern, options)
  }

  /// Returns a condition that is true if the string matches a full-text query.
  ///
  /// - Parameter query: The query, which consists of words and phrases. A query without words
  ///   matches no string.
  public func containsWords(_ query: TextQuery) -> TypedPredicate<Root> {
    typedExpression.comparing(.containsWords, query.text)
  }

  /// Returns a condition that is true if the string equals another string under the given
  /// comparison options.
  ///
  /// - Parameters:
  ///   - text: The other string.
  ///   - options: The options of the comparison, such as `.caseInsensitive`.
  public func equals(_ text: String, _ options: StringOptions) -> TypedPredicate<Root> {
    typedExpression.comparing(.equal, text, options)
  }
}

extension TypedOperand where Value: NSManagedObject {
  /// Returns a condition that is true if the object matches a full-text query.
  ///
  /// The query searches the attributes for which `isIndexedBySpotlight` is true. If the object's
  /// entity has no such attributes, a fetch throws `CocoaError` 134060.
  ///
  /// - Parameter query: The query, which consists of words and phrases. A query without words
  ///   matches no object.
  public func containsWords(_ query: TextQuery) -> TypedPredicate<Root> {
    typedExpression.comparing(.containsWords, query.text)
  }
}

extension TypedPredicate {
  /// Returns a condition that is true if an object matches a full-text query.
  ///
  /// The query searches the attributes for which `isIndexedBySpotlight` is true. If the object's
  /// entity has no such attributes, a fetch throws `CocoaError` 134060.
  ///
  /// ```swift
  /// request.where(.containsWords(query))
  /// ```
  ///
  /// - Parameter query: The query, which consists of words and phrases. A query without words
  ///   matches no object.
  public static func containsWords(_ query: TextQuery) -> TypedPredicate<Root> {
    TypedExpression<Root, Root>(steps: []).containsWords(query)
  }
}

extension TypedOperand {
  /// Returns a condition that is true if the property equals one of several values.
  ///
  /// - Parameter values: The values. If there are no values, the condition is never true.
  /// - Complexity: O(*n*) in the number of values.
  @_disfavoredOverload
  public func isIn(_ values: some Sequence<Value>) -> TypedPredicate<Root> {
    typedExpression.comparing(.in, Array(values))
  }

  /// Returns a condition that is true if an optional property equals one of several values.
  ///
  /// - Parameter values: The values. If there are no values, the condition is never true.
  /// - Complexity: O(*n*) in the number of values.
  public func isIn<Wrapped>(_ values: some Sequence<Wrapped>) -> TypedPredicate<Root>
  where Value == Wrapped? {
    typedExpression.comparing(.in, Array(values))
  }

  /// Returns a condition that is true if the property is in a closed range.
  ///
  /// - Parameter range: The range, which includes both of its bounds.
  public func isBetween(_ range: ClosedRange<Value>) -> TypedPredicate<Root>
  where Value: Comparable {
    typedExpression.comparing(.between, [range.lowerBound, range.upperBound])
  }

  /// Returns a condition that is true if an optional property has a value in a closed range.
  ///
  /// - Parameter range: The range, which includes both of its bounds.
  public func isBetween<Wrapped: Comparable>(
    _ range: ClosedRange<Wrapped>
  ) -> TypedPredicate<Root> where Value == Wrapped? {
    typedExpression.comparing(.between, [range.lowerBound, range.upperBound])
  }
}
