import Foundation
import OpenSwiftData
import Synchronization
import Testing

@Suite("Notifications of saves, and their authors")
struct SaveNotificationTests {
  /// The notifications of a context, in the order of arrival.
  private final class Recorder: Sendable {
    struct Entry: Sendable {
      let name: Notification.Name
      let keys: Set<String>
      let identifiers: [String: [PersistentIdentifier]]
    }

    private let entries = Mutex<[Entry]>([])
    var all: [Entry] { entries.withLock { $0 } }

    func follow(_ context: ModelContext) -> [any NSObjectProtocol] {
      [ModelContext.willSave, ModelContext.didSave].map { name in
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
          [self] notification in
          let content = notification.userInfo ?? [:]
          var identifiers: [String: [PersistentIdentifier]] = [:]
          for case (let key as String, let value as [PersistentIdentifier]) in content {
            identifiers[key] = value
          }
          let entry = Entry(
            name: notification.name, keys: Set(content.keys.compactMap { $0 as? String }),
            identifiers: identifiers)
          entries.withLock { $0.append(entry) }
        }
      }
    }
  }

  @Test(
    "a save posts an empty notification before, and one with the changed identifiers after")
  func announcements() throws {
    let context = try Library.context()
    let (kept, gone) = (Author(name: "kept"), Author(name: "gone"))
    context.insert(kept)
    context.insert(gone)
    try context.save()
    let recorder = Recorder()
    let observers = recorder.follow(context)
    defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
    let added = Author(name: "added")
    context.insert(added)
    kept.name = "changed"
    let goneID = gone.persistentModelID
    context.delete(gone)
    try context.save()
    try context.save()
    #expect(recorder.all.map(\.name) == [ModelContext.willSave, ModelContext.didSave])
    #expect(recorder.all.first?.keys == [])
    let content = try #require(recorder.all.last)
    let keys = ModelContext.NotificationKey.self
    #expect(content.identifiers[keys.insertedIdentifiers.rawValue] == [added.persistentModelID])
    #expect(content.identifiers[keys.updatedIdentifiers.rawValue] == [kept.persistentModelID])
    #expect(content.identifiers[keys.deletedIdentifiers.rawValue] == [goneID])
    #expect(content.keys == ["inserted", "updated", "deleted"])
  }

  @Test("a new model that is merged into a stored model is announced as an update (D-428)")
  func merges() throws {
    let context = try Library.context()
    let (stored, added) = (Book(isbn: "1", title: "a"), Book(isbn: "2", title: "b"))
    context.insert(stored)
    try context.save()
    let recorder = Recorder()
    let observers = recorder.follow(context)
    defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
    context.insert(Book(isbn: "1", title: "c"))
    context.insert(added)
    try context.save()
    let content = try #require(recorder.all.last)
    let keys = ModelContext.NotificationKey.self
    #expect(content.identifiers[keys.insertedIdentifiers.rawValue] == [added.persistentModelID])
    #expect(content.identifiers[keys.updatedIdentifiers.rawValue] == [stored.persistentModelID])
    #expect(content.identifiers[keys.deletedIdentifiers.rawValue] == [])
  }

  @Test("a save that writes only some of the stores announces the models that it saved")
  func incompleteSave() throws {
    let context = ModelContext(
      try ModelContainer(
        for: Schema([Book.self, Author.self, Chapter.self, Tag.self, Note.self]),
        configurations: [
          ModelConfiguration("books", schema: Library.schema, isStoredInMemoryOnly: true),
          RefusingStoreConfiguration("notes", schema: Schema([Note.self])),
        ]))
    let recorder = Recorder()
    let observers = recorder.follow(context)
    defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
    let tag = Tag(name: "t")
    context.insert(tag)
    context.insert(Note(title: "n"))
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code.rawValue == 134040)
    #expect(recorder.all.map(\.name) == [ModelContext.willSave, ModelContext.didSave])
    let key = ModelContext.NotificationKey.insertedIdentifiers.rawValue
    #expect(recorder.all.last?.identifiers[key] == [tag.persistentModelID])
    #expect(!tag.persistentModelID.isTemporary)
    #expect(context.insertedModelsArray.map { $0 is Note } == [true])
  }

  @Test("the author is the author of the editing state, and is in the history")
  func author() throws {
    let context = try Library.context()
    #expect(context.editingState.author == nil)
    context.author = "one"
    #expect(context.editingState.author == "one")
    let id = context.editingState.id
    context.insert(Author(name: "a"))
    try context.save()
    context.editingState.author = "two"
    #expect(context.author == "two")
    #expect(context.editingState.id == id)
    context.insert(Author(name: "b"))
    try context.save()
    let other = ModelContext(context.container)
    #expect(other.editingState.id != id)
    other.editingState = context.editingState
    #expect(other.author == "two" && other.editingState.id == id)
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.author) == ["one", "two"])
  }

  @Test("only the main context saves automatically, even if another context enables it")
  @MainActor
  func autosave() async throws {
    let container = try Library.container()
    let (main, context) = (container.mainContext, ModelContext(container))
    #expect(!context.autosaveEnabled)
    context.autosaveEnabled = true
    #expect(context.autosaveEnabled)
    context.insert(Author(name: "a"))
    main.insert(Author(name: "b"))
    for _ in 0..<1000 where main.hasChanges { await Task.yield() }
    #expect(!main.hasChanges)
    #expect(context.hasChanges)
  }

  @Test("enabling automatic saves also saves the changes that are already pending")
  @MainActor
  func autosaveOfPendingChanges() async throws {
    let context = try Library.container().mainContext
    context.autosaveEnabled = false
    context.insert(Author(name: "a"))
    context.processPendingChanges()
    for _ in 0..<10 { await Task.yield() }
    #expect(context.hasChanges)
    context.autosaveEnabled = true
    for _ in 0..<1000 where context.hasChanges { await Task.yield() }
    #expect(!context.hasChanges)
  }
}
