import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Integrity check")
struct IntegrityCheckTests {
  /// A store with sample data, two artists similar to each other, genres and a large cover.
  private static func makeStore(_ folder: Folder) throws {
    let persistence = folder.open()
    try persistence.requireStores()
    try persistence.performBatchOperation { context in
      CoreDataTestUtilities.createSampleData(in: context)
      let albums: NSFetchRequest<Album> = Album.fetchRequest()
      let album = try context.fetch(albums)[0]
      album.cover = Cover(context: context)
      album.cover?.image = Data(count: 200_000)
      let other = Artist(context: context)
      other.name = "Badfinger"
      other.library = album.artist?.library
      album.artist?.similar = [other]
      let genre = Genre(context: context)
      genre.name = "Rock"
      for track in album.tracks { track.genres = [genre] }
    }
    for store in persistence.container.persistentStoreCoordinator.persistentStores {
      try persistence.container.persistentStoreCoordinator.remove(store)
    }
  }

  /// What is found after some SQL.
  private static func findings(after sql: [String]) throws -> [IntegrityFinding] {
    let folder = try Folder()
    try makeStore(folder)
    let database = try RawDatabase(folder.store)
    for statement in sql { try database.run(statement) }
    return try findings(in: folder)
  }

  private static func findings(in folder: Folder) throws -> [IntegrityFinding] {
    let persistence = folder.open()
    try persistence.requireStores()
    return try IntegrityCheck().findings(in: persistence.container.persistentStoreCoordinator)
  }

