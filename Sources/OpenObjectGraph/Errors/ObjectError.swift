public import Foundation
internal import OpenObjectModel

/// A call on a managed object or context that the model does not allow.
public struct ObjectError: LocalizedError, Sendable, CustomStringConvertible {
  /// The problem and the remedy.
  public var message: String
  public var entityName: String?
  public var propertyName: String?

  public init(_ message: String, entityName: String? = nil, propertyName: String? = nil) {
    self.message = message
    self.entityName = entityName
    self.propertyName = propertyName
  }

  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    return parts.joined(separator: " ")
  }

  /// The text of `localizedDescription`, with all facts.
  public var errorDescription: String? { description }
}

extension NSManagedObjectContext {
  /// Notes a mistake in a call of this context that cannot throw: it is logged, and the next save throws it.
  ///
  /// - Parameters:
  ///   - message: The problem and the remedy.
  ///   - object: The object that was given, of whatever context.
  func noteMisuse(_ message: String, of object: NSManagedObject) {
    let error = object.misuse(message, nil)
    GraphLog.error("\(error)")
    deferredErrors.note(error)
  }
}

extension NSManagedObject {
  final func misuse(_ message: String, _ key: String?) -> ObjectError {
    ObjectError(message, entityName: compiledEntity.name, propertyName: key)
  }

  /// Notes a mistake in a call that cannot throw: it is logged, and the next save throws it.
  final func reportMisuse(_ message: String, _ key: String?, blocksSave: Bool = true) {
    let error = misuse(message, key)
    if blocksSave { note(error) } else { GraphLog.error("\(error)") }
  }

  final func note(_ error: any Error) {
    GraphLog.error("\(error)")
    context?.deferredErrors.note(error)
  }
}

extension NSManagedObjectContext {
  /// Makes every save throw the error of a read in a call that could not throw, until the context is rolled back or reset.
  ///
  /// - Parameters:
  ///   - error: The error of the read.
  ///   - object: The object that the call returned instead of one that the store may hold.
  /// > Concurrency: On the context's queue.
  package final func deferFailedRead(_ error: any Error, of object: NSManagedObject) {
    GraphLog.error("\(error)")
    deferredErrors.noteFailedRead(of: object, error)
  }

  /// Runs work that looks at properties of objects, and throws the error of a read that failed meanwhile.
  package final func throwingFailedReads<Result>(_ work: () throws -> Result) throws -> Result {
    let count = deferredErrors.failedReadCount
    let result = try work()
    if deferredErrors.failedReadCount > count, let error = deferredErrors.lastFailure {
      deferredErrors.forgetFailedReads(after: count)
      throw error
    }
    return result
  }

  /// Throws what calls that could not throw have noted, as a save does.
  ///
  /// > Concurrency: On the context's queue.
  package final func throwDeferredErrors() throws { try deferredErrors.throwNext() }
}
