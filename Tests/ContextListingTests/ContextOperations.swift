import CoreData
import Foundation

// BatchOperations.swift - Efficient batch processing
extension NSManagedObjectContext {
  func performBatchUpdate<T: NSManagedObject>(
    entity: T.Type,
    predicate: NSPredicate?,
    propertiesToUpdate: [String: Any]
  ) throws -> NSBatchUpdateResult {

    let batchUpdateRequest = NSBatchUpdateRequest(entity: T.entity())
    batchUpdateRequest.predicate = predicate
    batchUpdateRequest.propertiesToUpdate = propertiesToUpdate
    batchUpdateRequest.resultType = .updatedObjectIDsResultType

    let result = try execute(batchUpdateRequest) as! NSBatchUpdateResult

    // Merge changes to avoid stale objects
    if let objectIDs = result.result as? [NSManagedObjectID] {
      let changes = [NSUpdatedObjectsKey: objectIDs]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [self])
    }

    return result
  }

  func performBatchDelete<T: NSManagedObject>(
    entity: T.Type,
    predicate: NSPredicate?
  ) throws -> NSBatchDeleteResult {

    let batchDeleteRequest = NSBatchDeleteRequest(fetchRequest: T.fetchRequest())
    batchDeleteRequest.fetchRequest.predicate = predicate
    batchDeleteRequest.resultType = .resultTypeObjectIDs

    let result = try execute(batchDeleteRequest) as! NSBatchDeleteResult

    // Merge changes to avoid stale objects
    if let objectIDs = result.result as? [NSManagedObjectID] {
      let changes = [NSDeletedObjectsKey: objectIDs]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [self])
    }

    return result
  }
}

// MemoryManagedOperation.swift - Memory-conscious operations
class MemoryManagedOperation: Operation, @unchecked Sendable {
  private let context: NSManagedObjectContext
  private let processBatch: ([Thread]) -> Void

  init(context: NSManagedObjectContext, processBatch: @escaping ([Thread]) -> Void) {
    self.context = context
    self.processBatch = processBatch
  }

  override func main() {
    context.performAndWait {
      autoreleasepool {
        do {
          try performWork()

          // Save and reset context to free memory
          try context.save()
          context.reset()

        } catch {
          logger.error("Operation failed: \(error)")
          context.reset()
        }
      }
    }
  }

  private func performWork() throws {
    // Heavy data processing work
    let largeFetch = createLargeFetchRequest()
    let results = try context.fetch(largeFetch)

    for batch in results.chunked(into: 100) {
      autoreleasepool {
        processBatch(batch)
      }
    }
  }

  private func createLargeFetchRequest() -> NSFetchRequest<Thread> { Thread.fetchRequest() }
}

// ContextValidator.swift - Threading violation detection
extension NSManagedObjectContext {
  func performSafely(_ block: @escaping () throws -> Void) throws {
    var thrownError: Error?

    performAndWait {
      do {
        try block()
      } catch {
        thrownError = error
      }
    }

    if let error = thrownError {
      throw error
    }
  }

  func validateThreading() {
    switch concurrencyType {
    case .mainQueueConcurrencyType:
      assert(Foundation.Thread.isMainThread, "Main queue context accessed from background thread")
    case .privateQueueConcurrencyType:
      // Private queue contexts handle their own threading
      break
    case .confinementConcurrencyType:
      // Legacy concurrency type - should not be used
      assertionFailure("Confinement concurrency type is deprecated")
    // An enumeration of a package has no unknown cases.
    }
  }
}

// ConflictResolution.swift - Save conflict handling
extension NSManagedObjectContext {
  func saveWithConflictResolution() throws {
    do {
      try save()
    } catch let error as NSError {
      if error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError {
        // Handle multiple validation errors
        if let detailedErrors = error.userInfo[NSDetailedErrorsKey] as? [NSError] {
          for detailedError in detailedErrors {
            logger.error("Validation error: \(detailedError.localizedDescription)")
          }
        }
        throw error
      } else if error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError {
        // Handle merge conflicts
        try resolveMergeConflict(error)
        try save()  // Retry save after resolving conflict
      } else {
        throw error
      }
    }
  }

  private func resolveMergeConflict(_ error: NSError) throws {
    guard
      let conflictedObjects = error.userInfo[NSPersistentStoreSaveConflictsErrorKey]
        as? [NSMergeConflict]
    else {
      throw error
    }

    for conflict in conflictedObjects {
      // Resolve conflict by preferring newer data. As printed, the listing mixes an object with a
      // dictionary and compiles nowhere; its aim needs the object on top of the newer version first.
      refresh(conflict.sourceObject, mergeChanges: false)
      let attributes = conflict.sourceObject.entity.attributesByName
      if let newerSnapshot = conflict.newVersionNumber > conflict.oldVersionNumber
        ? conflict.persistedSnapshot : conflict.objectSnapshot
      {
        conflict.sourceObject.setValuesForKeys(newerSnapshot.filter { attributes[$0.key] != nil })
      }
    }
  }
}

// ContextCompatibility.swift - SwiftUI migration support
extension NSManagedObjectContext {
  /// SwiftUI-compatible async save
  @MainActor
  func asyncSave() async throws {
    guard hasChanges else { return }

    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
      perform {
        do {
          try self.save()
          continuation.resume()
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}

// FutureDataLayer.swift - SwiftData preparation
protocol DataLayerProtocol {
  associatedtype Context

  func mainContext() -> Context
  func backgroundContext() -> Context
  func save(_ context: Context) async throws
}

// Core Data implementation
struct CoreDataLayer: DataLayerProtocol {
  typealias Context = NSManagedObjectContext

  let dataStore: DataStore

  func mainContext() -> NSManagedObjectContext {
    return dataStore.mainManagedObjectContext
  }

  func backgroundContext() -> NSManagedObjectContext {
    return dataStore.backgroundContext
  }

  func save(_ context: NSManagedObjectContext) async throws {
    try await context.asyncSave()
  }
}

/// The data source without the wrappers of SwiftUI.
@MainActor
class SwiftUIDataSource {
  private let mainContext: NSManagedObjectContext
  private let backgroundContext: NSManagedObjectContext

  var isLoading = false
  var error: Error?

  init(mainContext: NSManagedObjectContext, backgroundContext: NSManagedObjectContext) {
    self.mainContext = mainContext
    self.backgroundContext = backgroundContext
  }

  func performBackgroundOperation<T>(
    _ operation: @escaping (NSManagedObjectContext) throws -> T
  ) async throws -> T {
    return try await withCheckedThrowingContinuation { continuation in
      backgroundContext.perform {
        do {
          let result = try operation(self.backgroundContext)
          continuation.resume(returning: result)
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}
