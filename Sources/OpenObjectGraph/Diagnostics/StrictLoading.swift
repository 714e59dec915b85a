public import Foundation
internal import OpenObjectModel

/// Values were asked for that a context with strict loading would have had to read from a store.
///
/// A value; an addition. Calls that can throw throw it; after others the next save does.
public struct StrictLoadingError: LocalizedError, Sendable, CustomStringConvertible {
  /// The entity of the object.
  public let entityName: String
  /// The relationship that is not loaded; nil when the object itself is a fault.
  public let relationshipName: String?
  /// The object.
  public let objectID: NSManagedObjectID

  /// What happened and what to do.
  public var description: String {
    let remedy =
      "Prefetch it with relationshipKeyPathsForPrefetching, or fetch it before it is used."
    if let relationshipName {
      return
        "The relationship \(relationshipName) of \(entityName) is not loaded, and the context loads strictly. "
        + remedy
    }
    return "An object of \(entityName) is a fault, and the context loads strictly. \(remedy)"
  }

  /// What `localizedDescription` says: all that is known, in one text.
  public var errorDescription: String? { description }
}

/// Whether a context reads stores for properties that the program uses.
///
/// Owned by its context.
///
/// > Concurrency: Confined to the context's queue.
struct LoadingRule {
  /// See ``NSManagedObjectContext/strictLoading``.
  var isStrict = false
  /// Steps of the context itself that run now, and may read whatever they need.
  private var ownSteps = 0

  /// Whether a store must not be read now.
  @inline(__always)
  var refuses: Bool { isStrict && ownSteps == 0 }

  @inline(__always)
  mutating func beginOwnStep() { ownSteps += 1 }

  @inline(__always)
  mutating func endOwnStep() { ownSteps -= 1 }
}

extension NSManagedObjectContext {
  /// Whether the context refuses to read a store when a property of a fault, or a relationship that is not loaded, is
  /// used.
  ///
  /// The property reads as if it had no value, the mistake is logged, and the next save throws a
  /// ``StrictLoadingError``; `checkedValue(forKey:)` throws it at once. Fetches, prefetching,
  /// `existingObject(with:)` and what saves, deletions and merges need go on as ever, and so do faults whose rows
  /// the context finds without asking a store.
  ///
  /// > Concurrency: On the context's queue.
  /// > Reference: An addition.
  public var strictLoading: Bool {
    get { loading.isStrict }
    set { loading.isStrict = newValue }
  }

  /// Runs a step of the context itself, which may read what it needs.
  @inline(__always)
  final func loadingFreely<Result, Failure: Error>(
    _ step: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    loading.beginOwnStep()
    defer { loading.endOwnStep() }
    return try step()
  }

  /// Throws where a store would be read for a property that the program uses.
  @inline(__always)
  final func throwIfStrict(
    _ object: NSManagedObject, _ property: CompiledProperty? = nil
  ) throws(StrictLoadingError) {
    guard loading.refuses else { return }
    throw StrictLoadingError(
      entityName: object.compiledEntity.name, relationshipName: property?.name,
      objectID: object.objectID)
  }
}

extension NSManagedObject {
  /// Notes why values could not be read, in a call that cannot throw.
  ///
  /// A refused read makes the next save throw. A read that a store failed to carry out makes every save throw until the
  /// object is refreshed, or the context rolled back or reset.
  final func noteUnread(_ error: any Error, _ what: String) {
    if error is StrictLoadingError { return note(error) }
    GraphLog.error("\(what) cannot be read: \(error)")
    context?.deferredErrors.noteFailedRead(of: self, error)
  }
}
