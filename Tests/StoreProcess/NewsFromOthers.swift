import Foundation
import OpenCoreData
import Synchronization

/// Counts the transactions of other processes announced by remote change notifications.
final class NewsFromOthers {
  private struct Shared: @unchecked Sendable {
    // Invariant: used in its own queue only.
    let context: NSManagedObjectContext
    let changed = NSCondition()
  }

  private final class Count: Sendable {
    let state = Mutex((found: 0, error: ""))
  }

  private let shared: Shared
  private let count = Count()
  private let observer: any NSObjectProtocol

  init(_ coordinator: NSPersistentStoreCoordinator, author: String) {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let shared = Shared(context: context)
    let count = count
    nonisolated(unsafe) var last = coordinator.currentPersistentHistoryToken(fromStores: nil)
    self.shared = shared
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { _ in
      shared.context.performAndWait {
        do {
          let request = NSPersistentHistoryChangeRequest.fetchHistory(after: last)
          let result = try shared.context.execute(request) as? NSPersistentHistoryResult
          let found = result?.result as? [NSPersistentHistoryTransaction] ?? []
          last = found.last?.token ?? last
          let others = found.filter { $0.author != author }.count
          count.state.withLock { $0.found += others }
        } catch {
          count.state.withLock { $0.error = Answer.text(of: error) }
        }
      }
      shared.changed.lock()
      shared.changed.broadcast()
      shared.changed.unlock()
    }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }

  /// Waits until so many were found; half a minute at most.
  func waitFor(_ wanted: Int) -> String {
    let deadline = Date(timeIntervalSinceNow: 30)
    shared.changed.lock()
    defer { shared.changed.unlock() }
    while count.state.withLock({ $0.found }) < wanted, shared.changed.wait(until: deadline) {}
    let (found, error) = count.state.withLock { $0 }
    return error.isEmpty ? "saw \(found)" : error
  }
}
