public import Foundation

extension FormatInitializable {
  /// Creates a predicate from a `#Predicate`.
  ///
  /// Stores can execute the result. The result is true for the same objects as the Swift predicate,
  /// including objects with nil values. There is one exception: an attribute that has no value,
  /// although its property has a non-optional type such as `Int64`. For this attribute, neither a
  /// comparison nor the negation of the comparison is true.
  ///
  /// The result is nil if a part of the predicate cannot be translated. Examples are regular
  /// expressions, casts to types other than managed object classes, key paths with unmanaged
  /// properties, and collection methods other than `contains`, `allSatisfy`, `filter`, `count` and
  /// `isEmpty`. Use ``Foundation/NSPredicate/translating(_:)`` to get the error.
  ///
  /// - Parameter predicate: A predicate on objects of one class.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, NSPredicate, init(_:).
  public init?<Input: NSObject>(_ predicate: Predicate<Input>) {
    // `translating(_:)` reports the error.
    guard let translated = try? NSPredicate.translating(predicate) as? Self else { return nil }
    self = translated
  }
}

extension NSPredicate {
  /// Creates a predicate from a `#Predicate`, or throws an error.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter predicate: A predicate. All properties in its key paths must be managed
  ///   properties, or properties of types with `@ReadableByKey`.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with one of the following codes:
  ///   - `.unsupportedSyntax`: A part of the predicate cannot be translated.
  ///   - `.invalidKeyPath`: A key path contains a computed or transient property.
  ///   - `.tooDeep`: The predicate has more than 200 levels.
  /// > Concurrency: Usable on any thread.
  public static func translating<Input>(
    _ predicate: Predicate<Input>
  ) throws(PredicateFormatError) -> NSPredicate {
    var lowering = SwiftPredicateLowering(object: predicate.variable.key)
    let root = try lowering.condition(predicate.expression).holds
    return .from(try lowering.template(of: root), arguments: lowering.arguments, variables: [:])
  }

  /// Creates a predicate for fetches from a `#Predicate`.
  ///
  /// During a fetch, the store evaluates the parts of the predicate that it supports. Swift then
  /// evaluates the other parts, such as regular expressions, in memory for the objects that the
  /// store selected. The library logs each reason for evaluation in memory once for each entity. If
  /// the request's `allowsEvaluationInMemory` is false, a fetch that needs evaluation in memory
  /// throws `CocoaError` 134060.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter predicate: A predicate on objects of one class.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with one of the following codes:
  ///   - `.invalidKeyPath`: A key path contains a computed or transient property.
  ///   - `.unsupportedSyntax`: The predicate uses a variable that the predicate does not declare.
  ///   - `.tooDeep`: The predicate has more than 200 levels.
  /// > Concurrency: Usable on any thread.
  public static func fetching<Input: NSObject>(
    _ predicate: Predicate<Input>
  ) throws(PredicateFormatError) -> NSPredicate {
    try fetching(predicate) { $0 as? Input }
  }

  /// Converts a Swift predicate to a predicate for fetches whose objects represent values of the
  /// Swift predicate's input type.
  ///
  /// - Parameters:
  ///   - predicate: A predicate whose key paths consist of properties that have names.
  ///   - captured: A closure that converts captured values of a higher layer's types to values of
  ///     the object graph, and returns nil if it cannot convert a value.
  ///   - subject: A closure that returns the value that a fetched object represents, or nil if the
  ///     object represents no value.
  /// - Throws: `PredicateFormatError` with one of the following codes:
  ///   - `.invalidKeyPath`: A key path contains a computed or transient property.
  ///   - `.unsupportedSyntax`: The predicate uses a variable that the predicate does not declare.
  ///   - `.tooDeep`: The predicate has more than 200 levels.
  package static func fetching<Input>(
    _ predicate: Predicate<Input>, captured: @escaping (Any) -> Any? = { $0 },
    subject: @escaping (Any?) -> Input?
  ) throws(PredicateFormatError) -> NSPredicate {
    let subject = StandingFor(variable: predicate.variable, value: subject)
    let source = __PredicateSource(predicate.expression, about: subject)
    return try fetching(source, captured: captured)
  }

  /// Converts the expression of a Swift predicate to a predicate for fetches.
  ///
  /// - Parameters:
  ///   - source: The expression and the subject of the predicate.
  ///   - captured: A closure that converts captured values of a higher layer's types to values of
  ///     the object graph, and returns nil if it cannot convert a value.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with one of the following codes:
  ///   - `.invalidKeyPath`: A key path contains a computed or transient property.
  ///   - `.unsupportedSyntax`: The predicate uses a variable that the predicate does not declare.
  ///   - `.tooDeep`: The predicate has more than 200 levels.
  package static func fetching(
    _ source: __PredicateSource, captured: @escaping (Any) -> Any?
  ) throws(PredicateFormatError) -> NSPredicate {
    try PredicateTranslation(source: source, captured: captured).whole()
  }
}

/// A predicate subject whose objects represent values; a function returns the value of an object.
private struct StandingFor<Input>: __PredicateSubject {
  let variable: PredicateExpressions.Variable<Input>
  let value: (Any?) -> Input?

  var variableID: PredicateExpressions.VariableID { variable.key }

  func bindings(for object: Any?) -> PredicateBindings? {
    value(object).map { PredicateBindings((variable, $0)) }
  }
}
