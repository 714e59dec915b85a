import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Testing

/// States of a PostgreSQL store that end before their tokens are released.
@Suite("Pinned states of a PostgreSQL store", .enabled(if: TestServer.isPresent))
struct PinnedStateTests {
  private let books = NSFetchRequest<NSManagedObject>(entityName: "Book")

  private func save(in container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        .setValue("a", forKey: "title")
      try context.save()
    }
  }

  @Test(
    "after the time of the pin option, reads of the state throw, and the context can be pinned again",
    .timeLimit(.minutes(5)))
  func expiry() throws {
    let place = try TestServer.shared.get().newURL()
    let url = try #require(URL(string: "\(place)&pin=0.5"))
    let container = try Library.container(url)
    try save(in: container)
    let reader = container.newBackgroundContext()
    try reader.performAndWait {
      try reader.setQueryGenerationFrom(.current)
      var count = try reader.count(for: books)
      #expect(count == 1)
      try save(in: container)
      var failure: NSError?
      while failure == nil {
        do {
          count = try reader.count(for: books)
          #expect(count == 1)
        } catch {
          failure = error as NSError
        }
      }
      #expect(failure?.code == NSPersistentStoreOperationError)
      #expect((failure?.userInfo[OpenStoreErrorKey] as? StoreError)?.code == .snapshotLost)
      try reader.setQueryGenerationFrom(.current)
      count = try reader.count(for: books)
      #expect(count == 2)
    }
  }

  @Test("a time that is not a positive number is rejected", arguments: ["0", "-1", "soon", "inf"])
  func invalidTime(_ time: String) throws {
    let url = try #require(URL(string: "postgresql:///none?schema=s&pin=\(time)"))
    let error = #expect(throws: (any Error).self) { try Library.container(url) }
    #expect(error.map { "\($0)" }?.contains("pin") == true)
  }
}
