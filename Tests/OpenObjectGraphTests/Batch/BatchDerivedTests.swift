import Foundation
import OpenCoreData
import Testing

@Suite("Derived attributes under batch requests")
struct BatchDerivedTests {
  @Test(
    "values are correct after insertions, updates and deletions, and cannot be set or omitted")
  func derived() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", ["title": "Ábc"], in: context)
      try context.save()
      try context.execute(
        NSBatchInsertRequest(
          entityName: "Song",
          objects: [["title": "One", "length": 3], ["title": "Two", "length": 4]]
        ))
      let move = NSBatchUpdateRequest(entityName: "Song")
      move.propertiesToUpdate = ["album": album]
      try context.execute(move)
      context.refreshAllObjects()
      #expect(album.value(forKey: "songCount") as? Int == 2)
      #expect(album.value(forKey: "seconds") as? Int == 7)
      let song = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")).first)
      #expect(song.value(forKey: "albumTitle") as? String == "Ábc")
      let rename = NSBatchUpdateRequest(entityName: "Album")
      rename.propertiesToUpdate = ["title": "Éf"]
      try context.execute(rename)
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
      request.predicate = NSPredicate(format: "title == 'Two'")
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
      context.refreshAllObjects()
      #expect(album.value(forKey: "plainTitle") as? String == "ef")
      #expect(album.value(forKey: "songCount") as? Int == 1)
      #expect(album.value(forKey: "seconds") as? Int == 3)
      rename.propertiesToUpdate = ["songCount": 9]
      #expect(throws: CocoaError.self) { try context.execute(rename) }
      #expect(throws: CocoaError.self) {
        try context.execute(NSBatchInsertRequest(entityName: "Album", objects: [["songCount": 9]]))
      }
    }
  }
}
