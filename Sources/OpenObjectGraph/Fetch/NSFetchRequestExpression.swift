public import OpenPredicates

/// An expression that executes a fetch; its value is the results or the number of results.
///
/// In a fetch predicate, the expression is evaluated once, before the outer fetch runs. The inner
/// fetch runs in the given context, or in the context of the outer fetch if no context is given.
/// Fetches can be nested up to eight levels deep. The outer fetch throws `CocoaError` 134060 if the
/// nesting is deeper, or if the value of ``requestExpression`` is not a fetch request.
///
/// ```swift
/// let recent = NSFetchRequestExpression.expression(
///   forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context),
///   countOnly: false)
/// ```
///
/// > Concurrency: Confined to the queue of the context that executes the fetch.
/// > Reference: Apple, NSFetchRequestExpression.
open class NSFetchRequestExpression: NSExpression {
  /// The expression whose value is the fetch request.
  public let requestExpression: NSExpression
  /// The expression whose value is the context of the fetch; if the value is nil, the fetch uses
  /// the context of the outer fetch.
  public let contextExpression: NSExpression
  /// Whether the expression's value is the number of results instead of the results.
  public let isCountOnlyRequest: Bool

  /// Returns an expression for the result of a fetch.
  ///
  /// - Parameters:
  ///   - fetch: An expression whose value is an `NSFetchRequest`.
  ///   - context: An expression whose value is an `NSManagedObjectContext`. If the value is nil,
  ///     the fetch uses the context of the outer fetch.
  ///   - countFlag: Whether to return the number of results instead of the results.
  /// - Returns: An `NSFetchRequestExpression`.
  /// > Reference: Apple, expression(forFetch:context:countOnly:).
  public class func expression(
    forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
  ) -> NSExpression {
    NSFetchRequestExpression(fetch, context, countFlag)
  }

  private init(_ fetch: NSExpression, _ context: NSExpression, _ isCountOnly: Bool) {
    requestExpression = fetch
    contextExpression = context
    isCountOnlyRequest = isCountOnly
    _ = FetchNesting.installed
    let offset = fetch.values.count
    let shifted = try? TreeReplacement { node, _ in
      if case .argument(let number) = node { .argument(number + offset) } else { nil }
    }.expression(context.tree)  // Nothing in there throws.
    super.init(
      node: .fetch(
        fetch.tree, shifted ?? .constant(.null), countOnly: .constant(.bool(isCountOnly))),
      values: fetch.values + context.values)
  }
}
