import Foundation
import OpenCoreData
import Testing

/// The messages of `NotificationCenter` that contexts and coordinators post.
@Suite("Notification messages", .timeLimit(.minutes(30)))
@MainActor
struct MessageTests {
  private let files: FileTestStack
  private let container: NSPersistentContainer
  private let center = NotificationCenter.default

  init() throws {
    files = try FileTestStack()
    let description = NSPersistentStoreDescription(url: files.url("Shelf.sqlite"))
    for key in [
      NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ] {
      description.setOption(true as NSNumber, forKey: key)
    }
    container = try .loaded("Shelf", ShelfModel.make(), [description])
  }

  private func insertBook(_ code: Int32, in context: NSManagedObjectContext) -> ShelfBook {
    let book = ShelfBook(context: context)
    book.code = code
    return book
  }

  @Test("a save of the view context posts a message before and one after it, with its objects")
  func save() throws {
    let context = container.viewContext
    var log: [String] = []
    var saved: NSManagedObjectContext.DidSaveMessage?
    let before = center.addObserver(of: context, for: .willSave) { message in
      log.append("will save \(message.context === context), \(context.hasChanges)")
    }
    let after = center.addObserver(of: context, for: .didSave) { message in
      log.append("did save")
      saved = message
    }
    let book = insertBook(1, in: context)
    try context.save()
    #expect(log == ["will save true, true", "did save"])
    #expect(saved?.inserted == [book])
    #expect(saved?.updated == [])
    #expect(saved?.historyToken != nil)
    #expect(saved?.queryGeneration == nil)
    try context.setQueryGenerationFrom(.current)
    book.code = 2
    try context.save()
    #expect(saved?.updated == [book])
    #expect(saved?.queryGeneration != nil)
    center.removeObserver(before)
    center.removeObserver(after)
    context.delete(book)
    try context.save()
    #expect(log.count == 4)
  }

  @Test("an observer of a message type receives nothing until the program uses the identifier")
  func observerOfType() async {
    await #expect(processExitsWith: .success) { try await MessageTests.observeType() }
  }

  private static func observeType() throws {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    let container = try NSPersistentContainer.loaded("Shelf", ShelfModel.make(), [description])
    let context = container.viewContext
    var count = 0
    let token = NotificationCenter.default.addObserver(
      of: context, for: NSManagedObjectContext.DidSaveMessage.self
    ) { _ in count += 1 }
    ShelfBook(context: context).title = "a"
    try context.save()
    guard count == 0 else { throw CocoaError(.coderInvalidValue) }
    _ = NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage>.didSave
    ShelfBook(context: context).title = "b"
    try context.save()
    guard count == 1 else { throw CocoaError(.coderInvalidValue) }
    NotificationCenter.default.removeObserver(token)
  }

  @Test("the key of a reset has Apple's value")
  func invalidatedAllKey() {
    let key = NSManagedObjectContext.NotificationKey.invalidatedAllObjects
    #expect(key.rawValue == "invalidatedAll")
    #expect(NSInvalidatedAllObjectsKey == key.rawValue)
  }

  @Test("changes and a reset post the objects, once for all changes of one event")
  func changes() throws {
    let context = container.viewContext
    var messages: [NSManagedObjectContext.ObjectsDidChangeMessage] = []
    let token = center.addObserver(of: context, for: .objectsDidChange) { messages.append($0) }
    let (one, other) = (insertBook(1, in: context), insertBook(2, in: context))
    context.processPendingChanges()
    #expect(messages.map(\.inserted) == [[one, other]])
    try context.save()
    one.code = 3
    context.processPendingChanges()
    #expect(messages.last?.updated == [one])
    context.refresh(other, mergeChanges: false)
    #expect(messages.last?.refreshed == [other])
    #expect(messages.last?.invalidatedAll == nil)
    context.reset()
    #expect(messages.last?.invalidatedAll == true)
    center.removeObserver(token)
  }

