import Foundation
import OpenCoreData
import OpenStoreContract
import ProcessModel
import Testing

@Suite("A disk without room")
struct FullDiskTests {
  @Test("a save that the system cannot write throws, keeps its changes, and succeeds later")
  func writeError() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    let process = try store.startProcess()
    #expect(try process.ask("save").hasPrefix("saved"))
    #expect(try process.ask("limit 200000") == "limited")
    let refused = try process.ask("fill 2000")
    #expect(refused.hasPrefix("2000 error \(NSPersistentStoreSaveError) "))
    #expect(try store.numbers("Entry", "amount").count == 1)
    // Retry without changes: the error remains, and no change is lost.
    #expect(try process.ask("retry").hasPrefix("2000 error \(NSPersistentStoreSaveError) "))
    #expect(try process.ask("limit -1") == "limited")
    #expect(try process.ask("retry") == "0 saved 0")
    #expect(try process.ask("close") == "closed")
    #expect(try store.numbers("Entry", "amount").count == 2001)
    #expect(try store.findings() == [])
  }

  @Test(
    "a save beyond the page limit throws an error with SQLite's code, and succeeds with less data"
  )
  func fullFile() throws {
    let store = try SharedStore()
    try store.opened([NSSQLitePragmasOption: ["max_page_count": "80"]]) { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      try context.performAndWait {
        var entries: [NSManagedObject] = []
        for number in 0..<500 {
          let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
          entry.setValue(number, forKey: "amount")
          entry.setValue(String(repeating: "x", count: 1000), forKey: "note")
          entries.append(entry)
        }
        let error = try #require(throws: CocoaError.self) { try context.save() }
        #expect(error.errorCode == NSPersistentStoreSaveError)
        let cause = try #require(error.userInfo[OpenStoreErrorKey] as? StoreError)
        #expect(cause.code == .inputOutput)
        #expect(cause.nativeCode == 13)
        #expect(context.insertedObjects.count == 500)
        for entry in entries[20...] { context.delete(entry) }
        try context.save()
      }
    }
    #expect(try store.numbers("Entry", "amount").count == 20)
    #expect(try store.findings() == [])
  }

  /// A folder on a small, separate file system, if the run can mount one.
  private static var smallDisk: String? {
    ProcessInfo.processInfo.environment["OPENCOREDATA_SMALL_DISK"]
  }

  @Test(
    "a save on a full disk throws, keeps its changes, and succeeds once there is space",
    .enabled(if: smallDisk != nil))
  func fullDisk() throws {
    let store = try SharedStore(in: URL(fileURLWithPath: try #require(Self.smallDisk)))
    let process = try store.startProcess()
    #expect(try process.ask("save").hasPrefix("saved"))
    let ballast = store.folder.appendingPathComponent("ballast")
    try Data().write(to: ballast)
    let file = try FileHandle(forWritingTo: ballast)
    // Until the disk is full.
    while (try? file.write(contentsOf: Data(repeating: 1, count: 4096))) != nil {}
    #expect(try process.ask("fill 300").hasPrefix("300 error \(NSPersistentStoreSaveError) "))
    #expect(try store.numbers("Entry", "amount").count == 1)
    try file.close()
    try FileManager.default.removeItem(at: ballast)
    #expect(try process.ask("retry") == "0 saved 0")
    #expect(try process.ask("close") == "closed")
    #expect(try store.numbers("Entry", "amount").count == 301)
    #expect(try store.findings() == [])
  }
}
