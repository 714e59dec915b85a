public import Foundation
internal import OpenObjectModel

/// An error that reports misuse of a managed object or a context.
///
/// A throwing method throws the error immediately. After misuse of a property or of a method that
/// cannot throw, the next save throws the error.
///
/// This is an addition to Apple's API.
public struct ObjectError: LocalizedError, Sendable, CustomStringConvertible {
  /// A description of the problem and the remedy.
  public var message: String
  /// The name of the entity that the error concerns; nil if the entity is unknown.
  public var entityName: String?
  /// The name of the property that the error concerns; nil if the error does not concern a single
  /// property.
  public var propertyName: String?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - message: A description of the problem and the remedy.
  ///   - entityName: The name of the entity that the error concerns; nil if the entity is unknown.
  ///   - propertyName: The name of the property that the error concerns; nil if the error does not
  ///     concern a single property.
  public init(_ message: String, entityName: String? = nil, propertyName: String? = nil) {
    self.message = message
    self.entityName = entityName
    self.propertyName = propertyName
  }

  /// The message, followed by the names of the entity and the property.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    return parts.joined(separator: " ")
  }

  /// The text of `localizedDescription`, which is ``description``.
  public var errorDescription: String? { description }
}

extension NSManagedObject {
  final func misuse(_ message: String, _ key: String?) -> ObjectError {
    ObjectError(message, entityName: compiledEntity.name, propertyName: key)
  }

  /// Logs a misuse in a call that cannot throw, and makes the next save throw the error.
  ///
  /// - Parameters:
  ///   - blocksSave: Whether the next save throws the error; if false, the misuse is only logged.
  ///   - isRead: Whether the call only reads. A batch insertion ignores a misuse in such a call.
  final func reportMisuse(
    _ message: String, _ key: String?, blocksSave: Bool = true, isRead: Bool = false
  ) {
    let error = misuse(message, key)
    if blocksSave { note(error, isRead: isRead) } else { GraphLog.error("\(error)") }
  }

  final func note(_ error: any Error, isRead: Bool = false) {
    if let context { return context.deferredErrors.note(error) }
    GraphLog.error("\(error)")
    if isRead { return }
    guard registry == nil, key == 0, entityToken != EmptyEntity.shared.token else { return }
    // A batch insertion throws the first misuse of an object that its handler fills.
    let extras = makeExtras()
    if extras.misuse == nil { extras.misuse = error }
  }
}
