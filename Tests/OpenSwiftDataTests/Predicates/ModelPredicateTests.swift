import Foundation
import OpenSwiftData
import Testing

enum TripMood: String, Codable, CaseIterable {
  case calm, wild
}

struct TripPlace: Codable, Hashable {
  var city: String
  var floor: Int?
}

@Model
final class TripGuide {
  var name: String
  @Relationship(inverse: \GuidedTrip.guide) var trips: [GuidedTrip] = []

  init(name: String) { self.name = name }
}

@Model
final class GuidedTrip {
  var number: Int
  var title: String
  var isDone: Bool
  var mood: TripMood
  var place: TripPlace
  var tags: [String]
  var rank: Int?
  var guide: TripGuide?
  @Transient var seen = 0

  /// A computed property that uses a stored one.
  var shout: String { title.uppercased() }

  init(number: Int) {
    self.number = number
    title = ["trip 10", "Trip 9", "alps", "Zoo"][number % 4]
    isDone = number % 3 == 0
    mood = number % 2 == 0 ? .calm : .wild
    place = TripPlace(city: ["Oslo", "Rom"][number % 2], floor: number % 3 == 0 ? nil : number)
    tags = number % 2 == 0 ? ["x"] : ["y", "z"]
    rank = number % 4 == 0 ? nil : number
  }
}

