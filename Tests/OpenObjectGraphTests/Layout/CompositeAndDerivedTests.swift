import Foundation
import OpenCoreData
import Testing

/// Composite attributes are dictionaries over columns; the store computes derived attributes at each save.
@Suite("Composite and derived attributes")
struct CompositeAndDerivedTests {
  @Test(
    "a composite attribute is a dictionary, and its elements are reached by key path",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func composite(_ type: String) throws {
    let context = try AlbumModel.context(type)
    try context.performAndWait {
      let origin: [String: Any] = ["year": 1967, "place": ["city": "London", "height": 11]]
      let album = AlbumModel.insert("Album", ["origin": origin], in: context)
      _ = AlbumModel.insert("Album", ["origin": ["year": 1971]], in: context)
      try context.save()
      context.refreshAllObjects()
      let read = try #require(album.value(forKey: "origin") as? [String: Any])
      #expect(read["year"] as? Int == 1967)
      #expect((read["place"] as? [String: Any])?["city"] as? String == "London")
      #expect(album.value(forKeyPath: "origin.place.height") as? Int == 11)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
      request.predicate = NSPredicate(format: "origin.place.city == %@", "London")
      #expect(try context.fetch(request) == [album])
      request.predicate = nil
      request.sortDescriptors = [NSSortDescriptor(key: "origin.year", ascending: false)]
      #expect(try context.fetch(request).last === album)
      album.setValue(["year": 1968], forKey: "origin")
      #expect(album.changedValues().keys.sorted() == ["origin"])
      try context.save()
      context.refreshAllObjects()
      #expect(album.value(forKeyPath: "origin.place.city") == nil)
      album.setValue(nil, forKey: "origin")
      #expect(album.value(forKey: "origin") == nil)
    }
  }

  @Test("an unknown element or a value of another type is rejected and changes nothing")
  func unfit() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", ["origin": ["year": 1]], in: context)
      for value: Any in [["month": 3], ["year": "x", "place": ["city": "y"]], 7] {
        #expect(throws: (any Error).self) { try album.setCheckedValue(value, forKey: "origin") }
        #expect(album.value(forKeyPath: "origin.year") as? Int == 1)
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
      for key in ["origin == 3", "origin.month == 3", "origin.place == 3", "origin.year.x == 3"] {
        request.predicate = NSPredicate(format: key)
        #expect(throws: (any Error).self) { try context.fetch(request) }
      }
      try context.save()
    }
  }

  @Test("derived attributes are correct after each save, also in registered objects")
  func derived() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", ["title": "Été"], in: context)
      let song = AlbumModel.insert("Song", ["length": 60, "album": album], in: context)
      try context.save()
      #expect(album.value(forKey: "songCount") as? Int == 1)
      #expect(album.value(forKey: "plainTitle") as? String == "ete")
      #expect(album.value(forKey: "seconds") as? Int == 60)
      #expect(song.value(forKey: "albumTitle") as? String == "Été")
      #expect(song.value(forKey: "savedAt") is Date)
      let other = AlbumModel.insert("Song", ["length": 30, "album": album], in: context)
      try context.save()
      #expect(album.value(forKey: "songCount") as? Int == 2)
      album.setValue("B", forKey: "title")
      song.setValue(100, forKey: "length")
      try context.save()
      #expect(song.value(forKey: "albumTitle") as? String == "B")
      #expect(album.value(forKey: "seconds") as? Int == 130)
      context.delete(other)
      song.setValue(nil, forKey: "album")
      try context.save()
      #expect(album.value(forKey: "songCount") as? Int == 0)
      #expect(album.value(forKey: "seconds") as? Int ?? 0 == 0)
      #expect(song.value(forKey: "albumTitle") == nil)
    }
  }

  @Test("a derived value reaches contexts that merge, and predicates")
  func merging() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    let album = try context.performAndWait {
      let album = AlbumModel.insert("Album", ["title": "A"], in: context)
      try context.save()
      return album.objectID
    }
    try other.performAndWait {
      let mine = other.object(with: album)
      _ = AlbumModel.insert("Song", ["length": 1, "album": mine], in: other)
      try other.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
      request.predicate = NSPredicate(format: "songCount == 1")
      #expect(try other.fetch(request) == [mine])
    }
  }

  @Test("an in-memory store rejects a model with derived attributes")
  func memory() {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
    #expect(throws: (any Error).self) {
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    }
  }
}
