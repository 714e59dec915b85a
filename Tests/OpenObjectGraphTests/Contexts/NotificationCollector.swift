import Foundation
import OpenCoreData

/// The stores that behaviour is tested on.
enum StoreTypes {
  static let both = [NSSQLiteStoreType, NSInMemoryStoreType]
}

/// The notifications that a context posts.
final class NotificationCollector: @unchecked Sendable {
  // Notifications come on the context's queue, one after the other; tests read when it is at rest.
  private(set) var all: [Notification] = []
  private var token: (any NSObjectProtocol)?

  init(_ name: Notification.Name, of context: NSManagedObjectContext) {
    token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
      [unowned self] in all.append($0)
    }
  }

  deinit {
    if let token { NotificationCenter.default.removeObserver(token) }
  }

  /// Counts of inserted, updated and deleted objects in each.
  var counts: [[Int]] {
    all.map { notification in
      [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map { key in
        (notification.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0
      }
    }
  }
}
