import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Pruning")
struct StorePruningTests {
  private static let now = Date(timeIntervalSinceReferenceDate: 100 * 86_400)

  private static func pruning(
    _ rule: PruningRule, sizeLimit: Int64? = nil
  ) -> StorePruning {
    StorePruning(rules: [rule], sizeLimit: sizeLimit, now: { now })
  }

  private static let rule = PruningRule(
    entityName: "Track", dateKeyPath: "addedAt", exceptions: "isFavorite == YES")

  /// Tracks of one day each, the first the oldest; every tenth is a favourite.
  private static func fill(_ persistence: PersistenceController, _ count: Int) throws {
    try persistence.performInPieces(of: 0..<count, size: 500) { numbers, context in
      let album = Album(context: context)
      album.title = "Album"
      for number in numbers {
        let track = Track(title: String(repeating: "\(number) ", count: 200), context: context)
        track.addedAt = now.addingTimeInterval(Double(number - count) * 86_400)
        track.isFavorite = number % 10 == 0
        track.album = album
      }
    }
  }

  private static func titles(_ persistence: PersistenceController) throws -> [Int] {
    try persistence.performBatchOperation { context in
      let tracks = try BaseRepository<Track>(context: context)
        .fetch(sortDescriptors: [NSSortDescriptor(key: "addedAt", ascending: true)])
      return tracks.map { Int($0.title.prefix { $0 != " " }) ?? -1 }
    }
  }

  @Test("old objects are deleted, except for exceptions and protected or undated objects")
  func age() throws {
    let persistence = PersistenceController(inMemory: true)
    try Self.fill(persistence, 60)
    let protected = try persistence.performBatchOperation { context in
      _ = Track(title: "-1", context: context)
      let tracks = BaseRepository<Track>(context: context)
      let one = try tracks.fetchFirst(predicate: NSPredicate(format: "title BEGINSWITH '7 '"))
      return try #require(one).objectID
    }
    var pruning = Self.pruning(Self.rule)
    pruning.stepSize = 4
    let report = try pruning.prune(persistence, protecting: [protected])
    #expect(report.deletedCounts == ["Track": 30 - 3 - 1])
    #expect(report.bytesBefore == nil)
    #expect(try Self.titles(persistence) == [-1, 0, 7, 10, 20] + Array(30..<60))
    #expect(try pruning.prune(persistence).deletedCount == 1)
  }

