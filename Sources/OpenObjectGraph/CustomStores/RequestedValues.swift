internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// A fetch of dictionaries that an incremental custom store executes.
///
/// > Concurrency: Confined to the context's queue.
struct RequestedValues {
  private let request: NSFetchRequest<any NSFetchRequestResult>
  private let requests: RequestBackend
  private let context: NSManagedObjectContext

  /// Creates the fetch; nil if the request searches no incremental custom store.
  ///
  /// - Throws: `CocoaError` 134091 for a request that searches an incremental store and other
  ///   stores, because the dictionaries of several stores cannot be combined.
  init?<Result>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext) throws {
    let coordinator = try context.requireCoordinator()
    let entity = try context.entity(of: request)
    let stores = try coordinator.searchedStores(of: request, for: entity)
    guard let requests = stores.lazy.compactMap(\.requests).first else { return nil }
    guard stores.count == 1 else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "A fetch of dictionaries cannot combine an incremental store with other stores. Set the request's affectedStores to "
          + "a single store.")
    }
    let copy = NSFetchRequest<any NSFetchRequestResult>(copying: request)
    copy.entity = entity.entityDescription
    self.request = copy
    self.requests = requests
    self.context = context
  }

  /// Returns the dictionaries of the store.
  func dictionaries() throws -> [NSDictionary] {
    try surfacingErrors {
      try requests.dictionaries(matching: request, in: context).map { NSDictionary(dictionary: $0) }
    }
  }
}
