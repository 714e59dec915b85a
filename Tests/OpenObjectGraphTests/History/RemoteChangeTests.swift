import Foundation
import OpenCoreData
import Testing

@Suite("Notifications of remote changes")
struct RemoteChangeTests {
  /// The notifications posted while work ran, by coordinator.
  private func changes(
    of coordinators: [NSPersistentStoreCoordinator], during work: () throws -> Void
  ) rethrows -> [[[AnyHashable: Any]]] {
    final class Box { var found: [[AnyHashable: Any]] = [] }
    let boxes = coordinators.map { _ in Box() }
    let observers = zip(coordinators, boxes).map { coordinator, box in
      nonisolated(unsafe) let box = box
      return NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
      ) { box.found.append($0.userInfo ?? [:]) }
    }
    defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    try work()
    return boxes.map(\.found)
  }

  private let option: [AnyHashable: Any] = [
    NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber
  ]

  @Test("every commit is reported once to every coordinator that enabled the option")
  func coordinators() throws {
    let stack = try TrackStack(.file, history: true, options: option)
    let asking = try stack.secondCoordinator(options: option)
    let silent = try stack.secondCoordinator()
    let found = try changes(of: [stack.coordinator, asking, silent]) {
      try stack.seed(2)
      let context = stack.makeContext()
      try context.performAndWait {
        try context.save()
        try context.execute(
          NSBatchDeleteRequest(
            fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Track")))
      }
    }
    #expect(found.map(\.count) == [2, 2, 0])
    for userInfo in found[0] + found[1] {
      #expect(userInfo[NSStoreUUIDKey] as? String == stack.store.identifier)
      #expect(userInfo[NSPersistentStoreURLKey] as? URL == stack.file)
    }
    let token = found[1].last?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    #expect(token == stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  @Test("the option can be given as the text that programs used before its constant existed")
  func textOfOption() throws {
    let text = "NSPersistentStoreRemoteChangeNotificationOptionKey"
    let stack = try TrackStack(.file, history: true, options: [text: true as NSNumber])
    let found = try changes(of: [stack.coordinator]) { try stack.seed(2) }
    #expect(found.map(\.count) == [1])
  }

  @Test("another coordinator reads and merges the changes that the notification announces")
  func merging() throws {
    let stack = try TrackStack(.file, history: true, options: option)
    try stack.seed(1)
    let second = try stack.secondCoordinator(options: option)
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = second
    try reader.performAndWait {
      let start = second.currentPersistentHistoryToken(fromStores: nil)
      let track = try #require(
        try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Track")).first)
      #expect(track.value(forKey: "rating") as? Int == 0)
      let writer = stack.makeContext()
      let news = try changes(of: [second]) {
        try writer.performAndWait {
          let update = NSBatchUpdateRequest(entityName: "Track")
          update.propertiesToUpdate = ["rating": 8]
          try writer.execute(update)
        }
      }
      #expect(news.map(\.count) == [1])
      let token = news[0].first?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      #expect(token != nil && token != start)
      let result = try reader.execute(
        .fetchHistory(after: start) as NSPersistentHistoryChangeRequest)
      let history = (result as? NSPersistentHistoryResult)?.result
      for transaction in history as? [NSPersistentHistoryTransaction] ?? [] {
        reader.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      #expect(track.value(forKey: "rating") as? Int == 8)
    }
  }

  @Test("without history, or once the store is removed, nothing is reported")
  func silence() throws {
    let plain = try TrackStack(.file, options: option)
    let memory = try TrackStack(.memory, history: true, options: option)
    let found = try changes(of: [plain.coordinator, memory.coordinator]) {
      try plain.seed(1)
      try memory.seed(1)
    }
    #expect(found.map(\.count) == [0, 1])
    #expect(found[1].first?[NSPersistentStoreURLKey] as? URL == URL(fileURLWithPath: "/dev/null"))
    let stack = try TrackStack(.file, history: true, options: option)
    let second = try stack.secondCoordinator(options: option)
    let store = try #require(second.persistentStores.first)
    try second.remove(store)
    let removed = try changes(of: [second]) { try stack.seed(1) }
    #expect(removed[0].isEmpty)
  }
}
