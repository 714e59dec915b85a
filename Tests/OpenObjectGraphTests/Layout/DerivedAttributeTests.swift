import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

@Suite("Assigned values and key paths of derived attributes")
struct DerivedAttributeTests {
  private func context(
    _ model: NSManagedObjectModel, at url: URL = URL(fileURLWithPath: "/dev/null")
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// The model of albums with one more derived attribute, `made`.
  private func model(
    of entity: String, _ type: NSAttributeDescription.AttributeType, _ format: String
  ) throws -> NSManagedObjectModel {
    let model = AlbumModel.make()
    let owner = try #require(model.entitiesByName[entity])
    let made = NSDerivedAttributeDescription()
    (made.name, made.type) = ("made", type)
    made.derivationExpression = OpenCoreData.NSExpression(format: format)
    owner.properties.append(made)
    return model
  }

  private func text(_ object: NSManagedObject, _ keys: String...) -> [String] {
    keys.map { key in object.value(forKey: key).map { "\($0)" } ?? "nil" }
  }

  @Test("a value that is assigned to a derived attribute of a saved object is not saved")
  func assigned() throws {
    let context = try context(AlbumModel.make())
    try context.performAndWait {
      let album = AlbumModel.insert("Album", ["title": "Été"], in: context)
      let song = AlbumModel.insert("Song", ["length": 60, "album": album], in: context)
      try context.save()
      for (key, value) in ["songCount": 5, "plainTitle": "x", "seconds": 7] as [String: Any] {
        album.setValue(value, forKey: key)
      }
      song.setValue("x", forKey: "albumTitle")
      #expect(text(album, "songCount", "plainTitle", "seconds") == ["5", "x", "7"])
      try context.save()
      for _ in 0..<2 {
        #expect(text(album, "songCount", "plainTitle", "seconds") == ["1", "ete", "60"])
        #expect(text(song, "albumTitle") == ["Été"])
        context.refreshAllObjects()
      }
      album.setValue("B", forKey: "title")
      album.setValue(9, forKey: "songCount")
      _ = AlbumModel.insert("Song", ["length": 30, "album": album], in: context)
      try context.save()
      #expect(text(album, "songCount", "plainTitle", "seconds") == ["2", "b", "90"])
      #expect(!context.hasChanges)
    }
  }

  @Test(
    "a derived attribute has the value of an attribute with external storage, which keeps its value",
    arguments: [false, true])
  func externalStorage(isExternal: Bool) throws {
    let model = try model(of: "Song", .binaryData, "album.picture")
    let song = try #require(model.entitiesByName["Song"])
    let made = try #require(song.propertiesByName["made"] as? NSDerivedAttributeDescription)
    made.allowsExternalBinaryDataStorage = isExternal
    let picture = NSAttributeDescription()
    (picture.name, picture.type, picture.isOptional) = ("picture", .binaryData, true)
    picture.allowsExternalBinaryDataStorage = true
    let album = try #require(model.entitiesByName["Album"])
    album.properties.append(picture)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("derived-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("albums.sqlite")
    let values = [Data([1, 2, 3]), Data(repeating: 7, count: 200_000)]
    let context = try context(model, at: url)
    try context.performAndWait {
      let albums = values.map { AlbumModel.insert("Album", ["picture": $0], in: context) }
      let song = AlbumModel.insert("Song", ["length": 60, "album": albums[1]], in: context)
      try context.save()
      #expect(song.value(forKey: "made") as? Data == values[1])
      song.setValue(albums[0], forKey: "album")
      try context.save()
      #expect(song.value(forKey: "made") as? Data == values[0])
    }
    // Closing the store deletes the files of values that no object has.
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    let reopened = try self.context(model, at: url)
    try reopened.performAndWait {
      let albums = try reopened.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album"))
      let pictures = albums.compactMap { $0.value(forKey: "picture") as? Data }
      #expect(Set(pictures) == Set(values))
    }
  }

  @Test("a child context does not pass an assigned value on to its parent")
  func child() throws {
    let context = try context(AlbumModel.make())
    let id = try context.performAndWait {
      let album = AlbumModel.insert("Album", ["title": "A"], in: context)
      _ = AlbumModel.insert("Song", ["length": 60, "album": album], in: context)
      try context.save()
      return album.objectID
    }
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    try child.performAndWait {
      let album = child.object(with: id)
      album.setValue("B", forKey: "title")
      album.setValue(5, forKey: "songCount")
      try child.save()
      #expect(text(album, "title", "songCount") == ["B", "1"])
    }
    try context.performAndWait {
      let album = context.object(with: id)
      #expect(text(album, "title", "songCount") == ["B", "1"])
      try context.save()
      #expect(text(album, "plainTitle", "songCount") == ["b", "1"])
    }
  }

  @Test("computed values that cannot be read after a save are read when they are used")
  func unreadAfterSave() throws {
    let faults = FaultInjection()
    let store = NSPersistentStoreDescription(
      type: try FaultInjectingStore.register(NSSQLiteStoreType, faults: faults))
    let container = try NSPersistentContainer.loaded("Albums", AlbumModel.make(), [store])
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    other.automaticallyMergesChangesFromParent = true
    let album = try context.performAndWait { () throws in
      let album = AlbumModel.insert("Album", ["title": "A"], in: context)
      try context.save()
      #expect(text(album, "songCount") == ["0"])
      return album
    }
    let same = other.performAndWait {
      let same = other.object(with: album.objectID)
      #expect(text(same, "songCount") == ["0"])
      return same
    }
    try context.performAndWait { () throws in
      _ = AlbumModel.insert("Song", ["length": 60, "album": album], in: context)
      faults.fail(1, of: [.rows])
      try context.save()
      #expect(faults.stop())
      #expect(text(album, "songCount", "seconds") == ["1", "60"])
    }
    other.performAndWait { #expect(text(same, "songCount") == ["1"]) }
  }

  @Test("the overwrite policy does not overwrite derived values")
  func overwriting() throws {
    let context = try context(AlbumModel.make())
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    context.mergePolicy = NSOverwriteMergePolicy
    let id = try context.performAndWait {
      let album = AlbumModel.insert("Album", ["title": "A"], in: context)
      try context.save()
      album.setValue("C", forKey: "title")
      return album.objectID
    }
    try other.performAndWait {
      let album = other.object(with: id)
      album.setValue("B", forKey: "title")
      _ = AlbumModel.insert("Song", ["length": 60, "album": album], in: other)
      try other.save()
    }
    try context.performAndWait {
      let album = context.object(with: id)
      try context.save()
      for _ in 0..<2 {
        let values = text(album, "title", "plainTitle", "songCount", "seconds")
        #expect(values == ["C", "c", "1", "60"])
        context.refreshAllObjects()
      }
    }
  }

  @Test("an object that receives a computed value also receives what another context has saved")
  func rowOfAnotherContext() throws {
    let context = try context(AlbumModel.make())
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    try context.performAndWait {
      let albums = ["A", "B"].map { AlbumModel.insert("Album", ["title": $0], in: context) }
      let song = AlbumModel.insert("Song", ["length": 60, "album": albums[0]], in: context)
      try context.save()
      #expect(song.related("album") == [albums[0]] && albums[0].related("songs") == [song])
      try other.performAndWait {
        other.object(with: song.objectID)
          .setValue(other.object(with: albums[1].objectID), forKey: "album")
        try other.save()
      }
      albums[1].setValue("C", forKey: "title")
      try context.save()
      #expect(text(song, "albumTitle") == ["C"])
      #expect(song.related("album") == [albums[1]])
      #expect(albums.map { $0.related("songs") } == [[], [song]])
    }
  }

  @Test("a required derived attribute without a value is saved (D-029)")
  func required() throws {
    let model = AlbumModel.make()
    for entity in model.entities {
      for case let derived as NSDerivedAttributeDescription in entity.properties {
        derived.isOptional = false
      }
    }
    let context = try context(model)
    try context.performAndWait {
      let song = AlbumModel.insert("Song", ["length": 60], in: context)
      try context.save()
      #expect(song.value(forKey: "albumTitle") == nil)
    }
  }

  @Test(
    "a key path that does not end at a stored attribute makes the model invalid",
    arguments: [
      "noSuch", "canonical:(noSuch)", "noSuch.@count", "lists.@sum.noSuch", "album.noSuch",
      "album.title.more", "title.@count", "title.length", "lists.name", "canonical:(lists)",
      "lists", "album.origin", "album.@count", "made", "canonical:(made)", "lists.@sum.lists",
      "album", "canonical:(album)",
    ])
  func wrongPath(_ format: String) throws {
    let model = try model(of: "Song", .string, format)
    let error = try #require(throws: CocoaError.self) { _ = try context(model) }
    #expect(error.code == .coreData)
    #expect(error.localizedDescription.contains("made"))
  }

  @Test(
    "a key path can follow to-one relationships, and end at elements and derived attributes",
    arguments: [
      "title", "album.title", "album.plainTitle", "album.origin.place.city", "canonical:(length)",
      "lists.@count", "album.songCount",
    ])
  func path(_ format: String) throws {
    let context = try context(try model(of: "Song", .string, format))
    try context.performAndWait {
      _ = AlbumModel.insert("Song", ["title": "A"], in: context)
      try context.save()
    }
  }

  @Test("@sum can also be the last step of a key path")
  func trailingSum() throws {
    let context = try context(try model(of: "Album", .integer64, "songs.length.@sum"))
    try context.performAndWait {
      let album = AlbumModel.insert("Album", ["title": "A"], in: context)
      for length in [60, 30] {
        _ = AlbumModel.insert("Song", ["length": length, "album": album], in: context)
      }
      try context.save()
      #expect(text(album, "made", "seconds") == ["90", "90"])
    }
  }
}
