import Foundation
import OpenCoreData
import OpenStoreContract
import PostgresTestServer
import Testing

@Suite("A store in the schema of a dropped store", .enabled(if: TestServer.isPresent))
struct RecreatedStoreTests {
  private let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")

  private func saveAuthor(
    _ name: String, in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue(name, forKey: "name")
      try context.save()
      return author
    }
  }

  @Test("a program that has the dropped store open neither reads nor changes the new store")
  func newStore() throws {
    let server = try TestServer.shared.get()
    let url = try server.url(schema: "recreated")
    let old = try Library.container(url).newBackgroundContext()
    let oldAuthor = try saveAuthor("old", in: old)
    try server.execute("DROP SCHEMA recreated CASCADE")
    let new = try Library.container(url).newBackgroundContext()
    let newAuthor = try saveAuthor("new", in: new)
    #expect(
      oldAuthor.objectID.uriRepresentation().lastPathComponent
        == newAuthor.objectID.uriRepresentation().lastPathComponent)
    old.performAndWait {
      oldAuthor.setValue("changed", forKey: "name")
      let calls: [() throws -> Void] = [{ _ = try old.fetch(authors) }, { try old.save() }]
      for call in calls {
        let error = #expect(throws: (any Error).self) { try call() }
        let cause = (error as NSError?)?.userInfo[OpenStoreErrorKey] as? StoreError
        #expect(cause?.code == .incompatibleSchema)
      }
      #expect(oldAuthor.hasChanges)
    }
    try new.performAndWait {
      new.refreshAllObjects()
      let names = try new.fetch(authors).map { $0.value(forKey: "name") as? String }
      #expect(names == ["new"])
    }
  }
}
