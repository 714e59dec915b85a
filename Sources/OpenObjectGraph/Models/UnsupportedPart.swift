internal import Foundation
internal import OpenPredicates
internal import OpenStoreContract

/// The part of a fetch request that neither a store nor memory can execute.
package enum UnsupportedPart {
  /// The predicate, or the request as a whole.
  case predicate
  /// The sort descriptors.
  case order

  /// Returns the part of a request that caused the error of a fetch; nil if the error has another
  /// cause.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - error: The error that a fetch or a count of the request threw.
  ///   - context: The context of the fetch.
  package static func part<Result>(
    of request: NSFetchRequest<Result>, causing error: any Error,
    in context: NSManagedObjectContext
  ) -> UnsupportedPart? {
    if error is PredicateFormatError { return .predicate }
    guard let error = error as? CocoaError,
      let cause = error.userInfo[OpenStoreErrorKey] as? StoreError,
      cause.code == .unsupportedPredicate
    else { return nil }
    let unsorted = NSFetchRequest<NSManagedObject>(copying: request)
    unsorted.sortDescriptors = nil
    if !canPrepare(unsorted, in: context) { return .predicate }
    if !canPrepare(request, in: context) || request.predicate == nil { return .order }
    // The request is too large for a store, or a key path for prefetching is invalid.
    return cause.propertyName == nil ? .predicate : nil
  }

  private static func canPrepare<Result>(
    _ request: NSFetchRequest<Result>, in context: NSManagedObjectContext
  ) -> Bool {
    // The caller already has the error.
    (try? PreparedFetch(request, in: context)) != nil
  }
}
