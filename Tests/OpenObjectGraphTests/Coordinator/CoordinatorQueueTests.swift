import Foundation
import OpenCoreData
import Synchronization
import Testing

/// `name`, `perform(_:)` and `performAndWait(_:)` of coordinators.
@Suite("The queue of a coordinator")
struct CoordinatorQueueTests {
  @Test("blocks run one by one, and a synchronous block can be nested")
  func order() async {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LinkModel.make())
    let log = Mutex<[Int]>([])
    await withCheckedContinuation { continuation in
      for number in 0..<100 {
        coordinator.perform {
          coordinator.performAndWait { log.withLock { $0.append(number) } }
          if number == 99 { continuation.resume() }
        }
      }
    }
    #expect(log.withLock { $0 } == Array(0..<100))
  }

  @Test("a block's result and its error reach the caller")
  func results() {
    struct Failure: Error {}
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LinkModel.make())
    #expect(coordinator.performAndWait { coordinator.persistentStores.count } == 0)
    #expect(throws: Failure.self) {
      try coordinator.performAndWait { () throws in throw Failure() }
    }
  }

  @Test("an awaited block runs after the earlier ones, and its result and error reach the caller")
  func awaited() async throws {
    struct Failure: Error {}
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LinkModel.make())
    let log = Mutex<[Int]>([])
    let earlier: () -> Void = { coordinator.perform { log.withLock { $0.append(1) } } }
    earlier()
    #expect(await coordinator.perform { log.withLock { $0 } } == [1])
    await #expect(throws: Failure.self) {
      try await coordinator.perform { () throws in throw Failure() }
    }
  }

  @Test("the name can be set and read")
  func name() {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LinkModel.make())
    #expect(coordinator.name == nil)
    coordinator.name = "library"
    #expect(coordinator.name == "library")
  }
}