  @Test("a store that the library wrote is sound, on disk and in memory")
  func sound() throws {
    #expect(try Self.findings(after: []).isEmpty)
    let persistence = PersistenceController(inMemory: true)
    try persistence.performBatchOperation { CoreDataTestUtilities.createSampleData(in: $0) }
    let coordinator = persistence.container.persistentStoreCoordinator
    #expect(
      try IntegrityCheck(rules: CoreDataTestUtilities.rules).findings(in: coordinator).isEmpty)
  }

  /// Houses with an optional place, which has an optional city and a required code.
  @Sendable private static func makeHouses() -> NSManagedObjectModel {
    let place = NSCompositeAttributeDescription()
    (place.name, place.isOptional) = ("place", true)
    place.elements = [("city", true), ("code", false)].map { name, isOptional in
      let element = NSAttributeDescription()
      (element.name, element.attributeType) = (name, .stringAttributeType)
      element.isOptional = isOptional
      return element
    }
    let house = NSEntityDescription()
    house.name = "House"
    house.properties = [place]
    let model = NSManagedObjectModel()
    model.entities = [house]
    return model
  }

  @Test("a required element of a composite attribute needs a value if another element has one")
  func missingElement() throws {
    let folder = try Folder()
    let configuration = PersistenceController.Configuration(
      name: "Houses", storage: .file(folder.store), makeModel: Self.makeHouses)
    let persistence = PersistenceController(opening: configuration)
    try persistence.requireStores()
    try persistence.performBatchOperation { context in
      for city in ["A", "B"] {
        let house = NSEntityDescription.insertNewObject(forEntityName: "House", into: context)
        house.setValue(["city": city, "code": "1"], forKey: "place")
      }
    }
    let coordinator = persistence.container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try RawDatabase(folder.store).run(
      "UPDATE ZHOUSE SET ZCODE = NULL; UPDATE ZHOUSE SET ZCITY = NULL WHERE ZCITY = 'B'")
    let again = PersistenceController(opening: configuration)
    let findings = try IntegrityCheck().findings(in: again.container.persistentStoreCoordinator)
    #expect(findings.map(\.kind) == [.missingValue])
    #expect(findings.first?.propertyName == "place.code")
  }

  /// One kind of damage: the statement that causes it, and the expected finding.
  struct Damage: Sendable, CustomTestStringConvertible {
    var sql: String
    var kind: IntegrityFinding.Kind
    var place: String
    var testDescription: String { "\(kind.rawValue): \(sql)" }
  }

  static let damages = [
    Damage(
      sql: "DELETE FROM ZALBUM", kind: .danglingReference,
      place: "Track.album Track.album Cover.album"),
    Damage(
      sql: "UPDATE ZTRACK SET ZALBUM = 77 WHERE Z_PK = 1", kind: .danglingReference,
      place: "Track.album"),
    Damage(sql: "UPDATE ZCOVER SET ZALBUM = NULL", kind: .oneSidedInverse, place: "Album.cover"),
    Damage(
      sql: "UPDATE ZTRACK SET ZTITLE = NULL WHERE Z_PK = 2", kind: .missingValue,
      place: "Track.title"),
    Damage(
      sql: "UPDATE ZTRACK SET ZPLAYCOUNT = 'many' WHERE Z_PK = 1", kind: .wrongType,
      place: "Track.playCount"),
    Damage(
      sql: "UPDATE ZTRACK SET ZALBUM = 'many' WHERE Z_PK = 1", kind: .wrongType,
      place: "Track.album"),
    Damage(
      sql: "UPDATE ZTRACK SET ZADDEDAT = 'nan', ZTITLE = x'41' WHERE Z_PK = 2", kind: .wrongType,
      place: "Track.addedAt Track.title"),
    Damage(
      sql: "UPDATE ZTRACK SET ZTITLE = CAST(x'C3' AS TEXT) WHERE Z_PK = 1", kind: .wrongType,
      place: "Track.title"),
    Damage(
      sql: "UPDATE ZTRACK SET ZFILEPATH = 'same'", kind: .duplicateValues, place: "Track.filePath"),
    Damage(
      sql: "INSERT INTO Z_4TRACKS VALUES (99, 1)", kind: .orphanedJoinRow, place: "Track.genres"),
    Damage(
      sql: "INSERT INTO Z_4TRACKS VALUES (1, 99)", kind: .orphanedJoinRow, place: "Genre.tracks"),
    Damage(
      sql: "INSERT INTO Z_4TRACKS VALUES (98, 99)", kind: .orphanedJoinRow, place: "Genre.tracks"),
    Damage(
      sql: "DELETE FROM Z_2SIMILAR WHERE rowid = (SELECT MIN(rowid) FROM Z_2SIMILAR)",
      kind: .oneSidedInverse, place: "Artist.similar"),
    Damage(
      sql: "UPDATE ZTRACK SET Z_ENT = 42 WHERE Z_PK = 1; DELETE FROM Z_4TRACKS",
      kind: .unknownEntity, place: "Track."),
    Damage(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Track'", kind: .keysInUse,
      place: "Track."),
  ]

  @Test("each kind of damage is found, without other findings", arguments: damages)
  func damaged(_ damage: Damage) throws {
    let dropIndexes = "DROP INDEX IF EXISTS Z_Track_UNIQUE_filePath"
    let findings = try Self.findings(after: [dropIndexes, damage.sql])
    #expect(Set(findings.map(\.kind)) == [damage.kind])
    let places = findings.map { "\($0.entityName ?? "").\($0.propertyName ?? "")" }
    #expect(places.sorted() == damage.place.split(separator: " ").map(String.init).sorted())
    for finding in findings {
      let id = try #require(finding.objectID)
      #expect(finding.description.hasPrefix(id.uriRepresentation().absoluteString))
    }
  }

  @Test("a dangling reference names the missing object")
  func related() throws {
    let findings = try Self.findings(after: ["UPDATE ZTRACK SET ZALBUM = 77 WHERE Z_PK = 1"])
    let related = try #require(findings.first?.relatedID?.uriRepresentation())
    #expect(related.pathComponents == ["/", "Album", "p77"])
    #expect(findings.first?.message.contains("Album/p77") == true)
  }

  @Test("a pair names both of its objects, one or both of which are missing")
  func pair() throws {
    let findings = try Self.findings(after: ["INSERT INTO Z_4TRACKS VALUES (98, 99)"])
    let finding = try #require(findings.first)
    #expect(finding.objectID?.uriRepresentation().pathComponents == ["/", "Genre", "p98"])
    #expect(finding.relatedID?.uriRepresentation().pathComponents == ["/", "Track", "p99"])
    #expect(finding.message.contains("Track/p99"))
  }

  @Test("missing and unused files of values")
  func externalFiles() throws {
    let folder = try Folder()
    try Self.makeStore(folder)
    let values = folder.url.appendingPathComponent(".Kanora_SUPPORT/_EXTERNAL_DATA")
    let names = try FileManager.default.contentsOfDirectory(atPath: values.path)
    let name = try #require(names.first)
    #expect(names.count == 1)
    try FileManager.default.moveItem(
      at: values.appendingPathComponent(name), to: values.appendingPathComponent("stray"))
    let findings = try Self.findings(in: folder)
    #expect(findings.map(\.kind) == [.missingFile, .unusedFile])
    #expect(findings.first?.entityName == "Cover")
    #expect(findings.first?.propertyName == "image")
    #expect(findings.map(\.message.description).joined().contains(name))
    #expect(findings.last?.message.contains("stray") == true)
  }

  @Test("the missing file of an object does not hide the missing value of another entity's object")
  func equalKeys() throws {
    let folder = try Folder()
    let configuration = PersistenceController.Configuration(
      name: "Pictures", storage: .file(folder.store), makeModel: Self.makePictures)
    let writer = PersistenceController(opening: configuration)
    try writer.performBatchOperation { context in
      for (name, byte) in [("Photo", 1), ("Drawing", 2)] as [(String, UInt8)] {
        let picture = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        picture.setValue(Data(repeating: byte, count: 200_000), forKey: "image")
      }
    }
    let coordinator = writer.container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try RawDatabase(folder.store).run("UPDATE ZDRAWING SET ZIMAGE = NULL")
    let values = folder.url.appendingPathComponent(".Kanora_SUPPORT/_EXTERNAL_DATA")
    for name in try FileManager.default.contentsOfDirectory(atPath: values.path) {
      try FileManager.default.removeItem(at: values.appendingPathComponent(name))
    }
    let reader = PersistenceController(opening: configuration)
    let findings = try IntegrityCheck()
      .findings(in: reader.container.persistentStoreCoordinator)
    #expect(findings.map(\.kind) == [.missingFile, .missingValue])
    #expect(findings.map(\.entityName) == ["Photo", "Drawing"])
    withExtendedLifetime(folder) {}
  }

  /// Two entities without a common parent, each with a required value that may be stored in an
  /// external file.
  @Sendable private static func makePictures() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = ["Photo", "Drawing"].map { name in
      let image = NSAttributeDescription()
      (image.name, image.attributeType) = ("image", .binaryDataAttributeType)
      image.isOptional = false
      image.allowsExternalBinaryDataStorage = true
      let entity = NSEntityDescription()
      (entity.name, entity.properties) = (name, [image])
      return entity
    }
    return model
  }

  @Test("rules apply to unsaved objects; an invalid rule throws")
  func rules() throws {
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.newBackgroundContext()
    try context.performAndWait { () throws in
      _ = Track(title: "One", context: context)
      var check = IntegrityCheck(rules: CoreDataTestUtilities.rules)
      #expect(try check.findings(in: context).map(\.kind) == [.ruleViolation])
      check.rules = [.init(entityName: "Track", violation: "nothing == nil", message: "?")]
      #expect(throws: (any Error).self) { try check.findings(in: context) }
      check.rules = [.init(entityName: "Nothing", violation: "TRUEPREDICATE", message: "?")]
      #expect(throws: (any Error).self) { try check.findings(in: context) }
    }
  }
}
