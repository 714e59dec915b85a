public import Foundation
internal import OpenObjectModel

/// A property was accessed that a context with strict loading would have had to read from a store.
///
/// A value; an addition to Apple's API. Throwing calls throw it; otherwise the next save throws it.
public struct StrictLoadingError: LocalizedError, Sendable, CustomStringConvertible {
  /// The entity of the object.
  public let entityName: String
  /// The relationship that is not loaded; nil when the object itself is a fault.
  public let relationshipName: String?
  /// The object.
  public let objectID: NSManagedObjectID

  /// The problem and the remedy.
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

  /// The text of `localizedDescription`, with all facts.
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
  /// Whether using a property of a fault, or a relationship that is not loaded, is an error instead of a read of a
  /// store.
  ///
  /// The property has no value, the mistake is logged, and the next save throws a ``StrictLoadingError``;
  /// `checkedValue(forKey:)` throws it immediately. Fetches, prefetching, `existingObject(with:)`, and reads during
  /// saves, deletions and merges work as usual. Faults whose rows are in memory also fire.
  ///
  /// > Concurrency: On the context's queue.
  /// > Reference: An addition to Apple's API.
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
  /// A refused read makes the next save throw. A read that a store failed to execute makes every save throw until the
  /// object is refreshed, or the context rolled back or reset.
  final func noteUnread(_ error: any Error, _ what: String) {
    if error is StrictLoadingError { return note(error) }
    GraphLog.error("\(what) cannot be read: \(error)")
    context?.deferredErrors.noteFailedRead(of: self, error)
  }
}
