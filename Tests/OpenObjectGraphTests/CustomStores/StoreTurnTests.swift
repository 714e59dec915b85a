import Foundation
import OpenCoreData
import Synchronization
import Testing

/// A store without locks, which counts overlapping calls.
private final class TurnStore: NSIncrementalStore, @unchecked Sendable {
  static let storeType = "TurnStore"

  /// A closure that the store calls at the beginning of a fetch.
  var onFetch: (@Sendable () -> Void)?
  /// The words of the tags, by reference.
  private(set) var words: [String: String] = [:]
  private let running = Atomic<Int>(0)
  private let overlaps = Atomic<Int>(0)

  /// The number of calls that began during another call.
  var overlapCount: Int { overlaps.load(ordering: .relaxed) }

  private func call<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
    let (before, _) = running.add(1, ordering: .sequentiallyConsistent)
    defer { running.subtract(1, ordering: .sequentiallyConsistent) }
    if before > 0 { overlaps.add(1, ordering: .relaxed) }
    // Lets other threads run.
    for _ in 0..<10 { sched_yield() }
    return try work()
  }

  override func loadMetadata() throws {
    metadata = [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: Self.storeType]
  }

  override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    guard let save = request as? NSSaveChangesRequest else {
      onFetch?()
      return call { found(request, context) }
    }
    call {
      for tag in save.insertedObjects ?? [] {
        words[reference(of: tag.objectID)] = tag.value(forKey: "word") as? String
      }
    }
    return [NSManagedObjectID]()
  }

  private func found(
    _ request: NSPersistentStoreRequest, _ context: NSManagedObjectContext?
  ) -> [NSManagedObject] {
    guard let context, let entity = (request as? NSFetchRequest<any NSFetchRequestResult>)?.entity
    else { return [] }
    return words.keys.sorted().map {
      context.object(with: newObjectID(for: entity, referenceObject: $0))
    }
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    call {
      let word = words[reference(of: objectID)] ?? ""
      return NSIncrementalStoreNode(objectID: objectID, withValues: ["word": word], version: 1)
    }
  }

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    call { array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) } }
  }

  private func reference(of id: NSManagedObjectID) -> String { "\(referenceObject(for: id))" }
}

@Suite("Calls of incremental stores by several threads")
struct StoreTurnTests {
  private let coordinator: NSPersistentStoreCoordinator

  init() {
    NSPersistentStoreCoordinator.registerStoreClass(
      TurnStore.self, forStoreType: TurnStore.storeType)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: FileTestStack.makeModel())
  }

  private func addStore(_ name: String) throws -> TurnStore {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    let store = try coordinator.addPersistentStore(
      ofType: TurnStore.storeType, configurationName: nil, at: url)
    return try #require(store as? TurnStore)
  }

  private static func context(
    _ coordinator: NSPersistentStoreCoordinator
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test("a store without locks executes the calls of several threads one by one")
  func severalThreads() async throws {
    let store = try addStore("one")
    let coordinator = coordinator
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let context = Self.context(coordinator)
          try await context.perform { () throws in
            for number in 0..<20 {
              let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
              tag.setValue("\(number)", forKey: "word")
              try context.save()
              let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
              for tag in tags { _ = tag.value(forKey: "word") }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(store.overlapCount == 0)
    #expect(store.words.count == 80)
  }

  @Test("different stores of a coordinator may be called at the same time (D-413)")
  func differentStores() throws {
    let (one, other) = (try addStore("one"), try addStore("other"))
    let coordinator = coordinator
    let isCalled = DispatchSemaphore(value: 0)
    let hasMet = Mutex(false)
    other.onFetch = { isCalled.signal() }
    one.onFetch = {
      DispatchQueue.global().async { Self.fetch(from: other, coordinator) }
      let isInTime = isCalled.wait(timeout: .now() + 60) == .success
      hasMet.withLock { $0 = isInTime }
    }
    Self.fetch(from: one, coordinator)
    one.onFetch = nil
    let haveMet = hasMet.withLock { $0 }
    #expect(haveMet)
  }

  private static func fetch(
    from store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator
  ) {
    let context = Self.context(coordinator)
    context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      request.affectedStores = [store]
      // A failed fetch does not call the store.
      _ = try? context.fetch(request)
    }
  }
}
