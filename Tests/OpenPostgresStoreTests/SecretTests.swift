import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import OpenStoreContract
import Synchronization
import Testing

@Suite("Neither passwords nor values are reported", .enabled(if: TestServer.isPresent))
struct SecretTests {
  private static let password = "pass-7f3a9"
  private static let value = "value-51c0e"

  @Test("a server that cannot be reached is named without the password")
  func unreachable() throws {
    let url = try #require(
      URL(string: "postgresql://me:\(Self.password)@127.0.0.1:1/none?schema=s&connect_timeout=2"))
    let error = #expect(throws: (any Error).self) { try Library.container(url) }
    let text = String(describing: error) + (error?.localizedDescription ?? "")
    #expect(text.contains("cannot be reached"))
    #expect(!text.contains(Self.password))
  }

  @Test(
    "a password must not cross a network without TLS",
    arguments: [
      "//me:PASSWORD@db.example/none?sslmode=disable",
      "//localhost,db.example/none?user=me&password=PASSWORD&sslmode=prefer",
      "///none?host=/run/postgresql,db.example&user=me&password=PASSWORD&sslmode=allow",
    ])
  func tls(_ place: String) throws {
    let url = try #require(
      URL(string: "postgresql:" + place.replacing("PASSWORD", with: Self.password)))
    let error = #expect(throws: (any Error).self) { try Library.container(url) }
    let text = String(describing: error)
    #expect(text.contains("TLS"))
    #expect(!text.contains(Self.password))
  }

  @Test("statements and errors contain no value")
  func values() throws {
    let statements = Mutex<[String]>([])
    let container = try Library.container(try TestServer.shared.get().newURL()) { description in
      description.setOption(
        StatementObserver { text in statements.withLock { $0.append(text) } },
        forKey: OpenStatementObserverOption)
    }
    let context = container.viewContext
    var texts: [String] = []
    try context.performAndWait {
      for _ in 0..<2 {
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue(Self.value, forKey: "name")
        do { try context.save() } catch {
          let cause = (error as NSError).userInfo[OpenStoreErrorKey] as Any
          texts.append("\(cause) \(error.localizedDescription)")
        }
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
      request.predicate = NSPredicate(format: "name == %@", Self.value)
      request.includesPendingChanges = false
      let stored = try context.count(for: request)
      #expect(stored == 1)
    }
    #expect(texts.count == 1)
    for text in texts { #expect(!text.contains(Self.value)) }
    let seen = statements.withLock { $0 }
    #expect(!seen.isEmpty)
    #expect(!seen.contains { $0.contains(Self.value) })
  }

  @Test("stores and the error for another model version are described without the password")
  func descriptions() throws {
    let place = try TestServer.shared.get().newURL()
    let url = try #require(URL(string: "\(place)&password=\(Self.password)"))
    let container = try Library.container(url)
    let model = NSManagedObjectModel()
    let entity = NSEntityDescription()
    entity.name = "Author"
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let error = #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: OpenPostgresStoreType, configurationName: nil, at: url, options: nil)
    }
    #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
    let shown = try #require(error?.userInfo["URL"] as? URL)
    #expect(shown.absoluteString.contains("schema="))
    let stores = container.persistentStoreCoordinator
    let texts = [
      shown.absoluteString, "\(error as Any)", "\(container)", "\(stores)",
      "\(stores.persistentStores)", "\(container.persistentStoreDescriptions)",
    ]
    for text in texts { #expect(!text.contains(Self.password)) }
  }
}
