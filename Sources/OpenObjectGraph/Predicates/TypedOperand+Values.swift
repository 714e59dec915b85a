public import OpenPredicates

// Conditions that have a name instead of an operator. On a key path they need parentheses around it:
// `(\Post.title).contains("x")`.

/// The types of string properties: `String` and its optional.
///
/// Only these conform.
public protocol TextProperty {}

extension String: TextProperty {}

extension Optional: TextProperty where Wrapped: TextProperty {}

extension TypedOperand where Value: TextProperty {
  /// Whether the string contains another string.
  ///
  /// - Parameters:
  ///   - text: The string to search for.
  ///   - options: The differences to ignore.
  /// - Returns: The condition.
  public func contains(_ text: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.contains, text, options)
  }

  /// Whether the string begins with another string.
  ///
  /// - Parameters:
  ///   - text: The prefix.
  ///   - options: The differences to ignore.
  /// - Returns: The condition.
  public func beginsWith(_ text: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.beginsWith, text, options)
  }

  /// Whether the string ends with another string.
  ///
  /// - Parameters:
  ///   - text: The suffix.
  ///   - options: The differences to ignore.
  /// - Returns: The condition.
  public func endsWith(_ text: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.endsWith, text, options)
  }

  /// Whether the whole string matches a pattern, in which `?` is any character and `*` any string.
  ///
  /// - Parameters:
  ///   - pattern: The pattern; `\` before `?` and `*` takes them literally.
  ///   - options: The differences to ignore.
  /// - Returns: The condition.
  public func like(_ pattern: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.like, pattern, options)
  }

  /// Whether the whole string matches a regular expression.
  ///
  /// - Parameters:
  ///   - pattern: The expression, in the syntax of `NSRegularExpression`.
  ///   - options: The differences to ignore.
  /// - Returns: The condition.
  public func matches(_ pattern: String, _ options: StringOptions = []) -> TypedPredicate<Root> {
    typedExpression.comparing(.matches, pattern, options)
  }

  /// Whether the string matches a full-text query.
  ///
  /// - Parameter query: The query.
  /// - Returns: The condition.
  public func containsWords(_ query: TextQuery) -> TypedPredicate<Root> {
    typedExpression.comparing(.containsWords, query.text)
  }

  /// Whether the string equals another one, ignoring some differences.
  ///
  /// - Parameters:
  ///   - text: The other text.
  ///   - options: The differences to ignore.
  /// - Returns: The condition.
  public func equals(_ text: String, _ options: StringOptions) -> TypedPredicate<Root> {
    typedExpression.comparing(.equal, text, options)
  }
}

extension TypedOperand where Value: NSManagedObject {
  /// Whether the object's attributes with `isIndexedBySpotlight` match a full-text query.
  ///
  /// - Parameter query: The query.
  /// - Returns: The condition.
  public func containsWords(_ query: TextQuery) -> TypedPredicate<Root> {
    typedExpression.comparing(.containsWords, query.text)
  }
}

extension TypedPredicate {
  /// The condition that the object's attributes with `isIndexedBySpotlight` match a full-text query:
  /// `request.where(.containsWords(query))`.
  ///
  /// - Parameter query: The query.
  /// - Returns: The condition.
  public static func containsWords(_ query: TextQuery) -> TypedPredicate<Root> {
    TypedExpression<Root, Root>(steps: []).containsWords(query)
  }
}

extension TypedOperand {
  /// Whether the property is one of several values.
  ///
  /// - Parameter values: Values, objects or ids; without values the condition is never true.
  /// - Returns: The condition.
  /// - Complexity: O(*n*) in the values.
  @_disfavoredOverload
  public func isIn(_ values: some Sequence<Value>) -> TypedPredicate<Root> {
    typedExpression.comparing(.in, Array(values))
  }

  /// Whether an optional property is one of several values.
  ///
  /// - Parameter values: Values, objects or ids; without values the condition is never true.
  /// - Returns: The condition.
  /// - Complexity: O(*n*) in the values.
  public func isIn<Wrapped>(_ values: some Sequence<Wrapped>) -> TypedPredicate<Root>
  where Value == Wrapped? {
    typedExpression.comparing(.in, Array(values))
  }

  /// Whether the property is in a range, including its bounds.
  ///
  /// - Parameter range: The smallest and the largest value.
  /// - Returns: The condition.
  public func isBetween(_ range: ClosedRange<Value>) -> TypedPredicate<Root>
  where Value: Comparable {
    typedExpression.comparing(.between, [range.lowerBound, range.upperBound])
  }

  /// Whether an optional property is in a range, including its bounds.
  ///
  /// - Parameter range: The smallest and the largest value.
  /// - Returns: The condition.
  public func isBetween<Wrapped: Comparable>(
    _ range: ClosedRange<Wrapped>
  ) -> TypedPredicate<Root> where Value == Wrapped? {
    typedExpression.comparing(.between, [range.lowerBound, range.upperBound])
  }
}
