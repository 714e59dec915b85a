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

  /// Changes of tables by other programs, after which most messages of the server quote the values
  /// that a statement writes.
  static let tableChanges = [
    "ALTER TABLE zauthor ADD CHECK (zname <> '\(value)')",
    """
    ALTER TABLE zauthor ADD added integer NOT NULL DEFAULT 0;
    ALTER TABLE zauthor ALTER added DROP DEFAULT
    """,
    "ALTER TABLE zauthor ALTER zname TYPE varchar(4)",
    "ALTER TABLE zauthor ALTER zname TYPE integer USING 0",
    "ALTER TABLE zauthor ALTER zname TYPE uuid USING gen_random_uuid()",
    "ALTER TABLE zauthor DROP zname",
    """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE 'The name is %.', NEW.zname USING DETAIL = NEW.zname, HINT = NEW.zname; END $$;
    CREATE TRIGGER refusal BEFORE INSERT OR UPDATE ON zauthor
    FOR EACH ROW EXECUTE FUNCTION refuse()
    """,
  ]

  @Test("no error of a statement contains a value", arguments: tableChanges)
  func statementErrors(_ tableChange: String) throws {
    let server = try TestServer.shared.get()
    let schema = "secret_\(UUID().uuidString.prefix(8))".lowercased()
    let container = try Library.container(try server.url(schema: schema))
    let context = container.newBackgroundContext()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    request.predicate = NSPredicate(format: "name == %@", Self.value)
    let insertion = NSBatchInsertRequest(entityName: "Author", objects: [["name": Self.value]])
    let update = NSBatchUpdateRequest(entityName: "Author")
    update.propertiesToUpdate = ["name": Self.value]
    try context.performAndWait {
      let stored = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      stored.setValue("old", forKey: "name")
      try context.save()
      try server.execute("SET search_path = \(schema); \(tableChange)")
      let calls: [() throws -> Void] = [
        {
          NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            .setValue(Self.value, forKey: "name")
          try context.save()
        },
        {
          stored.setValue(Self.value, forKey: "name")
          try context.save()
        },
        { _ = try context.execute(insertion) },
        { _ = try context.execute(update) },
        { _ = try context.count(for: request) },
      ]
      var texts: [String] = []
      for call in calls {
        do { try call() } catch {
          var text = "\(error.localizedDescription) "
          dump((error as NSError).userInfo[OpenStoreErrorKey] as Any, to: &text)
          texts.append(text)
        }
        context.rollback()
      }
      #expect(!texts.isEmpty)
      for text in texts { #expect(!text.contains(Self.value)) }
    }
  }

  @Test("the log of a process contains its statements, without values and passwords")
  func log() async throws {
    let place = try TestServer.shared.get().newURL()
    let url = try #require(URL(string: "\(place)&password=\(Self.password)"))
    let number = "7305190422"
    let arguments = ["save", "-com.apple.CoreData.SQLDebug", "2"]
    let process = try FleetProcess(url, arguments, errors: Pipe())
    try process.send(number)
    try process.send("end")
    let (count, log) = try await process.results()
    #expect(count == 1)
    #expect(log.contains("INSERT INTO"))
    #expect(!log.contains(number))
    #expect(!log.contains(Self.password))
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
