import Foundation
import OpenCoreData

/// The store types for the tests.
enum StoreTypes {
  static let both = [NSSQLiteStoreType, NSInMemoryStoreType]
}

/// The notifications that a context posts.
final class NotificationCollector: @unchecked Sendable {
  // Notifications arrive one by one on the context's queue; tests read them when the queue is idle.
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

  /// The numbers of inserted, updated and deleted objects in each notification.
  var counts: [[Int]] {
    all.map { notification in
      [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map { key in
        (notification.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0
      }
    }
  }
}
