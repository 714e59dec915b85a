import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenPredicates
import Testing

@Suite("Full-text indexes")
struct TextIndexTests {
  private static let name = "OpenCoreDataText_ZNOTE"

  @Test("a store has an index only when it is opened with the option (D-386)")
  func option() throws {
    let stack = try SearchStack()
    let additions = "SELECT name FROM sqlite_master WHERE name LIKE 'OpenCoreData%' ORDER BY name"
    try stack.with(isIndexed: false) { context throws in
      context.makeNotes()
      try context.save()
    }
    #expect(try stack.sqlite(additions) == [])
    try stack.with { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [1, 3])
      let coordinator = try #require(context.persistentStoreCoordinator)
      let indexes = try coordinator.textIndexes(of: coordinator.persistentStores[0])
      #expect(indexes.map(\.table) == ["ZNOTE", "ZPERSON"])
      #expect(indexes.map { $0.columns.sorted() } == [["ZBODY", "ZSUMMARY", "ZTITLE"], ["ZNAME"]])
    }
    #expect(try stack.isSound())
    let names = try stack.sqlite(additions)
    #expect(!names.isEmpty && names.allSatisfy { $0.hasPrefix("OpenCoreDataText_") })
    try stack.with(isIndexed: false) { _ in }
    #expect(try stack.sqlite(additions) == names)
    let before = stack.log.all.count
    try stack.with { _ in }
    #expect(!stack.log.all[before...].contains { $0.hasPrefix("CREATE") || $0.contains("rebuild") })
  }

  @Test("saves and batch requests update the index, with and without the option")
  func writing() throws {
    let stack = try SearchStack()
    try stack.with { _ in }
    for isIndexed in [true, false] {
      try stack.with(isIndexed: isIndexed) { context throws in
        context.makeNotes()
        try context.save()
        let insertion = NSBatchInsertRequest(
          entityName: "Note",
          objects: (10..<700).map { ["number": $0, "title": "batch word\($0)"] })
        _ = try context.execute(insertion)
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = NSPredicate(format: "SELF CONTAINSWORDS 'word20 OR word21'")
        update.propertiesToUpdate = ["title": "changed", "body": "text"]
        _ = try context.execute(update)
        let doomed = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        doomed.predicate = NSPredicate(format: "title CONTAINSWORDS 'word3*'")
        _ = try context.execute(NSBatchDeleteRequest(fetchRequest: doomed))
        #expect(try context.numbers("title CONTAINSWORDS 'changed'") == [20, 21])
        #expect(try context.numbers("SELF CONTAINSWORDS 'word3*'") == [])
        #expect(try context.numbers("SELF CONTAINSWORDS 'batch'").count == 578)
        let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        for note in all where (note.value(forKey: "number") as? Int ?? 0) % 2 == 0 {
          note.setValue("even", forKey: "body")
        }
        try context.save()
        #expect(try stack.isSound())
        for note in all { context.delete(note) }
        try context.save()
      }
      #expect(try stack.isSound())
      #expect(try stack.sqlite("SELECT count(*) FROM ZNOTE") == ["0"])
    }
  }

  @Test("a save to an indexed table is one transaction, which is rolled back as a whole")
  func transaction() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      let before = stack.log.all.count
      context.makeNotes()
      try context.save()
      let statements = stack.log.all[before...]
      #expect(statements.count { $0.hasPrefix("BEGIN") } == 1)
      #expect(statements.count { $0 == "COMMIT" } == 1)
    }
  }

  @Test("a save with a conflict changes neither rows nor index", arguments: [true, false])
  func conflict(_ isDeleted: Bool) throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      let notes = (10..<50).map { context.make("Note", ["number": $0, "title": "linux"]) }
      try context.save()
      let change = isDeleted ? "DELETE FROM ZNOTE" : "UPDATE ZNOTE SET ZTITLE = 'bsd', Z_OPT = 9"
      try stack.sqlite(change + " WHERE ZNUMBER = 30")
      for note in notes { note.setValue("penguin", forKey: "title") }
      context.make("Note", ["number": 60, "title": "penguin"])
      #expect(throws: (any Error).self) { try context.save() }
      #expect(try stack.isSound())
      let find = "SELECT count(*) FROM \(Self.name) WHERE \(Self.name) MATCH"
      #expect(try stack.sqlite("\(find) 'penguin'") == ["0"])
      #expect(try stack.sqlite("\(find) 'linux'") == ["39"])
      #expect(try stack.sqlite("SELECT count(*) FROM ZNOTE") == [isDeleted ? "39" : "40"])
    }
  }

  @Test("plain SQL of a program without the library updates the index")
  func plainSQL() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
    }
    try stack.sqlite("UPDATE ZNOTE SET ZTITLE = 'from outside' WHERE ZNUMBER = 5")
    try stack.sqlite("DELETE FROM ZNOTE WHERE ZNUMBER = 1")
    try stack.sqlite("UPDATE ZNOTE SET Z_PK = 100 WHERE ZNUMBER = 3")
    try stack.sqlite(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZBODY) VALUES (50, 1, 1, 7, 'linux')")
    try stack.sqlite("VACUUM")
    #expect(try stack.isSound())
    try stack.with { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'outside'") == [5])
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'").contains(7))
      #expect(try !context.numbers("SELF CONTAINSWORDS 'linux'").contains(1))
    }
  }

  @Test(
    "other flags recreate the index; without the option, unindexed attributes are searched directly"
  )
  func changedFlags() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
    }
    let other = SearchStack.makeModel(searched: ["title", "remark"])
    try stack.with(other, isIndexed: false) { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [1, 2])
      #expect(stack.log.all.last?.contains("MATCH") == false)
      #expect(try context.numbers("title CONTAINSWORDS 'linux'") == [1])
      #expect(stack.log.all.last?.contains("MATCH") == true)
    }
    try stack.with(other) { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [1, 2])
      #expect(stack.log.all.last?.contains("MATCH") == true)
    }
    #expect(try stack.isSound())
    #expect(
      try stack.sqlite("SELECT name FROM pragma_table_info('\(Self.name)') ORDER BY name")
        == ["ZREMARK", "ZTITLE"])
    #expect(
      try stack.sqlite(
        "SELECT count(*) FROM sqlite_master WHERE name LIKE 'OpenCoreDataText_ZPERSON%'")
        == ["0"])
  }

  @Test("an index without its triggers is not used, and recreated with the option")
  func lostTriggers() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
    }
    try stack.sqlite("DROP TRIGGER \(Self.name)_UPDATE")
    try stack.sqlite("UPDATE ZNOTE SET ZTITLE = 'penguin' WHERE ZNUMBER = 5")
    try stack.with(isIndexed: false) { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'penguin'") == [5])
    }
    try stack.with { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'penguin'") == [5])
      #expect(stack.log.all.last?.contains("MATCH") == true)
    }
    #expect(try stack.isSound())
  }

  @Test("an index of which only the triggers are left is recreated with the option")
  func lostTable() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
    }
    try stack.sqlite("DROP TABLE \(Self.name)")
    try stack.with { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'kernel'") == [1, 3, 4])
      #expect(stack.log.all.last?.contains("MATCH") == true)
    }
    #expect(try stack.isSound())
  }

  @Test("an entity whose index would have the name of a table of FTS5 is searched without an index")
  func internalName() throws {
    let stack = try SearchStack()
    let model = NSManagedObjectModel()
    model.entities = ["Note", "Note_Data"].map { name in
      let title = NSAttributeDescription()
      (title.name, title.type, title.isIndexedBySpotlight) = ("title", .string, true)
      let entity = NSEntityDescription()
      (entity.name, entity.properties) = (name, [title])
      return entity
    }
    try stack.with(model) { context throws in
      context.make("Note_Data", ["title": "Kernel"])
      try context.save()
      let coordinator = try #require(context.persistentStoreCoordinator)
      let store = try #require(coordinator.persistentStores.first)
      #expect(try coordinator.textIndexes(of: store).map(\.table) == ["ZNOTE"])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note_Data")
      request.predicate = NSPredicate(format: "SELF CONTAINSWORDS 'kernel'", argumentArray: [])
      #expect(try context.count(for: request) == 1)
    }
  }

  @Test("a read-only store uses an index but does not create one")
  func readOnly() throws {
    let stack = try SearchStack()
    try stack.with(isIndexed: false) { context throws in
      context.makeNotes()
      try context.save()
    }
    let options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
    try stack.with(options: options) { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [1, 3])
      #expect(stack.log.all.last?.contains("MATCH") == false)
    }
    try stack.with { _ in }
    try stack.with(isIndexed: false, options: options) { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [1, 3])
      #expect(stack.log.all.last?.contains("MATCH") == true)
    }
  }

  @Test("a damaged index is detected and recreated")
  func damage() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
    }
    try stack.sqlite("INSERT INTO \(Self.name)(rowid, ZTITLE) VALUES (1, 'not there')")
    try stack.with { context throws in
      let coordinator = try #require(context.persistentStoreCoordinator)
      let store = coordinator.persistentStores[0]
      #expect(try coordinator.damagedTextIndexes(of: store) == ["ZNOTE"])
      try coordinator.rebuildTextIndexes(of: store)
      #expect(try coordinator.damagedTextIndexes(of: store) == [])
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [1, 3])
    }
    #expect(try stack.isSound())
  }

  @Test("a process with an open store can still save after another process creates the index")
  func madeMeanwhile() throws {
    let stack = try SearchStack()
    try stack.with(isIndexed: false) { context throws in
      context.makeNotes()
      let more = (10..<40).map { context.make("Note", ["number": $0, "title": "linux"]) }
      try context.save()
      for note in more { note.setValue("bsd", forKey: "title") }
      try context.save()
      try stack.with { _ in }
      for note in more { note.setValue("penguin", forKey: "title") }
      for number in 50..<80 { context.make("Note", ["number": number, "title": "penguin"]) }
      try context.save()
      #expect(try context.numbers("title CONTAINSWORDS 'penguin'").count == 60)
    }
    #expect(try stack.isSound())
    #expect(
      try stack.sqlite("SELECT count(*) FROM \(Self.name) WHERE \(Self.name) MATCH 'penguin'") == [
        "60"
      ])
  }

  @Test("a store with an index is copied, replaced and destroyed as a whole")
  func files() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
    }
    let copy = stack.folder.appendingPathComponent("copy.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SearchStack.makeModel())
    try coordinator.replacePersistentStore(
      at: copy, destinationOptions: nil, withPersistentStoreFrom: stack.file, sourceOptions: nil,
      ofType: NSSQLiteStoreType)
    try coordinator.destroyPersistentStore(at: stack.file, ofType: NSSQLiteStoreType, options: nil)
    try stack.with(isIndexed: false) { context throws in
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 0)
    }
    try coordinator.replacePersistentStore(
      at: stack.file, destinationOptions: nil, withPersistentStoreFrom: copy, sourceOptions: nil,
      ofType: NSSQLiteStoreType)
    try stack.with(isIndexed: false) { context throws in
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [1, 3])
      #expect(stack.log.all.last?.contains("MATCH") == true)
    }
    #expect(try stack.isSound())
  }

  @Test("an in-memory SQLite store also has an index")
  func inMemory() throws {
    let stack = try SearchStack()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SearchStack.makeModel())
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
      options: [OpenTextIndexOption: true, OpenStatementObserverOption: stack.log.observer])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { () throws in
      context.makeNotes()
      try context.save()
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [1, 3])
      #expect(stack.log.all.last?.contains("MATCH") == true)
    }
  }
}
