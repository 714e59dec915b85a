internal import Foundation
internal import OpenStoreContract

/// Stores that a coordinator closes and removes while work changes their files.
///
/// A coordinator creates a value for each operation. The value decides which stores are added again
/// after the work, and in which order. It never changes a file itself.
struct StoreRemoval {
  private let stores: [NSPersistentStore]
  private let coordinator: NSPersistentStoreCoordinator
  /// The positions of all stores of the coordinator before the removal, in their order.
  private let positions: [Int]

  /// Prepares the removal of stores; the stores remain attached until ``run(_:)``.
  init(of stores: [NSPersistentStore], from coordinator: NSPersistentStoreCoordinator) {
    self.stores = stores
    self.coordinator = coordinator
    positions = coordinator.persistentStores.map(\.position)
  }

  /// Closes and removes the stores, and runs work on their files. If the work fails, the method
  /// adds the stores again, except stores that their files no longer contain.
  ///
  /// - Throws: The error of the work. If a store cannot be added again, the error has the same code
  ///   and contains the error of the addition under `NSUnderlyingErrorKey`, and both errors under
  ///   `NSDetailedErrorsKey`.
  func run(_ work: () throws -> Void) throws {
    do {
      for store in stores { try coordinator.remove(store) }
      try work()
    } catch {
      let failure = restore(after: error)
      coordinator.sortStores(by: positions)
      throw failure
    }
  }

  /// Closes the stores, runs work on their files, and opens the stores again at their places in the
  /// order of the stores, even if the work failed.
  ///
  /// - Throws: The same errors as ``run(_:)``, and any error from opening a store.
  func runAndReopen(_ work: () throws -> Void) throws {
    try run(work)
    var order = positions
    for store in stores {
      let added = try coordinator.addAgain(store)
      // A store whose contents were destroyed is a new store, with another position.
      order = order.map { $0 == store.position ? added.position : $0 }
    }
    coordinator.sortStores(by: order)
  }

  /// Adds removed stores again after an error, and returns the error to throw.
  private func restore(after failure: any Error) -> any Error {
    var result = failure
    for store in stores where !coordinator.persistentStores.contains(where: { $0 === store }) {
      do {
        try Self.requireContents(of: store)
        let added = try coordinator.addAgain(store)
        guard added.isSame(as: store) else { continue }
        added.adoptPendingMetadata(of: store)
        if store.isReadOnly { added.isReadOnly = true }
      } catch {
        result = Self.closed(store, after: failure, error)
      }
    }
    return result
  }

  /// Requires that the file of a removed store still contains the store. Otherwise, adding the
  /// store again would create a new store.
  private static func requireContents(of store: NSPersistentStore) throws {
    guard let url = store.url, !url.isInMemory, try StoreTypes.opener(of: store.type).files != nil
    else { return }
    let metadata = try StoreFileAccess(store.type, at: url, store.options).metadata()
    if metadata[NSStoreUUIDKey] as? String == store.backend.identifier { return }
    throw CocoaError.make(
      .persistentStoreOpen, "The file no longer contains the store.", path: url.path)
  }

  /// Returns the error for a store that could not be changed and then could not be reopened.
  private static func closed(
    _ store: NSPersistentStore, after failure: any Error, _ error: any Error
  ) -> any Error {
    let cause = failure as? CocoaError
    var userInfo = cause?.userInfo ?? [:]
    userInfo[NSUnderlyingErrorKey] = error
    userInfo[NSDetailedErrorsKey] = [failure, error]
    return CocoaError.make(
      cause?.code ?? .persistentStoreOpen,
      "\(failure.localizedDescription) The store is closed, because it cannot be opened again: \(error.localizedDescription)",
      path: store.url?.path, userInfo: userInfo)
  }
}
