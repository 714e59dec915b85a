public import Foundation

extension FormatInitializable {
  /// Creates a predicate from a `#Predicate`.
  ///
  /// It is true for the same objects as the Swift predicate, including for nil values, and stores can execute it. The only
  /// difference is a property of a non-optional type, such as `Int64`, whose attribute has no value: comparisons with
  /// it are unknown.
  ///
  /// - Parameter predicate: A predicate on objects of one class.
  /// - Returns: The predicate; nil if a part cannot be translated: regular expressions, casts, methods of collections
  ///   other than `contains`, `allSatisfy`, `filter`, `count` and `isEmpty`, and key paths over other than managed
  ///   properties. Use ``Foundation/NSPredicate/translating(_:)`` for the error.
  /// > Concurrency: Any thread.
  /// > Reference: Apple, NSPredicate, init(_:).
  public init?<Input: NSObject>(_ predicate: Predicate<Input>) {
    // The error is what `translating(_:)` is for.
    guard let translated = try? NSPredicate.translating(predicate) as? Self else { return nil }
    self = translated
  }
}

extension NSPredicate {
  /// Creates a predicate from a `#Predicate`, or throws the reason.
  ///
  /// An addition to Apple's API.
  ///
  /// - Parameter predicate: A predicate on objects of one type whose key paths have names.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the part that cannot be translated.
  /// > Concurrency: Any thread.
  public static func translating<Input>(
    _ predicate: Predicate<Input>
  ) throws(PredicateFormatError) -> NSPredicate {
    var lowering = SwiftPredicateLowering(object: predicate.variable.key)
    let root = try lowering.condition(predicate.expression).holds
    try TreeDepth.check(root)
    let template = SharedTemplates.template(of: root, argumentCount: lowering.arguments.count)
    return .from(template, arguments: lowering.arguments, variables: [:])
  }

  /// Creates a predicate for fetches from a `#Predicate`.
  ///
  /// An addition to Apple's API. The store executes the parts that it can. Swift evaluates the rest, such as a regular expression,
  /// in memory on the objects that the store selects; the log reports this once. With `allowsEvaluationInMemory =
  /// false` such a fetch throws.
  ///
  /// - Parameter predicate: A predicate on objects of one class.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `invalidKeyPath` for a computed or transient property.
  /// > Concurrency: Any thread.
  /// > Reference: Addition.
  public static func fetching<Input: NSObject>(
    _ predicate: Predicate<Input>
  ) throws(PredicateFormatError) -> NSPredicate {
    try fetching(predicate) { $0 as? Input }
  }

  /// Creates a predicate for fetches of objects that represent the values of a Swift predicate.
  ///
  /// - Parameters:
  ///   - predicate: A predicate on values whose key paths have names.
  ///   - captured: Turns captured values that only the layer above knows into values of the graph.
  ///   - subject: The value that an object of a fetch represents; nil for an object that represents none.
  /// - Throws: `PredicateFormatError` with the code `invalidKeyPath` for a computed or transient property.
  package static func fetching<Input>(
    _ predicate: Predicate<Input>, captured: @escaping (Any) -> Any? = { $0 },
    subject: @escaping (Any?) -> Input?
  ) throws(PredicateFormatError) -> NSPredicate {
    let subject = StandingFor(variable: predicate.variable, value: subject)
    return try fetching(predicate.expression, about: subject, captured: captured)
  }

  /// Creates a predicate for fetches of the expression of a Swift predicate.
  ///
  /// - Throws: `PredicateFormatError` with the code `invalidKeyPath` for a computed or transient property.
  package static func fetching(
    _ expression: any StandardPredicateExpression<Bool>, about subject: any __PredicateSubject,
    captured: @escaping (Any) -> Any?
  ) throws(PredicateFormatError) -> NSPredicate {
    try PredicateTranslation(subject: subject, captured: captured).whole(expression)
  }
}

/// Objects that represent values; a function returns the value of an object.
private struct StandingFor<Input>: __PredicateSubject {
  let variable: PredicateExpressions.Variable<Input>
  let value: (Any?) -> Input?

  var variableID: PredicateExpressions.VariableID { variable.key }

  func bindings(for object: Any?) -> PredicateBindings? {
    value(object).map { PredicateBindings((variable, $0)) }
  }
}
