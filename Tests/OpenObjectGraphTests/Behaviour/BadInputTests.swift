import Foundation
import OpenCoreData
import Testing

/// Invalid data, files, models and predicates cause errors instead of traps.
@Suite("Bad input")
struct BadInputTests {
  private func context() throws -> NSManagedObjectContext {
    try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
  }

  private func fetchError(_ predicate: NSPredicate) throws -> String {
    let context = try context()
    return context.performAndWait {
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.predicate = predicate
      let error = #expect(throws: (any Error).self) { try context.fetch(request) }
      return error.map { "\($0)" } ?? ""
    }
  }

  @Test("the error of an unknown key in a predicate names the key and the entity")
  func wrongKey() throws {
    let message = try fetchError(NSPredicate(format: "nonsense == 1"))
    #expect(message.contains("nonsense"))
    #expect(message.contains("ShelfBook"))
  }

  @Test("a predicate that compares with another type names the property")
  func wrongType() throws {
    let message = try fetchError(NSPredicate(format: "pages == %@", "many"))
    #expect(message.contains("pages"))
  }

  @Test("a parse error of a predicate contains the position")
  func unparsable() throws {
    #expect(try fetchError(NSPredicate(format: "(pages == 1")).contains("1"))
    let deep = String(repeating: "(", count: 10_000) + "pages == 1"
    #expect(!(try fetchError(NSPredicate(format: deep))).isEmpty)
  }

  @Test(
    "setting a value of the wrong type changes nothing, and fails the next save or the checked call"
  )
  func wrongValue() throws {
    let context = try context()
    try context.performAndWait {
      let book = ShelfBook(context: context)
      book.title = "Right"
      let error = #expect(throws: ObjectError.self) {
        try book.setCheckedValue(17, forKey: "title")
      }
      #expect(error?.propertyName == "title")
      #expect(error?.entityName == "ShelfBook")
      book.setValue(Date(), forKey: "pages")
      #expect(book.title == "Right")
      #expect(book.pages == 0)
      #expect(throws: ObjectError.self) { try context.save() }
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test("opening a file that is not a store throws an error that names the file")
  func foreignFile() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).x")
    try Data(String(repeating: "x", count: 5000).utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let error = #expect(throws: CocoaError.self) {
      try ShelfModel.container(NSSQLiteStoreType, url: url)
    }
    #expect(error?.code == .fileReadCorruptFile)
    #expect(error.map { "\($0.localizedDescription)" }?.contains(url.lastPathComponent) == true)
  }

  @Test("a missing folder causes an error that names the file")
  func missingFolder() {
    let url = URL(fileURLWithPath: "/nonexistent-folder/store.sqlite")
    let error = #expect(throws: CocoaError.self) {
      try ShelfModel.container(NSSQLiteStoreType, url: url)
    }
    #expect(error?.localizedDescription.contains("nonexistent-folder") == true)
  }

  @Test("loading a model with a dangling inverse is an error that names the property")
  func danglingInverse() {
    let model = ShelfModel.make()
    let books = model.entitiesByName["ShelfAuthor"]?.relationshipsByName["books"]
    books?.inverseRelationship = nil
    let container = NSPersistentContainer(name: "Broken", managedObjectModel: model)
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    let message = failure?.localizedDescription ?? ""
    #expect(message.contains("author"))
  }

  @Test("loading a container whose model is missing or damaged is error 134060 with the reason")
  func unreadableModel() throws {
    func error(_ name: String) -> CocoaError? {
      var failure: (any Error)?
      NSPersistentContainer(name: name).loadPersistentStores { _, error in failure = error }
      return failure as? CocoaError
    }
    let name = "Damaged-\(UUID().uuidString)"
    #expect(error(name)?.code == .coreData)
    #expect(error(name)?.userInfo["OpenModelError"] == nil)
    // Other tests search all bundles, and Foundation lists the files of a bundle once.
    let folder = Bundle.main.bundleURL.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("bplist00".utf8).write(to: folder.appendingPathComponent("\(name).mom"))
    let bundle = folder.appendingPathExtension("resources")
    try FileManager.default.moveItem(at: folder, to: bundle)
    defer { try? FileManager.default.removeItem(at: bundle) }  // a remaining bundle is harmless
    let damage = error(name)
    #expect(damage?.code == .coreData)
    let reason = try #require(damage?.userInfo["OpenModelError"] as? ModelError)
    #expect(reason.code == .malformed)
    #expect(damage?.localizedDescription.contains(reason.message) == true)
  }

  @Test("after a rejected insertion, the error of the save explains the problem with the entity")
  func insertions() throws {
    let (base, leaf, stranger) = (
      NSEntityDescription(), NSEntityDescription(), NSEntityDescription()
    )
    (base.name, leaf.name, stranger.name) = ("Base", "Leaf", "Stranger")
    base.isAbstract = true
    base.subentities = [leaf]
    let model = NSManagedObjectModel()
    model.entities = [base, leaf]
    let store = NSPersistentStoreDescription(type: NSInMemoryStoreType)
    let context = try NSPersistentContainer.loaded("Bad", model, [store]).newBackgroundContext()
    context.performAndWait {
      func error(after insertion: () -> NSManagedObject) -> ObjectError? {
        _ = insertion()
        return #expect(throws: ObjectError.self) { try context.save() }
      }
      let abstract = error {
        NSEntityDescription.insertNewObject(forEntityName: "Base", into: context)
      }
      #expect(abstract?.message.contains("is abstract") == true && abstract?.entityName == "Base")
      let unknown = error {
        NSEntityDescription.insertNewObject(forEntityName: "Nothing", into: context)
      }
      #expect(unknown?.message.contains("'Nothing'") == true)
      #expect(unknown?.message.contains("abstract") == false)
      let foreign = error { NSManagedObject(entity: stranger, insertInto: context) }
      #expect(foreign?.message.contains("not in the model") == true)
      #expect(foreign?.entityName == nil)
    }
  }

  @Test("a save without stores and a fetch of an unknown entity throw")
  func withoutStores() throws {
    let container = NSPersistentContainer(name: "None", managedObjectModel: ShelfModel.make())
    let context = container.newBackgroundContext()
    context.performAndWait {
      _ = ShelfBook(context: context)
      let saving = #expect(throws: CocoaError.self) { try context.save() }
      #expect(saving?.code == .coreData)
    }
    let loaded = try self.context()
    let alone = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    for (context, entityName) in [
      (context, "ShelfBook"), (alone, "ShelfBook"), (loaded, "Unknown"), (loaded, ""),
    ] {
      context.performAndWait {
        let fetching = #expect(throws: CocoaError.self) {
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entityName))
        }
        #expect(fetching?.code == .coreData)
      }
    }
    loaded.performAndWait {
      let fetching = #expect(throws: CocoaError.self) {
        try loaded.fetch(NSFetchRequest<NSManagedObject>())
      }
      #expect(fetching?.code == .coreData)
    }
  }

  @Test("a to-many key in a calculation is an error that names the key")
  func calculatedToMany() throws {
    let context = try context()
    context.performAndWait {
      let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
      request.predicate = NSPredicate(format: "ANY books.pages + 1 > 2")
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error.map { "\($0)" }?.contains("books.pages") == true)
    }
  }
}
