import Foundation
import OpenSwiftData
import Testing

@Suite("Key paths of subclasses to inherited properties")
struct InheritedPropertyTests {
  private typealias Guitar = Band.Guitar

  /// Calls a closure with contexts of a store in memory and of a store in a file.
  private func check(_ body: (ModelContext) throws -> Void) throws {
    for inMemory in [true, false] { try body(try Band.context(inMemory: inMemory)) }
  }

  private func names<Model: Band.Instrument>(
    _ predicate: Predicate<Model>, in context: ModelContext
  ) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
  }

  @Test("a predicate on a subclass compares inherited properties of any type")
  func predicates() throws {
    let (wood, metal, limit) = (Band.Material.wood, Band.Material.metal, Decimal(0.6))
    let image = Data([1, 2])
    try check { context throws in
      #expect(try names(#Predicate<Guitar> { $0.material == wood }, in: context) == ["nylon"])
      #expect(try names(#Predicate<Guitar> { $0.finish == metal }, in: context) == ["nylon"])
      #expect(
        try names(#Predicate<Guitar> { $0.origin.year > 1902 }, in: context) == ["bass", "nylon"])
      #expect(
        try names(#Predicate<Guitar> { $0.price > limit }, in: context) == ["bass", "nylon"])
      #expect(try names(#Predicate<Guitar> { $0.link != nil }, in: context) == ["nylon"])
      #expect(try names(#Predicate<Guitar> { $0.image == image }, in: context) == ["nylon"])
      #expect(try names(#Predicate<Guitar> { !$0.cases.isEmpty }, in: context) == ["nylon"])
      #expect(
        try names(#Predicate<Band.BassGuitar> { $0.material == metal }, in: context) == ["bass"])
    }
  }

  @Test("a predicate reads inherited properties behind a cast and behind a relationship")
  func castsAndRelationships() throws {
    let wood = Band.Material.wood
    try check { context in
      #expect(
        try names(
          #Predicate<Band.Instrument> { ($0 as? Guitar)?.material == wood }, in: context)
          == ["nylon"])
      let players = try context.fetch(
        FetchDescriptor<Band.Player>(predicate: #Predicate { $0.guitar?.material == wood }))
      #expect(players.map(\.name) == ["b"])
    }
  }

  @Test("models of a subclass are sorted by inherited properties and by members of structures")
  func orders() throws {
    try check { context throws in
      func names(_ order: SortDescriptor<Guitar>) throws -> [String] {
        try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.strings)]))
          .map(\.name)
      }
      #expect(try names(SortDescriptor(\.price, order: .reverse)) == ["bass", "nylon", "steel"])
      #expect(try names(SortDescriptor(\.origin.year)) == ["steel", "nylon", "bass"])
      #expect(try names(SortDescriptor(\.origin.city)) == ["bass", "nylon", "steel"])
      #expect(try names(SortDescriptor(\.material, order: .reverse)).first == "nylon")
      #expect(try names(SortDescriptor(\.finish, order: .reverse)).first == "nylon")
    }
  }

  @Test("models are sorted by an inherited property of a related model")
  func ordersOverRelationships() throws {
    try check { context throws in
      func names(_ order: SortDescriptor<Band.Player>) throws -> [String] {
        try context.fetch(FetchDescriptor(sortBy: [order])).map(\.name)
      }
      #expect(try names(SortDescriptor(\.guitar?.name)) == ["c", "b", "a"])
      #expect(try names(SortDescriptor(\.guitar?.price)) == ["c", "a", "b"])
      #expect(try names(SortDescriptor(\.guitar?.material)) == ["c", "a", "b"])
    }
  }

  @Test("models are sorted by members of inherited structures behind optional values")
  func ordersOverOptionalValues() throws {
    try check { context throws in
      func guitars(_ order: SortDescriptor<Guitar>) throws -> [String] {
        try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.name)])).map(\.name)
      }
      func players(_ order: SortDescriptor<Band.Player>) throws -> [String] {
        try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.name)])).map(\.name)
      }
      #expect(try guitars(SortDescriptor(\.workshop?.city)) == ["steel", "bass", "nylon"])
      #expect(try guitars(SortDescriptor(\.rival?.origin.year)) == ["steel", "nylon", "bass"])
      #expect(try guitars(SortDescriptor(\.rival?.workshop?.year)) == ["nylon", "steel", "bass"])
      #expect(try players(SortDescriptor(\.guitar?.origin.city)) == ["c", "b", "a"])
      #expect(
        try players(SortDescriptor(\.guitar?.workshop?.city, order: .reverse)) == ["b", "a", "c"])
      #expect(
        try players(SortDescriptor(\.guitar?.rival?.origin.year, order: .reverse))
          == ["b", "a", "c"])
    }
  }

  @Test("models are sorted by the identifiers of an inherited relationship's destinations")
  func ordersByIdentifiers() throws {
    try check { context throws in
      let names = try context.fetch(
        FetchDescriptor<Guitar>(sortBy: [SortDescriptor(\.rival?.persistentModelID)])
      ).map(\.name)
      let guitars = try context.fetch(FetchDescriptor<Guitar>())
      let rivals = guitars.compactMap { $0.rival?.persistentModelID }.sorted()
      #expect(names.first == "steel")
      let order = names.dropFirst().map { name in
        guitars.first { $0.name == name }?.rival?.persistentModelID
      }
      #expect(order == rivals.map { Optional($0) })
      let players = try context.fetch(
        FetchDescriptor<Band.Player>(
          sortBy: [
            SortDescriptor(\.guitar?.rival?.persistentModelID, order: .reverse),
            SortDescriptor(\.name),
          ])
      ).map(\.name)
      #expect(players == ["b", "a", "c"])
    }
  }

  @Test("computed properties of a superclass are not taken for the properties that they read")
  func computed() throws {
    let context = try Band.context(inMemory: true)
    for order in [
      SortDescriptor(\Guitar.otherMaterial), SortDescriptor(\Guitar.label),
      SortDescriptor(\Guitar.tags.count), SortDescriptor(\Guitar.nextOrigin.year),
      SortDescriptor(\Guitar.rivalID), SortDescriptor(\Guitar.stageName),
    ] {
      #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
        try context.fetch(FetchDescriptor<Guitar>(sortBy: [order]))
      }
    }
    for order in [
      SortDescriptor(\Band.Player.guitar?.otherMaterial),
      SortDescriptor(\Band.Player.guitar?.label),
      SortDescriptor(\Band.Player.guitar?.stageName),
    ] {
      #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
        try context.fetch(FetchDescriptor<Band.Player>(sortBy: [order]))
      }
    }
  }

  @Test("a fetch can read only some inherited properties, and prefetch inherited relationships")
  func partialFetches() throws {
    try check { context in
      var descriptor = FetchDescriptor<Guitar>(sortBy: [SortDescriptor(\.name)])
      descriptor.propertiesToFetch = [\.tags, \.ratings, \.image, \.origin, \.material]
      descriptor.relationshipKeyPathsForPrefetching = [\.cases]
      let guitars = try context.fetch(descriptor)
      #expect(guitars.map(\.name) == ["bass", "nylon", "steel"])
      #expect(guitars[1].tags == ["old"] && guitars[1].ratings == ["sound": 5])
      #expect(guitars[1].cases.count == 1)
    }
  }

  @Test("models of a subclass are deleted by a condition on an inherited property")
  func deletion() throws {
    let metal = Band.Material.metal
    try check { context in
      try context.delete(model: Guitar.self, where: #Predicate { $0.material == metal })
      try context.save()
      let left = try context.fetch(FetchDescriptor<Band.Instrument>()).map(\.name).sorted()
      #expect(left == ["horn", "nylon"])
    }
  }

  // MARK: Histories

  private struct NoChange: Error {}

  @Test("an update in the history of a subclass lists inherited properties")
  func updates() throws {
    try check { context in
      let guitar = try #require(
        try context.fetch(FetchDescriptor<Guitar>(predicate: #Predicate { $0.name == "steel" }))
          .first)
      guitar.name = "Steel"
      guitar.origin.city = "Rome"
      guitar.strings = 12
      try context.save()
      let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      guard case .update(let change)? = history.last?.changes.first,
        let update = change as? DefaultHistoryUpdate<Guitar>
      else { throw NoChange() }
      let changed = Set(update.updatedAttributes.map { $0 as AnyKeyPath })
      let wanted: Set<AnyKeyPath> = [\Guitar.name, \Guitar.origin, \Guitar.strings]
      #expect(changed == wanted)
      #expect(update.containsAttribute(\.origin) && !update.containsAttribute(\.material))
    }
  }

  @Test("the tombstone of a subclass has the preserved values of inherited properties")
  func tombstones() throws {
    try check { context in
      let bass = try #require(try context.fetch(FetchDescriptor<Band.BassGuitar>()).first)
      context.delete(bass)
      try context.save()
      let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      guard case .delete(let change)? = history.last?.changes.first,
        let delete = change as? DefaultHistoryDelete<Band.BassGuitar>
      else { throw NoChange() }
      #expect(delete.tombstone[\.name] as? String == "bass")
      #expect(delete.tombstone[\.material] as? Band.Material == .metal)
      #expect(
        delete.tombstone[\.origin] as? Band.Origin == Band.Origin(city: "City 5", year: 1904))
      #expect(delete.tombstone[\.scale] == nil)
    }
  }
}
