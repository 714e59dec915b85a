import CoreData
import Foundation
import OpenPersistenceKit

enum ScrapingError: Error { case missing(String) }

/// What the handlers of the listings did, for the tests.
final class ErrorJournal {
  var entries: [String] = []
}

struct DataFlowErrors {
  let journal = ErrorJournal()

  private func enableOfflineMode() { journal.entries.append("offline") }
  private func scheduleRetry(for operation: String) { journal.entries.append("retry \(operation)") }
  private func presentError(_ error: Error) { journal.entries.append("present") }
  private func reportScrapingError(_ error: ScrapingError) { journal.entries.append("report") }

  // Robust error handling throughout the data flow
  func handleNetworkError(_ error: Error, for operation: String) {
    switch error {
    case let urlError as URLError:
      switch urlError.code {
      case .notConnectedToInternet:
        // Enable offline mode
        enableOfflineMode()
      case .timedOut:
        // Retry with exponential backoff
        scheduleRetry(for: operation)
      default:
        // Log and present error
        logger.error("Network error for \(operation): \(error)")
        presentError(error)
      }
    case let scrapingError as ScrapingError:
      // Handle HTML parsing errors
      logger.error("Scraping error for \(operation): \(error)")
      reportScrapingError(scrapingError)
    default:
      // Generic error handling
      logger.error("Unknown error for \(operation): \(error)")
      presentError(error)
    }
  }

  // Core Data error handling and recovery
  func handleCoreDataError(_ error: Error, context: NSManagedObjectContext) {
    if let coreDataError = error as NSError? {
      switch coreDataError.code {
      case NSManagedObjectContextLockingError:
        // Context threading violation
        logger.error("Context threading error: \(error)")
        journal.entries.append("Core Data threading violation")

      case NSManagedObjectMergeError:
        // Merge conflict resolution
        logger.warning("Merge conflict: \(error)")
        resolveConflict(context: context)

      case NSValidationMissingMandatoryPropertyError:
        // Data validation error
        logger.error("Validation error: \(error)")
        rollbackChanges(context: context)

      default:
        logger.error("Core Data error: \(error)")
        rollbackChanges(context: context)
      }
    }
  }

  private func resolveConflict(context: NSManagedObjectContext) {
    do {
      try context.saveWithConflictResolution()
      journal.entries.append("resolved")
    } catch {
      rollbackChanges(context: context)
    }
  }

  private func rollbackChanges(context: NSManagedObjectContext) {
    context.rollback()
    journal.entries.append("rolled back")
  }
}

// Intelligent cache management for optimal performance
func manageCacheSize(
  _ cacheSize: Int, maxCacheSize: Int = 100 * 1024 * 1024, mainContext: NSManagedObjectContext,
  prune: () -> Void
) {
  if cacheSize > maxCacheSize {
    // Trigger cache pruning
    prune()

    // Force memory cleanup
    mainContext.perform {
      mainContext.refreshAllObjects()
    }
  }
}