  @Test("read-only stores are neither pruned nor measured")
  func readOnlyStore() throws {
    let folder = try Folder()
    let url = folder.url.appendingPathComponent("Archive.sqlite")
    let archive = PersistenceController(opening: .kanora(.file(url)))
    try Self.fill(archive, 60)
    let archived = archive.container.persistentStoreCoordinator
    for store in archived.persistentStores { try archived.remove(store) }
    let persistence = folder.open()
    try Self.fill(persistence, 40)
    let alone = try Self.pruning(Self.rule).prune(persistence)
    let coordinator = persistence.container.persistentStoreCoordinator
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSReadOnlyPersistentStoreOption: true])
    let report = try Self.pruning(Self.rule).prune(persistence)
    #expect(alone.deletedCounts == ["Track": 9] && report.deletedCount == 0)
    #expect(report.bytesBefore == alone.bytesAfter)
    #expect(try Self.titles(persistence).count == 60 + 31)
    for store in coordinator.persistentStores { store.isReadOnly = true }
    #expect(try Self.pruning(Self.rule).prune(persistence).deletedCount == 0)
  }

  @Test("a rule over a relationship also deletes the objects of delete rules")
  @MainActor
  func relationships() throws {
    let folder = try Folder()
    let persistence = folder.open()
    let context = persistence.viewContext
    CoreDataTestUtilities.createSampleData(in: context)
    let tracks = try context.fetch(Track.fetchRequest())
    for track in tracks { track.addedAt = Self.now.addingTimeInterval(-90 * 86_400) }
    let fresh = Track(title: "Fresh", context: context)
    fresh.addedAt = Self.now
    try persistence.saveViewContext()
    let rule = PruningRule(entityName: "Track", dateKeyPath: "addedAt")
    let report = try Self.pruning(rule).prune(persistence)
    #expect(report.deletedCount == 2)
    #expect(try context.fetch(Track.fetchRequest()) == [fresh])
    #expect(try IntegrityCheck().findings(in: context).isEmpty)
  }

  @Test("the oldest objects are deleted until the store is small enough")
  func size() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try Self.fill(persistence, 2000)
    var pruning = Self.pruning(
      PruningRule(
        entityName: "Track", dateKeyPath: "addedAt", maximumAge: 1e9,
        exceptions: Self.rule.exceptions),
      sizeLimit: 1_000_000)
    pruning.stepSize = 100
    let report = try pruning.prune(persistence)
    let before = try #require(report.bytesBefore)
    let after = try #require(report.bytesAfter)
    #expect(before > 1_500_000 && after <= 1_000_000 && after > 800_000)
    let left = try Self.titles(persistence)
    #expect(left.count == 2000 - report.deletedCount)
    let oldest = try #require(left.first { $0 % 10 != 0 })
    #expect(left == (0..<2000).filter { $0 % 10 == 0 || $0 >= oldest })
    pruning.sizeLimit = 1
    _ = try pruning.prune(persistence)
    #expect(try Self.titles(persistence) == (0..<200).map { $0 * 10 }, "exceptions stay")
  }

  @Test("exceptions are what a fetch returns: a missing value is none", arguments: [true, false])
  func missingValues(inMemory: Bool) throws {
    let folder = try Folder()
    let persistence = inMemory ? PersistenceController(inMemory: true) : folder.open()
    try Self.fill(persistence, 40)
    try persistence.performBatchOperation { context in
      let tracks = try BaseRepository<Track>(context: context).fetch(
        predicate: NSPredicate(format: "title BEGINSWITH '3 ' OR title BEGINSWITH '4 '"))
      for track in tracks {
        track.filePath = track.title.hasPrefix("3 ") ? "/keep/3" : "/drop/4"
      }
    }
    let rule = PruningRule(
      entityName: "Track", dateKeyPath: "addedAt",
      exceptions: "filePath BEGINSWITH '/keep' OR album.artist.name == 'Nobody'")
    #expect(try Self.pruning(rule).prune(persistence).deletedCount == 9)
    #expect(try Self.titles(persistence) == [3] + Array(10..<40))
    let open = PruningRule(
      entityName: "Track", dateKeyPath: "addedAt", exceptions: "NOT (filePath == '/drop/4')")
    #expect(try Self.pruning(open).prune(persistence).deletedCount == 0, "3 is an exception")
  }

  @Test("a protected object of another entity protects no object with its number")
  func protectedEntities() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try Self.fill(persistence, 40)
    let albums = try persistence.performBatchOperation { context in
      try BaseRepository<Album>(context: context).fetch().map(\.objectID)
    }
    let rule = PruningRule(entityName: "Track", dateKeyPath: "addedAt")
    #expect(try Self.pruning(rule).prune(persistence, protecting: albums).deletedCount == 10)
  }

  @Test("an invalid or infinite age deletes nothing; a negative one counts as zero")
  func oddAges() throws {
    let persistence = PersistenceController(inMemory: true)
    try Self.fill(persistence, 40)
    var rule = Self.rule
    for age in [Double.nan, .infinity, -.infinity] {
      rule.maximumAge = age
      #expect(try Self.pruning(rule).prune(persistence).deletedCount == 0)
    }
    try persistence.performBatchOperation { context in
      let track = Track(title: "100", context: context)
      track.addedAt = Self.now.addingTimeInterval(60)
    }
    rule.maximumAge = -1e6
    #expect(try Self.pruning(rule).prune(persistence).deletedCount == 36)
    #expect(try Self.titles(persistence) == [0, 10, 20, 30, 100])
  }

  @Test("a rule without an entity throws and deletes nothing")
  func badRules() throws {
    let persistence = PersistenceController(inMemory: true)
    try Self.fill(persistence, 40)
    for rule in [
      PruningRule(entityName: "Nothing", dateKeyPath: "addedAt"),
      PruningRule(entityName: "Track", dateKeyPath: "nothing"),
      PruningRule(entityName: "Track", dateKeyPath: "addedAt", exceptions: "isFavorite =="),
    ] {
      #expect(throws: (any Error).self) { try Self.pruning(rule).prune(persistence) }
    }
    #expect(try Self.titles(persistence).count == 40)
  }
}
