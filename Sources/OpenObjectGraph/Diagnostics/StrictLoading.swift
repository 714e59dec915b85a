public import Foundation
internal import OpenObjectModel

/// An error that occurs when a program uses an unloaded property in a context with strict loading.
///
/// A method that can throw, such as `checkedValue(forKey:)`, throws this error immediately. After
/// any other use of such a property, the next save throws this error.
///
/// This is an addition to Apple's API.
public struct StrictLoadingError: LocalizedError, Sendable, CustomStringConvertible {
  /// The name of the entity of the object whose property was used.
  public let entityName: String
  /// The name of the relationship that is not loaded; nil if the object itself is a fault.
  public let relationshipName: String?
  /// The id of the object whose property was used.
  public let objectID: NSManagedObjectID

  /// A description of the problem and the remedy.
  public var description: String {
    let remedy =
      "Prefetch it with relationshipKeyPathsForPrefetching, or fetch it before it is used."
    if let relationshipName {
      return
        "The relationship \(relationshipName) of \(entityName) is not loaded, and the context uses strict loading. "
        + remedy
    }
    return "An object of \(entityName) is a fault, and the context uses strict loading. \(remedy)"
  }

  /// The text of `localizedDescription`, which is ``description``.
  public var errorDescription: String? { description }
}

/// The rule that decides whether a context may read stores for the properties that the application
/// uses.
///
/// Owned by its context.
///
/// > Concurrency: Confined to the context's queue.
struct LoadingRule {
  /// The value of ``NSManagedObjectContext/strictLoading``.
  var isStrict = false
  /// The number of running steps of the context itself, which may read stores.
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
  /// Runs a step of the context itself, which may read stores.
  @inline(__always)
  final func loadingFreely<Result, Failure: Error>(
    _ step: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    loading.beginOwnStep()
    defer { loading.endOwnStep() }
    return try step()
  }

  /// Throws if strict loading forbids reading a store for a property that the application uses.
  @inline(__always)
  final func throwIfStrict(
    _ object: NSManagedObject, _ property: CompiledProperty? = nil
  ) throws(StrictLoadingError) {
    guard loading.refuses else { return }
    throw StrictLoadingError(
      entityName: object.compiledEntity.name, relationshipName: property?.name,
      objectID: object.currentID)
  }
}

extension NSManagedObject {
  /// Notes the error of a read in a call that cannot throw.
  ///
  /// A read that strict loading refused makes the next save throw. A read that failed in a store
  /// makes every save throw until the object is refreshed, or the context is rolled back or reset.
  final func noteUnread(_ error: any Error, _ what: String) {
    if error is StrictLoadingError { return note(error) }
    GraphLog.error("\(what) cannot be read: \(error)")
    context?.deferredErrors.noteFailedRead(of: self, error)
  }
}
