internal import Foundation
internal import OpenObjectGraph
internal import OpenStoreContract

/// A readable report of an error that a Core Data stack threw.
///
/// ```
/// ❌ Core Data error in Saving tracks
///    Domain: NSCocoaErrorDomain
///    Code: 133000
///    Description: The operation couldn't be completed
///    Reason: Database is locked
///    Suggestion: Try closing other apps
///    Affected objects: 5
///      - Track: "Come Together"
///      - Track: "Something"
///      ...
/// ```
///
/// The names of affected objects come from the application's data. Before you send a report to a
/// service, check that the service may receive this data.
///
/// > Concurrency: A value type; usable on any thread. Create the report on the queue of the context
/// > that failed.
public struct ErrorReport: Sendable, Hashable {
  /// The operation that failed, such as `Saving tracks`. The text is empty if the operation was not
  /// specified.
  public var context: String
  /// The error's domain.
  public var domain: String
  /// The error's code.
  public var code: Int
  /// The localized description of the error.
  public var message: String
  /// The reason for the error; nil if the reason is unknown or equals ``message``.
  public var reason: String?
  /// A suggestion for the user or the programmer. If the error contains no suggestion, the value is
  /// the library's suggestion for the error's code, or nil if there is none.
  public var suggestion: String?
  /// Descriptions of the objects that the error refers to; empty if the error refers to no objects.
  ///
  /// Each description contains the entity's name and the object's name, such as
  /// `Track: "Something"`. The object's name is the value of the first string attribute among
  /// `title`, `name`, `displayName` and `username`. If the object has no such value, or if its
  /// context cannot be used on the current thread, the description contains the object's id, or
  /// `(no context)` if the object has no context.
  public var affectedObjects: [String]
  /// Reports of the errors that the error combines; empty for a single error.
  public var details: [ErrorReport]

  /// Creates a report of an error.
  ///
  /// - Parameters:
  ///   - error: Any error.
  ///   - context: The operation that failed, such as `Saving tracks`; empty if the report names no
  ///     operation.
  public init(_ error: any Error, context: String = "") {
    let bridged = error as NSError
    let store = bridged.userInfo[OpenStoreErrorKey] as? StoreError
    self.context = context
    domain = bridged.domain
    code = bridged.code
    let sentence = bridged.localizedDescription
    message = sentence
    // In errors of the library, the reason repeats the description, because Foundation prints the
    // reason.
    reason =
      bridged.localizedFailureReason.flatMap { $0 == sentence ? nil : $0 }
      ?? Self.reason(of: store, beside: sentence)
    suggestion = bridged.localizedRecoverySuggestion ?? ErrorAdvice.suggestion(for: bridged)
    affectedObjects = AffectedObjects.of(bridged).map(AffectedObjects.label)
    let inner = bridged.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
    details = inner.map { ErrorReport($0, context: context) }
  }

  private static func reason(of store: StoreError?, beside message: String) -> String? {
    guard let store, store.message != message else { return nil }
    return store.message
  }

  /// Returns the report as several lines of text.
  ///
  /// - Parameter objectLimit: The maximum number of entries in the list of affected objects, and in
  ///   the list of the errors that the error combines; nil for no limit. A negative value is
  ///   treated as 0.
  /// - Returns: The text of the report.
  public func text(objectLimit: Int? = 2) -> String {
    var lines = [context.isEmpty ? "❌ Core Data error" : "❌ Core Data error in \(context)"]
    lines.append("   Domain: \(domain)")
    lines.append("   Code: \(code)")
    lines.append("   Description: \(message)")
    if let reason { lines.append("   Reason: \(reason)") }
    if let suggestion { lines.append("   Suggestion: \(suggestion)") }
    lines += Self.list(affectedObjects, under: "Affected objects", objectLimit)
    lines += Self.list(details.map { "\($0.code): \($0.message)" }, under: "Errors", objectLimit)
    return lines.joined(separator: "\n")
  }

  private static func list(_ items: [String], under title: String, _ limit: Int?) -> [String] {
    guard !items.isEmpty else { return [] }
    let shown = items.prefix(max(0, limit ?? items.count))
    let rest = shown.count < items.count ? ["     ..."] : []
    return ["   \(title): \(items.count)"] + shown.map { "     - \($0)" } + rest
  }
}