@Suite("Predicates and orders of models")
struct ModelPredicateTests {
  /// Twelve trips, every third without guide, in memory or in a file.
  private static func context(inMemory: Bool) throws -> ModelContext {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).store")
    let configuration =
      inMemory ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: url)
    let container = try ModelContainer(
      for: GuidedTrip.self, TripGuide.self, configurations: configuration)
    let context = ModelContext(container)
    let guides = ["Ann", "Bob"].map { TripGuide(name: $0) }
    for number in 0..<12 {
      let trip = GuidedTrip(number: number)
      context.insert(trip)
      if number % 3 != 1 { trip.guide = guides[number % 2] }
    }
    try context.save()
    return context
  }

  private func check(
    _ predicate: Predicate<GuidedTrip>, sourceLocation: SourceLocation = #_sourceLocation,
    _ plain: (GuidedTrip) -> Bool
  ) throws {
    for inMemory in [false, true] {
      let context = try Self.context(inMemory: inMemory)
      let all = try context.fetch(FetchDescriptor<GuidedTrip>(sortBy: [SortDescriptor(\.number)]))
      #expect(all.count == 12, sourceLocation: sourceLocation)
      let wanted = all.filter(plain).map(\.number)
      let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number).sorted()
      #expect(found == wanted, sourceLocation: sourceLocation)
      #expect(!wanted.isEmpty && wanted.count < 12, "trivial", sourceLocation: sourceLocation)
      let count = try context.fetchCount(FetchDescriptor(predicate: predicate))
      #expect(count == wanted.count, sourceLocation: sourceLocation)
    }
  }

  @Test("plain properties, optionals and relationships")
  func properties() throws {
    let title = "alps"
    try check(#Predicate { $0.title == title }) { $0.title == title }
    try check(#Predicate { $0.rank == nil }) { $0.rank == nil }
    try check(#Predicate { !$0.isDone && ($0.rank ?? 0) > 3 }) { !$0.isDone && ($0.rank ?? 0) > 3 }
    try check(#Predicate { $0.guide?.name == "Ann" }) { $0.guide?.name == "Ann" }
    try check(#Predicate { $0.guide?.name != "Ann" }) { $0.guide?.name != "Ann" }
    try check(#Predicate { $0.guide == nil }) { $0.guide == nil }
    try check(#Predicate { $0.guide?.trips.contains { $0.number == 0 } == true }) {
      $0.guide?.trips.contains { $0.number == 0 } == true
    }
  }

  @Test("enumerations, members of structures and arrays of values")
  func values() throws {
    let mood = TripMood.wild
    let place = TripPlace(city: "Oslo", floor: nil)
    try check(#Predicate { $0.mood == mood }) { $0.mood == mood }
    try check(#Predicate { $0.mood != mood }) { $0.mood != mood }
    try check(#Predicate { $0.mood.rawValue == "calm" }) { $0.mood.rawValue == "calm" }
    try check(#Predicate { $0.place.city == "Oslo" }) { $0.place.city == "Oslo" }
    try check(#Predicate { $0.place.floor == nil }) { $0.place.floor == nil }
    try check(#Predicate { $0.place == place }) { $0.place == place }
    try check(#Predicate { $0.tags.contains("x") }) { $0.tags.contains("x") }
    try check(#Predicate { $0.isDone && $0.tags.count == 2 }) { $0.isDone && $0.tags.count == 2 }
    try check(#Predicate { $0.title.contains(/[0-9]/) }) { $0.title.contains(/[0-9]/) }
  }

  @Test("identifiers of models", arguments: [false, true])
  func identifiers(inMemory: Bool) throws {
    let context = try Self.context(inMemory: inMemory)
    let trips = try context.fetch(FetchDescriptor<GuidedTrip>(sortBy: [SortDescriptor(\.number)]))
    let (id, ids) = (trips[3].persistentModelID, trips.prefix(2).map(\.persistentModelID))
    func numbers(_ predicate: Predicate<GuidedTrip>) throws -> [Int] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number).sorted()
    }
    #expect(try numbers(#Predicate { $0.persistentModelID == id }) == [3])
    #expect(try numbers(#Predicate { ids.contains($0.persistentModelID) }) == [0, 1])
    let decoded = try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(id))
    #expect(try numbers(#Predicate { $0.persistentModelID == decoded }) == [3])
    let guide = try #require(trips[0].guide).persistentModelID
    #expect(
      try numbers(#Predicate { $0.guide?.persistentModelID == guide })
        == trips.filter { $0.guide?.name == "Ann" }.map(\.number))
  }

  @Test("a computed or transient property causes an error that names it")
  func notStored() throws {
    let context = try Self.context(inMemory: true)
    for predicate in [
      #Predicate<GuidedTrip> { $0.shout == "ALPS" }, #Predicate<GuidedTrip> { $0.seen == 0 },
      #Predicate<GuidedTrip> { $0.title.count > 2 && $0.shout == "ALPS" },
    ] {
      let error = #expect(throws: SwiftDataError.self) {
        try context.fetch(FetchDescriptor(predicate: predicate))
      }
      #expect(error == .unsupportedKeyPath)
      #expect(error?.underlyingError != nil)
    }
    let error = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\GuidedTrip.shout)]))
    }
    #expect(error == .unsupportedSortDescriptor)
  }

  @Test(
    "orders: localized texts, Boolean values, enumerations, members, over relationships",
    arguments: [false, true])
  func orders(inMemory: Bool) throws {
    let context = try Self.context(inMemory: inMemory)
    func numbers(_ order: SortDescriptor<GuidedTrip>) throws -> [Int] {
      try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.number)])).map(\.number)
    }
    func sorted<Key: Comparable>(_ key: (GuidedTrip) -> Key) throws -> [Int] {
      try context.fetch(FetchDescriptor<GuidedTrip>())
        .sorted { (key($0), $0.number) < (key($1), $1.number) }.map(\.number)
    }
    let titles = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\GuidedTrip.title)]))
    #expect(
      titles.map(\.title).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        == ["alps", "Trip 9", "trip 10", "Zoo"])
    #expect(
      try numbers(SortDescriptor(\.title, comparator: .lexical)) == sorted { $0.title })
    #expect(try numbers(SortDescriptor(\.isDone)) == sorted { $0.isDone ? 1 : 0 })
    #expect(try numbers(SortDescriptor(\.isDone, order: .reverse)) == sorted { $0.isDone ? 0 : 1 })
    #expect(try numbers(SortDescriptor(\.rank)) == sorted { $0.rank ?? -1 })
    #expect(try numbers(SortDescriptor(\.mood)) == sorted { $0.mood.rawValue })
    #expect(try numbers(SortDescriptor(\.guide?.name)) == sorted { $0.guide?.name ?? "" })
  }
}
