import Foundation
import OpenSwiftData
import Testing

@Model
final class Shapes {
  var seed: Int
  var everything: Everything
  var optional: Everything?
  var mood: Mood
  var level: Level?
  var season: Season = Season.winter
  var cargo: Cargo
  var renamed: Renamed?
  var exchanged: Exchanged?
  var flags: Flags = Flags(rawValue: 1)
  var settings: Settings = Settings(volume: 3, name: "default")
  var numbers: [Int]
  var points: [Point] = [Point(x: 1, y: 2)]
  var names: Set<String>?
  var table: [String: Date] = [:]
  var reference: Reference?
  var uint64: UInt64 = 1
  var uint8: UInt8
  var int8: Int8
  @Attribute(.codable) var whole: Everything?

  init(seed: UInt64) {
    var source = SeededNumbers(seed: seed)
    self.seed = Int(seed)
    let value = Everything.random(&source)
    everything = value
    optional = value.bool ? value : nil
    mood = value.mood
    level = value.level
    season = value.season
    cargo = value.cargo ?? .empty
    renamed = value.bool ? .first : .second
    exchanged = Exchanged(a: value.int, b: 2, c: nil)
    flags = Flags(rawValue: 3)
    numbers = value.numbers
    names = value.names
    table = ["a": value.date]
    reference = Reference(name: value.string)
    uint64 = value.uint64
    uint8 = value.uint8
    int8 = value.int8
    whole = value
  }
}

@Model
final class Shipment {
  var content: Generic<Point>

  init(content: Generic<Point>) { self.content = content }
}

@Model
final class Gauge {
  var limit = Double.infinity

  init() {}
}

@Model
final class Ranked {
  #Index<Ranked>([\.mood, \.rank])
  @Attribute(.unique) var level: Level
  var mood: Mood
  var rank: Int

  init(level: Level, rank: Int) {
    self.level = level
    self.rank = rank
    mood = .sad
  }
}

@Suite("Models store property values of all types")
struct StoredValuesTests {
  private func withStore(
    of type: any PersistentModel.Type = Shapes.self, _ body: (ModelContainer) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("values.store")
    try body(
      ModelContainer(for: type, configurations: ModelConfiguration(url: url)))
  }

  private func expectEqual(_ one: Shapes, _ other: Shapes) {
    #expect(one.everything == other.everything)
    #expect(one.optional == other.optional)
    #expect(one.mood == other.mood)
    #expect(one.level == other.level)
    #expect(one.season == other.season)
    #expect(one.cargo == other.cargo)
    #expect(one.renamed == other.renamed)
    #expect(one.exchanged == other.exchanged)
    #expect(one.flags == other.flags)
    #expect(one.settings == other.settings)
    #expect(one.numbers == other.numbers)
    #expect(one.points == other.points)
    #expect(one.names == other.names)
    #expect(one.table == other.table)
    #expect(one.reference == other.reference)
    #expect(one.uint64 == other.uint64)
    #expect(one.uint8 == other.uint8)
    #expect(one.int8 == other.int8)
    #expect(one.whole == other.whole)
  }

  @Test("before insertion, after a save, and in another context")
  func roundTrip() throws {
    try withStore { container in
      let context = ModelContext(container)
      for seed in 0..<20 as Range<UInt64> {
        let shapes = Shapes(seed: seed)
        expectEqual(shapes, Shapes(seed: seed).adoptingIdentities(of: shapes))
        context.insert(shapes)
      }
      try context.save()
      let stored = try context.fetch(FetchDescriptor<Shapes>())
      let other = ModelContext(container)
      let fetched = try other.fetch(FetchDescriptor<Shapes>())
      #expect(fetched.count == 20)
      for shapes in fetched {
        let original = try #require(stored.first { $0.seed == shapes.seed })
        #expect(original !== shapes)
        expectEqual(original, shapes)
      }
      #expect(!other.hasChanges)
    }
  }

  @Test("a changed property of a struct is saved")
  func changes() throws {
    try withStore { container in
      let context = ModelContext(container)
      let shapes = Shapes(seed: 1)
      context.insert(shapes)
      try context.save()
      shapes.everything.point.x = 77
      shapes.settings.volume = 9
      shapes.numbers.append(5)
      shapes.points = []
      shapes.season = .summer
      #expect(context.hasChanges)
      try context.save()
      let fetched = try #require(
        try ModelContext(container).fetch(FetchDescriptor<Shapes>()).first)
      #expect(fetched.everything.point.x == 77)
      #expect(fetched.settings.volume == 9)
      #expect(fetched.numbers.last == 5)
      #expect(fetched.points.isEmpty)
      #expect(fetched.season == .summer)
    }
  }

  @Test("an enumeration with raw values can be unique and indexed")
  func uniqueEnumerations() throws {
    try withStore(of: Ranked.self) { container in
      let context = ModelContext(container)
      context.insert(Ranked(level: .low, rank: 1))
      context.insert(Ranked(level: .high, rank: 2))
      try context.save()
      context.insert(Ranked(level: .low, rank: 3))
      try context.save()
      let ranks = try ModelContext(container).fetch(FetchDescriptor<Ranked>()).map(\.rank)
      #expect(ranks.sorted() == [2, 3])
    }
  }

  @Test("a schema with nested structures is written to a file and read back")
  func schemaFile() throws {
    let schema = Schema([Shipment.self])
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try schema.save(to: url)
    let read = try Schema.load(from: url)
    #expect(read == schema)
  }

  @Test("a schema with an infinite default value is written to a file and read back")
  func infiniteDefaultValue() throws {
    let schema = Schema([Gauge.self])
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try schema.save(to: url)
    let read = try Schema.load(from: url)
    #expect(read == schema)
    let limit = read.entitiesByName["Gauge"]?.attributesByName["limit"]?.defaultValue as? Double
    #expect(limit == .infinity)
  }

  @Test("an integer that stores cannot represent makes the save throw and names the property")
  func greatIntegers() throws {
    try withStore { container in
      let context = ModelContext(container)
      let shapes = Shapes(seed: 1)
      context.insert(shapes)
      shapes.everything.uint64 = .max
      let error = #expect(throws: (any Error).self) { try context.save() }
      #expect(error.map { "\($0)".contains("everything") } == true)
    }
  }
}

extension Shapes {
  /// Copies the values that a seed does not determine.
  fileprivate func adoptingIdentities(of other: Shapes) -> Shapes {
    everything.uuid = other.everything.uuid
    optional?.uuid = other.everything.uuid
    whole?.uuid = other.everything.uuid
    return self
  }
}
