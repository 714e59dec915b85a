import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Synchronization
import Testing

/// The stack of the music library, as the design document about it promises.
@Suite("Music library stack", .serialized)
struct StackTests {
  /// What a stack reports.
  private final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  /// A stack in a file that hands its reports over.
  private func open(_ file: URL, _ reports: Reports) -> KanoraStore {
    var configuration = PersistenceController.Configuration.kanora
    configuration.storage = .file(file)
    configuration.report = { reports.add($0) }
    return KanoraStore(opening: configuration)
  }

  @Test("the preview has saved objects of every entity, without integrity issues")
  @MainActor
  func preview() throws {
    let preview = KanoraStore.preview
    #expect(preview === KanoraStore.preview)
    #expect(!preview.viewContext.hasChanges)
    for name in try KanoraModel.make().entitiesByName.keys {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      #expect(try preview.viewContext.count(for: request) > 0, "no \(name)")
    }
    let request = NSFetchRequest<Album>(entityName: "Album")
    let albums = try preview.viewContext.fetch(request)
    #expect(albums.allSatisfy { $0.artworkPath != nil && $0.genre != nil })
    #expect(try LibraryCheck.issues(in: preview.viewContext).isEmpty)
  }

  @Test(
    "the user's library is Kanora.sqlite in the user's data folder, also without a home folder"
  )
  func place() throws {
    let configuration = PersistenceController.Configuration.kanora
    guard case .file(let file) = configuration.storage else {
      Issue.record("The library is in no file.")
      return
    }
    #expect(file.path.hasSuffix("/Kanora/Kanora.sqlite"))
    let home = FileManager.default.temporaryDirectory
    func folder(_ environment: [String: String], _ home: URL) -> String {
      KanoraFolders.data(environment: environment, home: home).path
    }
    #expect(folder([:], home) == home.appendingPathComponent(".local/share/Kanora").path)
    #expect(folder(["XDG_DATA_HOME": "/data"], home) == "/data/Kanora")
    #expect(
      folder(["XDG_DATA_HOME": "data"], home)
        == home.appendingPathComponent(".local/share/Kanora").path)
    #expect(folder(["HOME": home.path], URL(fileURLWithPath: "/")) == folder([:], home))
    #expect(folder(["HOME": "home"], home) == folder([:], home))
    for absent in ["/", "/nonexistent/home"] {
      let path = folder([:], URL(fileURLWithPath: absent))
      #expect(path == home.appendingPathComponent("Kanora-\(getuid())").path)
    }
  }

  @Test(
    "the main context is named, merges automatically, prefers its own edits, and has an undo manager"
  )
  @MainActor
  func viewContext() throws {
    let temporary = try TemporaryLibrary()
    let store = open(temporary.folder.appendingPathComponent("new/Kanora.sqlite"), Reports())
    #expect(store.loadErrors.isEmpty && store.migrationError == nil)
    let context = store.viewContext
    #expect(context.name == "ViewContext")
    #expect(context.concurrencyType == .mainQueueConcurrencyType)
    #expect(context.automaticallyMergesChangesFromParent)
    let policy = context.mergePolicy as? NSMergePolicy
    #expect(policy?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
    #expect(context.undoManager != nil)
    let description = try #require(store.container.persistentStoreDescriptions.first)
    #expect(description.shouldMigrateStoreAutomatically)
    #expect(description.shouldInferMappingModelAutomatically)
    let yes = NSNumber(value: true)
    #expect(description.options[NSPersistentHistoryTrackingKey] == yes)
    #expect(description.options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] == yes)
  }

  @Test(
    "a child's save changes only the main context, whose save writes to disk; a discarded child changes nothing"
  )
  @MainActor
  func children() throws {
    let temporary = try TemporaryLibrary()
    let store = temporary.store
    func saved() throws -> Int {
      let context = store.newBackgroundContext()
      return try context.performAndWait {
        try context.count(for: NSFetchRequest<Artist>(entityName: "Artist"))
      }
    }
    func makeArtist(in context: NSManagedObjectContext) {
      Artist(context: context).rename(to: "The Who")
    }
    try store.saveViewContext()
    let discarded = store.newChildContext()
    makeArtist(in: discarded)
    discarded.rollback()
    #expect(!store.viewContext.hasChanges)
    let child = store.newChildContext()
    makeArtist(in: child)
    try child.save()
    #expect(store.viewContext.hasChanges)
    #expect(try saved() == 0)
    try store.saveViewContext()
    #expect(try saved() == 1)
    let inner = store.newChildContext(of: store.newChildContext())
    makeArtist(in: inner)
    try store.saveWithParent(context: inner)
    #expect(try saved() == 2)
    let sortName = try temporary.query("SELECT DISTINCT ZSORTNAME FROM ZARTIST;")
    #expect(sortName == "Who, The")
  }

  @Test("the main context sees batch deletions and batch updates")
  @MainActor
  func batches() throws {
    let temporary = try TemporaryLibrary()
    let store = temporary.store
    let library = try SampleLibrary.fill(store.viewContext)
    try store.saveViewContext()
    let request = NSFetchRequest<Track>(entityName: "Track")
    let before = try store.viewContext.fetch(request)
    let played = Set(before.filter { $0.playCount > 0 }.map(\.title))
    let batchUpdate = NSBatchUpdateRequest(entityName: "Track")
    batchUpdate.predicate = NSPredicate(format: "playCount < 5", argumentArray: [])
    batchUpdate.propertiesToUpdate = ["rating": 0]
    try store.batchUpdate(request: batchUpdate)
    #expect(before.filter { $0.playCount < 5 }.allSatisfy { $0.rating == 0 })
    let unplayed = NSFetchRequest<Track>(entityName: "Track")
    unplayed.predicate = NSPredicate(format: "playCount == 0", argumentArray: [])
    try store.batchDelete(fetchRequest: unplayed)
    #expect(Set(try store.viewContext.fetch(request).map(\.title)) == played)
    #expect(library.artists.count == 3)
  }

  @Test("the main context merges background changes automatically")
  @MainActor
  func background() async throws {
    let temporary = try TemporaryLibrary()
    let store = temporary.store
    try SampleLibrary.fill(store.viewContext)
    try store.saveViewContext()
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = NSPredicate(format: "title == 'Taxman'", argumentArray: [])
    let track = try #require(try store.viewContext.fetch(request).first)
    let id = track.objectID
    try await store.performBackgroundTask { context in
      (try context.existingObject(with: id) as? Track)?.playCount = 77
    }
    while track.playCount != 77 { await Task.yield() }
    #expect(track.playCount == 77)
  }

  @Test(
    "an error is reported with domain, code, description, suggestion, and the titles of the objects"
  )
  @MainActor
  func errors() throws {
    let reports = Reports()
    let temporary = try TemporaryLibrary()
    let store = open(temporary.file, reports)
    try SampleLibrary.fill(store.viewContext)
    let request = NSFetchRequest<Track>(entityName: "Track")
    for track in try store.viewContext.fetch(request) where track.title == "Something" {
      track.setValue(nil, forKey: "filePath")
    }
    do {
      try store.saveViewContext()
      Issue.record("A track without path was saved.")
    } catch {
      store.handleError(error, context: "Saving tracks")
    }
    let lines = reports.all.last?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.first == "❌ Core Data error in Saving tracks")
    #expect(lines.contains("   Domain: NSCocoaErrorDomain"))
    #expect(lines.contains("   Code: 1570"))
    #expect(lines.contains { $0.hasPrefix("   Description: ") })
    #expect(lines.contains("   Affected objects: 1"))
    #expect(lines.contains("     - Track: \"Something\""))
  }

  @Test("statistics are printed in the seed's format, with correct numbers")
  @MainActor
  func statistics() throws {
    let reports = Reports()
    let temporary = try TemporaryLibrary()
    let store = open(temporary.file, reports)
    try SampleLibrary.fill(store.viewContext)
    try store.saveViewContext()
    let request = NSFetchRequest<Track>(entityName: "Track")
    let tracks = try store.viewContext.fetch(request).sorted { $0.title < $1.title }
    tracks[0].rating = 1
    tracks[1].rating = 1
    store.viewContext.delete(tracks[2].plays.first ?? tracks[2])
    let bad = BadFile(context: store.viewContext)
    bad.path = "/music/other.mp3"
    store.printStatistics()
    let size = store.statistics.stores[0].byteCount ?? 0
    let lines = reports.all.last?.split(separator: "\n").map(String.init) ?? []
    #expect(
      lines.prefix(8) == [
        "📊 Core Data Statistics", "   View Context:", "     - Has changes: true",
        "     - Inserted: 1", "     - Updated: \(store.viewContext.updatedObjects.count)",
        "     - Deleted: \(store.viewContext.deletedObjects.count)", "   Store:",
        "     - Type: SQLite",
      ])
    #expect(lines.dropFirst(8).first == "     - URL: \(temporary.file.path)")
    #expect(lines.last?.hasPrefix("     - Size: ") == true && size > 0)
    #expect(store.viewContext.updatedObjects.count >= 2)
    #expect(store.viewContext.deletedObjects.count >= 1)
  }

  @Test("resetting deletes all data, and the library can be used again")
  @MainActor
  func reset() throws {
    let temporary = try TemporaryLibrary()
    let tracks = NSFetchRequest<NSManagedObject>(entityName: "Track")
    try SampleLibrary.fill(temporary.store.viewContext)
    try temporary.store.saveViewContext()
    let count = try temporary.store.viewContext.count(for: tracks)
    #expect(count > 0)
    try temporary.store.reset()
    for name in try KanoraModel.make().entitiesByName.keys {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      #expect(try temporary.store.viewContext.count(for: request) == 0)
    }
    try SampleLibrary.fill(temporary.store.viewContext)
    try temporary.store.saveViewContext()
    let context = temporary.store.newBackgroundContext()
    #expect(try context.performAndWait { try context.count(for: tracks) } == count)
  }

  @Test(
    "a missing file and a damaged file have separate errors, and the damaged file is not changed")
  func troubles() throws {
    let temporary = try TemporaryLibrary()
    func code(_ name: String, _ content: Data?) throws -> KanoraError.Code? {
      let file = temporary.folder.appendingPathComponent(name)
      try content?.write(to: file)
      let error = #expect(throws: KanoraError.self) { try KanoraStore.openExisting(file) }
      if let content { #expect(try Data(contentsOf: file) == content) }
      return error?.code
    }
    #expect(try code("missing.sqlite", nil) == .missingStore)
    #expect(try code("text.sqlite", Data(repeating: 120, count: 5_000)) == .notOpened)
    try FileManager.default.createDirectory(
      at: temporary.folder.appendingPathComponent("folder.sqlite"),
      withIntermediateDirectories: false)
    #expect(try code("folder.sqlite", nil) == .notOpened)
    let reports = Reports()
    let damaged = open(temporary.folder.appendingPathComponent("text.sqlite"), reports)
    #expect(!damaged.loadErrors.isEmpty && !reports.all.isEmpty)
    #expect(throws: (any Error).self) { try damaged.requireStores() }
  }

  @Test("the file of an interrupted creation becomes a library")
  func unfinished() throws {
    let temporary = try TemporaryLibrary()
    for (name, statement) in [("empty", ""), ("tableless", "PRAGMA journal_mode = WAL; VACUUM;")] {
      let file = temporary.folder.appendingPathComponent("\(name).sqlite")
      try Data().write(to: file)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
      process.arguments = [file.path, statement]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      try #require(Data(contentsOf: file).isEmpty == statement.isEmpty)
      let store = try KanoraStore.openExisting(file)
      try store.performBatchOperation { _ = try SampleLibrary.fill($0) }
      #expect(store.migrationError == nil)
    }
    withExtendedLifetime(temporary) {}
  }
}
