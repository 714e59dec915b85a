import CoreData
import Foundation
import OpenPersistenceKit
import Testing

/// The tracks that the user likes.
final class FavoriteTracks: BaseRepository<Track> {
  private let request: NSFetchRequest<Track> = {
    let request: NSFetchRequest<Track> = Track.fetchRequest()
    request.predicate = NSPredicate(format: "isFavorite == YES")
    request.sortDescriptors = [NSSortDescriptor(key: "playCount", ascending: false)]
    return request
  }()

  /// The same request each time.
  override func makeRequest() -> NSFetchRequest<Track> { request }
}

@Suite("Repositories of a part of an entity")
struct ScopedRepositoryTests {
  /// Saves ten tracks, every other one a favorite, and runs work on the queue of another context.
  private static func run(
    inMemory: Bool, _ work: (NSManagedObjectContext, FavoriteTracks) throws -> Void
  ) throws {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let persistence = inMemory ? PersistenceController(inMemory: true) : folder.open()
    try persistence.performBatchOperation { context in
      for number in 0..<10 {
        let track = Track(title: "\(number)", context: context)
        track.isFavorite = number % 2 == 0
        track.playCount = Int32(number)
      }
    }
    let context = persistence.newBackgroundContext()
    try context.performAndWait { try work(context, FavoriteTracks(context: context)) }
  }

  @Test("every method keeps to the predicate and order of the request", arguments: [true, false])
  func reading(inMemory: Bool) throws {
    try Self.run(inMemory: inMemory) { _, favorites throws in
      let many = NSPredicate(format: "playCount > 3")
      let few = NSPredicate(format: "playCount < 4")
      #expect(try favorites.fetch().map(\.playCount) == [8, 6, 4, 2, 0])
      #expect(try favorites.fetch(predicate: many).map(\.playCount) == [8, 6, 4])
      let ascending = [NSSortDescriptor(key: "playCount", ascending: true)]
      #expect(
        try favorites.fetch(predicate: few, sortDescriptors: ascending).map(\.playCount) == [0, 2])
      #expect(try favorites.count() == 5)
      #expect(try favorites.count(predicate: few) == 2)
      #expect(try favorites.fetchFirst(predicate: few)?.playCount == 2)
      #expect(try favorites.fetchFirst(predicate: NSPredicate(format: "playCount == 3")) == nil)
      #expect(try favorites.fetch().count == 5, "no call changed the request")
    }
  }

  @Test("deleting all of a part leaves the rest", arguments: [true, false])
  func deleting(inMemory: Bool) throws {
    try Self.run(inMemory: inMemory) { context, favorites throws in
      let loaded = try favorites.fetch()
      try favorites.deleteAll(predicate: NSPredicate(format: "playCount > 5"))
      #expect(try favorites.fetch().map(\.playCount) == [4, 2, 0])
      #expect(loaded[0].managedObjectContext == nil || loaded[0].isDeleted)
      try favorites.deleteAll()
      let left = try BaseRepository<Track>(context: context).fetch()
      #expect(Set(left.map(\.playCount)) == [1, 3, 5, 7, 9])
    }
  }
}