  @Test(
    "saves and merges post ids: on the main actor for the view context, asynchronously for others")
  func ids() async throws {
    let (view, background) = (container.viewContext, container.newBackgroundContext())
    view.automaticallyMergesChangesFromParent = true
    let (saves, save) = AsyncStream.makeStream(of: Set<NSManagedObjectID>.self)
    let (merges, merge) = AsyncStream.makeStream(of: Set<NSManagedObjectID>.self)
    let first = center.addObserver(of: background, for: .didSaveObjectIDsAsync) { message in
      save.yield(message.insertedIDs)
    }
    let second = center.addObserver(of: view, for: .didMergeChanges) { message in
      merge.yield(message.insertedIDs)
    }
    let id = try await background.perform { () throws -> NSManagedObjectID in
      let book = ShelfBook(context: background)
      try background.save()
      return book.objectID
    }
    var iterator = saves.makeAsyncIterator()
    #expect(await iterator.next() == [id])
    var other = merges.makeAsyncIterator()
    #expect(await other.next() == [id])

    var ofView: NSManagedObjectContext.DidSaveObjectIDsMessage?
    let third = center.addObserver(of: view, for: .didSaveObjectIDs) { ofView = $0 }
    let own = insertBook(5, in: view)
    try view.save()
    #expect(ofView?.insertedIDs == [own.objectID])
    #expect(ofView?.deletedIDs == [])
    #expect(ofView?.historyToken != nil)
    for token in [first, second, third] { center.removeObserver(token) }
  }

  @Test("a merge into a context for a private queue posts an asynchronous message")
  func backgroundMerge() async throws {
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    let (merges, merge) = AsyncStream.makeStream(of: Set<NSManagedObjectID>.self)
    let token = center.addObserver(of: reader, for: .didMergeChangesAsync) { message in
      merge.yield(message.insertedIDs)
    }
    reader.automaticallyMergesChangesFromParent = true
    let id = try await writer.perform { () throws -> NSManagedObjectID in
      let book = ShelfBook(context: writer)
      try writer.save()
      return book.objectID
    }
    var iterator = merges.makeAsyncIterator()
    #expect(await iterator.next() == [id])
    center.removeObserver(token)
  }

  @Test("a commit posts the store and the position in its history to observers of the coordinator")
  func remoteChange() async throws {
    let coordinator = container.persistentStoreCoordinator
    let (changes, change) = AsyncStream.makeStream(
      of: NSPersistentStoreCoordinator.RemoteChangeMessage.self)
    let token = center.addObserver(of: coordinator, for: .remoteChange) { change.yield($0) }
    _ = insertBook(1, in: container.viewContext)
    try container.viewContext.save()
    var iterator = changes.makeAsyncIterator()
    let message = try #require(await iterator.next())
    #expect(message.storeURL == coordinator.persistentStores.first?.url)
    #expect(message.storeUUID == coordinator.persistentStores.first?.identifier)
    #expect(
      message.historyToken
        == coordinator.currentPersistentHistoryToken(fromStores: nil))
    center.removeObserver(token)
  }

  @Test(
    "the coordinator's messages contain stores that are added, moved and removed")
  func stores() throws {
    let coordinator = container.persistentStoreCoordinator
    var messages: [NSPersistentStoreCoordinator.StoresDidChangeMessage] = []
    let token = center.addObserver(of: coordinator, for: .storesDidChange) { messages.append($0) }
    let old = try #require(coordinator.persistentStores.first)
    let new = try coordinator.migratePersistentStore(
      old, to: files.url("Other.sqlite"), type: .sqlite)
    let exchanges = messages.compactMap(\.uuidChangedStores)
    #expect(exchanges.count == 1)
    #expect(exchanges.first?.oldValue === old)
    #expect(exchanges.first?.newValue === new)
    #expect(messages.map(\.addedStores) == [[new], [], []])
    #expect(messages.map(\.removedStores) == [[], [], [old]])
    let added = try coordinator.addPersistentStore(type: .sqlite, at: files.url("Third.sqlite"))
    #expect(messages.last?.addedStores == [added])
    try coordinator.remove(new)
    #expect(messages.last?.removedStores == [new])
    #expect(messages.last?.addedStores == [])
    center.removeObserver(token)
  }

  @Test("a message converts to the equivalent notification, and a notification to the message")
  func conversion() throws {
    let context = container.viewContext
    var message: NSManagedObjectContext.DidSaveMessage?
    let token = center.addObserver(of: context, for: .didSave) { message = $0 }
    let book = insertBook(1, in: context)
    try context.save()
    center.removeObserver(token)
    let notification = NSManagedObjectContext.DidSaveMessage.makeNotification(
      try #require(message))
    #expect(notification.name == .NSManagedObjectContextDidSave)
    #expect(notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [book])
    let again = NSManagedObjectContext.DidSaveMessage.makeMessage(notification)
    #expect(again?.inserted == [book])
    #expect(again?.historyToken == message?.historyToken)
    let foreign = Notification(name: .NSManagedObjectContextDidSave, object: nil)
    #expect(NSManagedObjectContext.DidSaveMessage.makeMessage(foreign) == nil)
  }
}
