import Foundation
import OpenCoreData
import ProcessModel
import Testing

@Suite("Checkpoints", .serialized)
struct CheckpointTests {
  private func size(_ store: SharedStore, _ suffix: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: store.url.path + suffix)
    return try #require((attributes[.size] as? NSNumber)?.intValue)
  }

  @Test("after the log is emptied, all rows are in the file, for this and other processes")
  func emptying() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    try store.opened { coordinator in
      try SharedStore.insert("Tally", in: ProcessModel.context(coordinator, author: "test"))
      #expect(try process.ask("save").hasPrefix("saved"))
      #expect(try size(store, "-wal") > 0)
      let passive = try coordinator.checkpoint(.passive)
      #expect(passive.isComplete && passive.logPages > 0)
      #expect(try coordinator.checkpoint(.emptyingLog).isComplete)
      #expect(try size(store, "-wal") == 0)
      #expect(try process.ask("save").hasPrefix("saved"))
      #expect(try SharedStore.numbers("Entry", "amount", in: coordinator) == [1, 1])
    }
  }

  @Test("with a reader of an older state, a passive checkpoint succeeds and a truncating one fails")
  func readers() throws {
    let store = try SharedStore()
    let options = [NSPersistentStoreTimeoutOption: 0.05 as NSNumber]
    try store.opened(options) { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      try SharedStore.insert("Tally", in: context)
      let reader = ProcessModel.context(coordinator, author: "reader")
      try reader.performAndWait {
        try reader.setQueryGenerationFrom(.current)
        _ = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tally"))
        try SharedStore.insert("Tally", in: context)
        #expect(try coordinator.checkpoint(.passive).isComplete == false)
        let error = try #require(throws: CocoaError.self) {
          try coordinator.checkpoint(.emptyingLog)
        }
        #expect(error.errorCode == NSPersistentStoreTimeoutError)
        try reader.setQueryGenerationFrom(nil)
      }
      #expect(try coordinator.checkpoint(.emptyingLog).isComplete)
    }
  }

  @Test("closing a store that another process has open keeps the log; the last one removes it")
  func closing() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    try store.opened {
      try SharedStore.insert("Tally", in: ProcessModel.context($0, author: "test"))
    }
    #expect(try size(store, "-wal") > 0)
    // While the process reads the announced changes, its reader keeps the log.
    #expect(try process.ask("await 1") == "saw 1")
    #expect(try process.ask("save").hasPrefix("saved"))
    #expect(try process.ask("close") == "closed")
    #expect(try store.names == ["shared.sqlite"])
    #expect(try store.numbers("Tally", "value") == [0])
  }

  @Test("stores without a log need no checkpoint")
  func memory() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    #expect(try coordinator.checkpoint(.emptyingLog).isComplete)
  }
}
