import Foundation
import OpenCoreData
import Testing

/// Ordered to-many relationships in every store: one-to-many, many-to-many, and without inverse.
@Suite("Ordered relationships")
struct OrderedRelationshipTests {
  private func titles(_ owner: NSManagedObject, _ key: String = "songs") -> [String] {
    ((owner.value(forKey: key) as? NSOrderedSet)?.array ?? [])
      .compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
  }

  private func songs(
    _ titles: [String], in context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    titles.map { AlbumModel.insert("Song", ["title": $0, "length": 60], in: context) }
  }

  @Test(
    "a saved order is read back for each kind of ordered relationship",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType],
    [("Album", "songs"), ("List", "songs"), ("Album", "favorites")])
  func saves(_ type: String, _ place: (entity: String, key: String)) throws {
    let context = try AlbumModel.context(type)
    try context.performAndWait {
      let songs = songs(["c", "a", "d", "b"], in: context)
      let owner = AlbumModel.insert(place.entity, [:], in: context)
      owner.setValue(NSOrderedSet(array: songs), forKey: place.key)
      try context.save()
      context.refreshAllObjects()
      #expect(titles(owner, place.key) == ["c", "a", "d", "b"])
      let moved = [songs[3], songs[0], songs[2], songs[1]]
      owner.setValue(NSOrderedSet(array: moved), forKey: place.key)
      #expect(owner.hasChanges)
      try context.save()
      context.refreshAllObjects()
      #expect(titles(owner, place.key) == ["b", "c", "d", "a"])
      owner.setValue(NSOrderedSet(array: [songs[2], songs[3]]), forKey: place.key)
      try context.save()
      context.refreshAllObjects()
      #expect(titles(owner, place.key) == ["d", "b"])
    }
  }

  @Test("a member that is removed and added before a save is the last one, also in the store")
  func comesBack() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = songs(["a", "b", "c"], in: context)
      album.setValue(NSOrderedSet(array: songs), forKey: "songs")
      try context.save()
      songs[1].setValue(nil, forKey: "album")
      songs[1].setValue(album, forKey: "album")
      #expect(titles(album) == ["a", "c", "b"])
      try context.save()
      context.refreshAllObjects()
      #expect(titles(album) == ["a", "c", "b"])
    }
  }

  /// Apple, NSMutableOrderedSet: an added object is the last one.
  @Test(
    "a member that is removed and added is the last one, even if the members were not read",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func comesBackUnread(_ type: String) throws {
    let context = try AlbumModel.context(type)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = songs(["a", "b", "c"], in: context)
      album.setValue(NSOrderedSet(array: songs), forKey: "songs")
      try context.save()
      context.refreshAllObjects()
      songs[1].setValue(nil, forKey: "album")
      songs[1].setValue(album, forKey: "album")
      try context.save()
      context.refreshAllObjects()
      #expect(titles(album) == ["a", "c", "b"])
    }
  }

  @Test(
    "new members that were not read keep their order if one of them is removed before a save",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func leavesUnread(_ type: String) throws {
    let context = try AlbumModel.context(type)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = songs(["a", "b", "c", "d"], in: context)
      for song in songs { song.setValue(album, forKey: "album") }
      songs[0].setValue(nil, forKey: "album")
      try context.save()
      context.refreshAllObjects()
      #expect(titles(album) == ["b", "c", "d"])
    }
  }

  @Test(
    "objects set through the inverse are last",
    arguments: [
      NSSQLiteStoreType, NSInMemoryStoreType,
    ])
  func appends(_ type: String) throws {
    let context = try AlbumModel.context(type)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", [:], in: context)
      album.setValue(NSOrderedSet(array: songs(["b", "a"], in: context)), forKey: "songs")
      try context.save()
      context.refreshAllObjects()
      for title in ["d", "c"] {
        songs([title], in: context)[0].setValue(album, forKey: "album")
        try context.save()
        context.refreshAllObjects()
      }
      #expect(titles(album) == ["b", "a", "d", "c"])
    }
  }

  @Test(
    "positional accessors insert, remove and replace; an invalid index makes the save throw")
  func positions() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = songs(["a", "b", "c", "d"], in: context)
      album.setValue(NSOrderedSet(array: Array(songs[0...1])), forKey: "songs")
      album.__insertMember(songs[2], "songs", at: 0)
      #expect(titles(album) == ["c", "a", "b"])
      album.__replaceMember("songs", at: 1, with: songs[3])
      #expect(titles(album) == ["c", "d", "b"])
      album.__removeMember("songs", at: 0)
      #expect(titles(album) == ["d", "b"])
      album.__insertMembers(
        [songs[0], songs[2]], "songs", at: NSIndexSet(indexesIn: NSRange(1...2)))
      #expect(titles(album) == ["d", "a", "c", "b"])
      #expect(songs[0].value(forKey: "album") as? NSManagedObject === album)
      try context.save()
      context.refreshAllObjects()
      #expect(titles(album) == ["d", "a", "c", "b"])
      album.__insertMember(songs[0], "songs", at: 9)
      #expect(throws: (any Error).self) { try context.save() }
    }
  }

  @Test("stored positions match Apple's files: 2048, 3072, 4096, and 1024 for a new first member")
  func places() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("places-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a.sqlite")
    let context = try AlbumModel.context(NSSQLiteStoreType, url: url)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = songs(["a", "b", "c", "d"], in: context)
      album.setValue(NSOrderedSet(array: Array(songs[0...2])), forKey: "songs")
      try context.save()
      #expect(try places(in: url) == ["a": 2048, "b": 3072, "c": 4096])
      album.__insertMember(songs[3], "songs", at: 0)
      try context.save()
      #expect(try places(in: url) == ["a": 2048, "b": 3072, "c": 4096, "d": 1024])
      album.__removeMember("songs", at: 2)
      try context.save()
      #expect(try places(in: url) == ["a": 2048, "c": 4096, "d": 1024])
    }
  }

  /// Z_FOK_ALBUM by title, as stored in the file.
  private func places(in url: URL) throws -> [String: Int64] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", "-readonly", url.path,
      "SELECT ZTITLE || ' ' || Z_FOK_ALBUM FROM ZSONG WHERE Z_FOK_ALBUM IS NOT NULL",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var places: [String: Int64] = [:]
    for line in output.split(separator: "\n") {
      let parts = line.split(separator: " ")
      places[String(parts[0])] = Int64(parts[1])
    }
    return places
  }

  @Test(
    "changing many members of a long order takes time proportional to their number",
    .timeLimit(.minutes(30)))
  func longOrder() throws {
    let context = try AlbumModel.context(NSInMemoryStoreType)
    try context.performAndWait { () throws in
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = songs((0..<20_000).map { "\($0)" }, in: context)
      album.setValue(NSOrderedSet(array: songs), forKey: "songs")
      let even = songs.indices.filter { $0 % 2 == 0 }.map { songs[$0] }
      let odd = songs.indices.filter { $0 % 2 == 1 }.map { songs[$0] }
      album.setValue(NSOrderedSet(array: even), forKey: "songs")
      album.mutableOrderedSetValue(forKey: "songs").addObjects(from: odd)
      album.mutableOrderedSetValue(forKey: "songs").removeObjects(in: even)
      #expect(titles(album) == songs.indices.filter { $0 % 2 == 1 }.map { "\($0)" })
      album.mutableOrderedSetValue(forKey: "songs").addObjects(from: even)
      album.mutableOrderedSetValue(forKey: "songs").intersectSet(Set(odd))
      #expect(titles(album) == songs.indices.filter { $0 % 2 == 1 }.map { "\($0)" })
      for song in odd.dropLast(3) { song.setValue(nil, forKey: "album") }
      odd[0].setValue(album, forKey: "album")
      #expect(titles(album) == ["19995", "19997", "19999", "1"])
      try context.save()
      context.refreshAllObjects()
      #expect(titles(album) == ["19995", "19997", "19999", "1"])
    }
  }

  @Test("members of a long order keep their order after any removals and additions")
  func gapsInOrder() throws {
    let context = try AlbumModel.context(NSInMemoryStoreType)
    try context.performAndWait { () throws in
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = songs((0..<100).map { "\($0)" }, in: context)
      album.setValue(NSOrderedSet(array: songs), forKey: "songs")
      var expected = songs.indices.map { $0 }
      // The factor and the modulus have no common divisor, so every member is removed and added.
      for step in 0..<100 {
        let place = step * 37 % 100
        songs[place].setValue(nil, forKey: "album")
        expected.removeAll { $0 == place }
        if step % 3 == 0 {
          songs[place].setValue(album, forKey: "album")
          expected.append(place)
        }
        #expect(titles(album) == expected.map { "\($0)" })
      }
    }
  }

  @Test("a live ordered set inserts, moves and removes several members at once")
  func severalPlaces() throws {
    let context = try AlbumModel.context(NSInMemoryStoreType)
    try context.performAndWait { () throws in
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = songs(["a", "b", "c", "d", "e", "f"], in: context)
      album.setValue(NSOrderedSet(array: Array(songs[0..<3])), forKey: "songs")
      let live = album.mutableOrderedSetValue(forKey: "songs")
      live.insert([songs[3], songs[4]], at: IndexSet([0, 4]))
      #expect(titles(album) == ["d", "a", "b", "c", "e"])
      live.moveObjects(at: IndexSet([0, 2]), to: 1)
      #expect(titles(album) == ["a", "d", "b", "c", "e"])
      live.removeObjects(at: IndexSet([0, 4]))
      #expect(titles(album) == ["d", "b", "c"])
      live.union(NSOrderedSet(array: [songs[1], songs[5]]))
      #expect(titles(album) == ["d", "b", "c", "f"])
      live.minusSet([songs[2], songs[0]])
      #expect(titles(album) == ["d", "b", "f"])
      live.removeObjects(in: NSRange(location: 0, length: 2))
      #expect(titles(album) == ["f"])
      live.insert([songs[0]], at: IndexSet([5]))
      #expect(titles(album) == ["f"])
      #expect(throws: ObjectError.self) { try context.save() }
    }
  }

  @Test("committed values contain a member whose deletion is not saved", arguments: StoreTypes.both)
  func committedMembers(_ type: String) throws {
    let context = try AlbumModel.context(type)
    try context.performAndWait {
      let songs = (0..<2).map { AlbumModel.insert("Song", ["length": $0], in: context) }
      let album = AlbumModel.insert(
        "Album", ["favorites": NSOrderedSet(array: songs)], in: context)
      try context.save()
      context.refreshAllObjects()
      context.delete(songs[0])
      context.processPendingChanges()
      #expect(album.related("favorites") == [songs[1]])
      let committed = album.committedValues(forKeys: ["favorites"])["favorites"] as? NSOrderedSet
      #expect(committed?.array as? [NSManagedObject] == songs)
    }
  }

  @Test("sorting a range that the live set does not have makes the next save throw")
  func sortedOutside() throws {
    let context = try AlbumModel.context(NSInMemoryStoreType)
    try context.performAndWait {
      let album = AlbumModel.insert("Album", ["title": "A"], in: context)
      let ranges = [
        NSRange(location: -1, length: 1), NSRange(location: 0, length: 1),
        NSRange(location: .max - 1, length: 5),
      ]
      for range in ranges {
        album.mutableOrderedSetValue(forKey: "songs")
          .sortRange(range, options: [], usingComparator: { _, _ in .orderedSame })
        #expect(throws: ObjectError.self) { try context.save() }
      }
      try context.save()
    }
  }
}
