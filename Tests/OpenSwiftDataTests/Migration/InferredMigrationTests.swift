import Foundation
import OpenSwiftData
import Testing

/// The first version, and the versions to which it can be migrated without a plan.
private enum Plain {
  @Model final class Item {
    var name: String
    var count: Int
    var note: String?
    init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }
}

private enum Added {
  enum Kind: String, Codable { case sea, land }

  struct Place: Codable, Equatable {
    var x: Int
    var y: String
  }

  @Model final class Item {
    var name: String
    var count: Int
    var note: String?
    var color: String?
    var rank: Int = 5
    var tags: [String] = ["new"]
    var place: Place?
    var kind: Kind = Added.Kind.land
    var season: Season = Season.winter
    var spot: Place = Added.Place(x: 2, y: "new")
    var box: Box?
    init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  @Model final class Box {
    var items: [Item] = []
    init() {}
  }
}

/// Values of an enumeration and of a structure, to which another version adds a case and a member.
private enum Small {
  enum Way: Codable { case sea, land }
  struct Stop: Codable { var name: String }

  @Model final class Trip {
    var number: Int
    var way: Way = Small.Way.land
    var stop: Stop?
    var end: Stop = Small.Stop(name: "a")
    init(number: Int) { self.number = number }
  }
}

private enum Large {
  enum Way: Codable { case sea, land, air }
  struct Stop: Codable, Equatable {
    var name: String
    var days: Int
  }

  @Model final class Trip {
    var number: Int
    var way: Way = Large.Way.air
    var stop: Stop? = Large.Stop(name: "z", days: 3)
    var end: Stop = Large.Stop(name: "z", days: 3)
    init(number: Int) { self.number = number }
  }
}

private enum Reworded {
  @Model final class Item {
    @Attribute(.unique, originalName: "name") var title: String
    @Attribute(originalName: "count") var number: Int
    init(title: String, number: Int) {
      self.title = title
      self.number = number
    }
  }
}

private enum Required {
  @Model final class Item {
    var name: String
    var count: Int
    var note: String?
    var owner: String
    init(name: String, count: Int, owner: String) {
      self.name = name
      self.count = count
      self.owner = owner
    }
  }
}

private enum Retyped {
  @Model final class Item {
    var name: String
    var count: String
    var note: String?
    init(name: String, count: String) {
      self.name = name
      self.count = count
    }
  }
}

@Suite("Migration without a plan")
struct InferredMigrationTests {
  private let folder: StoreFolder

  init() throws {
    folder = try StoreFolder()
    try folder.with(Schema([Plain.Item.self])) { context in
      context.insert(Plain.Item(name: "a", count: 1))
      try context.save()
    }
  }

  @Test("added properties have no value, or their default value")
  func added() throws {
    try folder.with(Schema([Added.Item.self])) { context in
      let item = try #require(try context.fetch(FetchDescriptor<Added.Item>()).first)
      #expect(item.name == "a" && item.count == 1 && item.note == nil)
      #expect(item.color == nil && item.rank == 5 && item.tags == ["new"] && item.place == nil)
      item.place = Added.Place(x: 1, y: "z")
      item.box = Added.Box()
      try context.save()
    }
    try folder.with(Schema([Added.Item.self])) { context in
      let box = try #require(try context.fetch(FetchDescriptor<Added.Box>()).first)
      #expect(box.items.map(\.place) == [Added.Place(x: 1, y: "z")])
    }
  }

  @Test("added enumerations and structures have their default value in older rows")
  func addedComposites() throws {
    try folder.with(Schema([Added.Item.self])) { context in
      let item = try #require(try context.fetch(FetchDescriptor<Added.Item>()).first)
      #expect(item.kind == .land && item.season == .winter)
      #expect(item.spot == Added.Place(x: 2, y: "new"))
      let kind = Added.Kind.land
      let descriptor = FetchDescriptor<Added.Item>(
        predicate: #Predicate { $0.kind == kind && $0.spot.x == 2 })
      #expect(try context.fetchCount(descriptor) == 1)
      item.name = "b"
      try context.save()
    }
  }

  @Test("an added case or member does not change the values of existing rows")
  func enlarged() throws {
    let folder = try StoreFolder()
    try folder.with(Schema([Small.Trip.self])) { context in
      context.insert(Small.Trip(number: 1))
      try context.save()
    }
    try folder.with(Schema([Large.Trip.self])) { context in
      let trip = try #require(try context.fetch(FetchDescriptor<Large.Trip>()).first)
      #expect(trip.way == .land)
      #expect(trip.stop == nil)
      #expect(trip.end == Large.Stop(name: "a", days: 3))
      trip.number = 2
      try context.save()
    }
  }

  @Test("renamed properties keep their values, and removed ones are dropped")
  func renamed() throws {
    try folder.with(Schema([Reworded.Item.self])) { context in
      let items = try context.fetch(FetchDescriptor<Reworded.Item>())
      #expect(items.map { "\($0.title) \($0.number)" } == ["a 1"])
      context.insert(Reworded.Item(title: "a", number: 2))
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Reworded.Item>()) == 1)
    }
  }

  @Test("a store can be migrated several times, forward and back")
  func thereAndBack() throws {
    try folder.with(Schema([Added.Item.self])) { _ in }
    #expect(
      try folder.with(Schema([Plain.Item.self])) {
        try $0.fetch(FetchDescriptor<Plain.Item>()).map(\.name)
      } == ["a"])
  }

  @Test(
    "a change that cannot be inferred is error 134190, which names the property; the store is unchanged"
  )
  func refused() throws {
    for (schema, property) in [
      (Schema([Required.Item.self]), "owner"), (Schema([Retyped.Item.self]), "count"),
    ] {
      do {
        try folder.with(schema) { _ in }
        Issue.record("The store was migrated.")
      } catch let error as SwiftDataError {
        #expect(error == .loadIssueModelContainer)
        #expect((error.underlyingError as? CocoaError)?.code.rawValue == 134_190)
        #expect(error.localizedDescription.contains(property), "\(error.localizedDescription)")
      }
    }
    #expect(
      try folder.with(Schema([Plain.Item.self])) {
        try $0.fetch(FetchDescriptor<Plain.Item>()).map(\.count)
      } == [1])
  }

  @Test("an identifier that outlives its container does not keep the store open")
  func heldIdentifier() throws {
    let identifier = try folder.with(Schema([Plain.Item.self])) { context in
      let item = try #require(try context.fetch(FetchDescriptor<Plain.Item>()).first)
      return item.persistentModelID
    }
    var configuration = ModelConfiguration(url: folder.file())
    configuration.timeout = 0
    let container = try ModelContainer(
      for: Schema([Added.Item.self]), configurations: configuration)
    let context = ModelContext(container)
    #expect(try context.fetchCount(FetchDescriptor<Added.Item>()) == 1)
    #expect(identifier.entityName == "Item")
  }

  @Test("duplicates under an attribute that becomes unique are error 134111")
  func duplicates() throws {
    try folder.with(Schema([Plain.Item.self])) { context in
      context.insert(Plain.Item(name: "a", count: 2))
      try context.save()
    }
    do {
      try folder.with(Schema([Reworded.Item.self])) { _ in }
      Issue.record("The store was migrated.")
    } catch let error as SwiftDataError {
      #expect((error.underlyingError as? CocoaError)?.code.rawValue == 134_111)
    }
    #expect(
      try folder.with(Schema([Plain.Item.self])) {
        try $0.fetchCount(FetchDescriptor<Plain.Item>())
      } == 2)
  }
}
