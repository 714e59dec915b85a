import CoreData
import Foundation
import OpenPersistenceKit
import Testing

/// The printed texts of a document about a Core Data stack, to the letter.
@Suite("Texts of a stack")
struct ReportListingTests {
  @Test("the error report contains domain, code, description, reason, suggestion and objects")
  @MainActor
  func errorReport() throws {
    let journal = Journal()
    let persistence = PersistenceController(opening: .kanora(.inMemory, journal: journal))
    let titles = ["Come Together", "Something", "Oh! Darling", "Sun King", "The End"]
    let tracks = titles.map { Track(title: $0, context: persistence.viewContext) }
    let error = NSError(
      domain: NSCocoaErrorDomain, code: 133000,
      userInfo: [
        NSLocalizedDescriptionKey: "The operation couldn't be completed",
        NSLocalizedFailureReasonErrorKey: "Database is locked",
        NSLocalizedRecoverySuggestionErrorKey: "Try closing other apps",
        "NSAffectedObjectsErrorKey": tracks,
      ])
    persistence.handleError(error, context: "Saving tracks")
    #expect(
      journal.all == [
        """
        ❌ Core Data error in Saving tracks
           Domain: NSCocoaErrorDomain
           Code: 133000
           Description: The operation couldn't be completed
           Reason: Database is locked
           Suggestion: Try closing other apps
           Affected objects: 5
             - Track: "Come Together"
             - Track: "Something"
             ...
        """
      ])
    let all = ErrorReport(error, context: "Saving tracks").text(objectLimit: nil)
    #expect(all.hasSuffix("     - Track: \"Sun King\"\n     - Track: \"The End\""))
    let none = ErrorReport(error, context: "Saving tracks").text(objectLimit: -1)
    #expect(none == ErrorReport(error, context: "Saving tracks").text(objectLimit: 0))
    #expect(!none.contains("     - "))
  }

  @Test("the report of a failed save contains the objects that failed validation")
  @MainActor
  func validation() throws {
    let persistence = PersistenceController(inMemory: true)
    let album = Album(context: persistence.viewContext)
    album.title = "Let It Be"
    album.setValue(nil, forKey: "title")
    let track = Track(context: persistence.viewContext)
    let error = #expect(throws: (any Error).self) { try persistence.saveViewContext() }
    let report = ErrorReport(try #require(error), context: "User action")
    #expect(report.code == NSValidationMultipleErrorsError)
    #expect(report.details.map(\.code) == [1570, 1570])
    #expect(report.affectedObjects.count == 2)
    let uri = track.objectID.uriRepresentation().absoluteString
    #expect(report.affectedObjects.contains("Track: \(uri)"))
    #expect(report.suggestion == "Correct the values, then save again.")
    #expect(ErrorKind(try #require(error)) == .missingValue)
  }

  @Test("the report of a violated uniqueness constraint contains the conflicting objects")
  @MainActor
  func constraint() throws {
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.viewContext
    context.mergePolicy = NSErrorMergePolicy
    for title in ["One", "Two"] {
      Track(title: title, context: context).filePath = "/music/same.flac"
    }
    let error = #expect(throws: CocoaError.self) { try persistence.saveViewContext() }
    let report = ErrorReport(try #require(error))
    #expect(report.code == NSManagedObjectConstraintMergeError)
    #expect(report.affectedObjects.sorted() == ["Track: \"One\"", "Track: \"Two\""])
  }

  @Test("the error report of a locked store suggests a remedy")
  func locked() throws {
    let folder = try Folder()
    let configuration = PersistenceController.Configuration.kanora(.file(folder.store))
    let first = PersistenceController(opening: configuration)
    var impatient = configuration
    impatient.prepareStore = { $0.timeout = 0.1 }
    let second = PersistenceController(opening: impatient)
    let context = first.newBackgroundContext()
    try context.performAndWait {
      _ = Track(title: "One", context: context)
      try context.save()
      let lock = try RawDatabase(folder.store)
      try lock.run("BEGIN IMMEDIATE")
      let failure = try Self.failureOfSave(in: second)
      let report = ErrorReport(failure, context: "Saving tracks")
      #expect(report.code == NSPersistentStoreTimeoutError)
      #expect(report.text().contains("   Suggestion: Close other programs that use the store"))
      #expect(ErrorKind(failure) == .locking)
      #expect(ErrorKind.isTransient(failure))
    }
  }

  private static func failureOfSave(
    in persistence: PersistenceController
  ) throws -> any Error {
    let context = persistence.newBackgroundContext()
    let error = context.performAndWait { () -> (any Error)? in
      _ = Track(title: "Two", context: context)
      do {
        try context.save()
        return nil
      } catch {
        return error
      }
    }
    return try #require(error)
  }

  @Test("statistics show the pending changes and the store")
  @MainActor
  func statistics() throws {
    let folder = try Folder()
    let journal = Journal()
    let persistence = folder.open(journal: journal)
    let context = persistence.viewContext
    let saved = (0..<20).map { Track(title: "Track \($0)", context: context) }
    try persistence.saveViewContext()
    for track in saved[..<12] { track.playCount += 1 }
    for track in saved[12..<14] { context.delete(track) }
    for number in 0..<5 { _ = Track(title: "New \(number)", context: context) }

    var statistics = persistence.statistics
    let bytes = try Self.bytes(in: folder.url)
    #expect(statistics.stores.first?.byteCount == bytes)
    #expect(statistics.stores.first?.url == folder.store)
    persistence.printStatistics()
    #expect(journal.all == [statistics.text])

    statistics.stores[0].url = URL(fileURLWithPath: "/Users/.../Kanora.sqlite")
    statistics.stores[0].byteCount = 2_400_000
    #expect(
      statistics.text == """
        📊 Core Data Statistics
           View Context:
             - Has changes: true
             - Inserted: 5
             - Updated: 12
             - Deleted: 2
           Store:
             - Type: SQLite
             - URL: /Users/.../Kanora.sqlite
             - Size: 2.4 MB
        """)
  }

  /// Bytes of the store and its log.
  private static func bytes(in folder: URL) throws -> Int64 {
    try ["Kanora.sqlite", "Kanora.sqlite-wal"].reduce(0) { sum, name in
      let path = folder.appendingPathComponent(name).path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return sum + ((attributes[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  @Test(
    "sizes are written with three digits at most before the point",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 KB"), (12_400, "12 KB"),
      (999_499, "999 KB"), (999_500, "1.0 MB"), (2_449_999, "2.4 MB"), (999_949_999, "999.9 MB"),
      (999_950_000, "1.00 GB"), (1_250_000_000, "1.25 GB"), (3_000_000_000_000, "3.00 TB"),
    ] as [(Int64, String)])
  func sizes(_ size: (bytes: Int64, text: String)) throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    var statistics = StackStatistics(of: context)
    statistics.stores = [.init(type: "SQLite", url: nil, byteCount: size.bytes)]
    #expect(statistics.text.hasSuffix("     - Size: \(size.text)"))
  }

  @Test("the statistics of an in-memory store show no file and no size")
  @MainActor
  func memoryStatistics() {
    let text = PersistenceController(inMemory: true).statistics.text
    #expect(text.hasSuffix("   Store:\n     - Type: InMemory"))
  }

  @Test("the statistics of a store that is not a file show its URL, but no size")
  @MainActor
  func serverStatistics() throws {
    let persistence = PersistenceController(inMemory: true)
    let url = try #require(URL(string: "https://example.org/library"))
    try persistence.container.persistentStoreCoordinator
      .addPersistentStore(type: .inMemory, at: url)
    let store = try #require(persistence.statistics.stores.last)
    #expect(store.url == url)
    #expect(store.byteCount == nil)
  }

  @Test("a store that cannot be opened is reported with its URL, and every use throws")
  func notLoading() throws {
    let folder = try Folder()
    try Data("no store".utf8).write(to: folder.store)
    let journal = Journal()
    let persistence = folder.open(journal: journal)
    let text = try #require(journal.all.first)
    #expect(text.hasPrefix("❌ Core Data error: Error Domain=NSCocoaErrorDomain Code=259"))
    #expect(text.contains("\n   Store: \(folder.store.absoluteString)\n   User info: ["))
    #expect(throws: CocoaError.self) { try persistence.requireStores() }
    #expect(throws: (any Error).self) {
      try persistence.performBatchOperation { _ = Track(title: "One", context: $0) }
    }
    #expect(throws: CocoaError.self) {
      try PersistenceController(
        name: "Kanora", model: MusicModel.make(), storage: .file(folder.store))
    }
  }
}
