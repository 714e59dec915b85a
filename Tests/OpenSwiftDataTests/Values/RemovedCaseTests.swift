import Foundation
import OpenSwiftData
import Testing

/// Models whose enumerations lose a case in the later version.
private enum Earlier {
  enum Kind: String, Codable { case letter, photo, film }
  enum Way: Codable { case sea, land, air }

  /// The removed case does not change the version hash.
  @Model final class Parcel {
    var title: String
    var kind: Kind
    var nextKind: Kind?

    init(title: String, kind: Kind, nextKind: Kind? = nil) {
      self.title = title
      self.kind = kind
      self.nextKind = nextKind
    }
  }

  /// The removed case has a column, which the migration drops.
  @Model final class Crossing {
    var title: String
    var way: Way
    var nextWay: Way?

    init(title: String, way: Way, nextWay: Way? = nil) {
      self.title = title
      self.way = way
      self.nextWay = nextWay
    }
  }
}

private enum Later {
  enum Kind: String, Codable { case letter, photo }
  enum Way: Codable { case sea, land }

  @Model final class Parcel {
    var title: String
    var kind: Kind
    var nextKind: Kind?
    init(title: String) {
      self.title = title
      kind = .letter
    }
  }

  @Model final class Crossing {
    var title: String
    var way: Way
    var nextWay: Way?
    init(title: String) {
      self.title = title
      way = .sea
    }
  }
}

@Suite("Rows with a case that an enumeration no longer has")
struct RemovedCaseTests {
  private let folder: StoreFolder

  init() throws {
    folder = try StoreFolder()
    try folder.with(Schema([Earlier.Parcel.self, Earlier.Crossing.self])) { context in
      context.insert(Earlier.Parcel(title: "a", kind: .film, nextKind: .film))
      context.insert(Earlier.Parcel(title: "b", kind: .letter))
      context.insert(Earlier.Crossing(title: "a", way: .air, nextWay: .air))
      context.insert(Earlier.Crossing(title: "b", way: .land, nextWay: .sea))
      try context.save()
    }
  }

  private func with(_ body: (ModelContext) throws -> Void) throws {
    try folder.with(Schema([Later.Parcel.self, Later.Crossing.self])) { try body($0) }
  }

  /// Expects that each save throws until a rollback, because a property was read.
  private func expectUnread(
    _ property: String, in context: ModelContext, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for _ in 1...2 {
      let error = #expect(throws: CocoaError.self, sourceLocation: sourceLocation) {
        try context.save()
      }
      let cause = error?.userInfo[NSUnderlyingErrorKey] as? ModelValueError
      #expect(cause?.propertyName == property, sourceLocation: sourceLocation)
    }
    context.rollback()
  }

  private func parcels(
    _ predicate: Predicate<Later.Parcel>, in context: ModelContext
  ) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title)
  }

  @Test("a store compares the raw values, and conditions that only Swift can evaluate throw")
  func conditions() throws {
    let letter = Later.Kind.letter
    try with { context throws in
      #expect(try parcels(#Predicate { $0.kind == letter }, in: context) == ["b"])
      #expect(try parcels(#Predicate { $0.kind != letter }, in: context) == ["a"])
      #expect(try parcels(#Predicate { $0.nextKind == nil }, in: context) == ["b"])
      let error = #expect(throws: (any Error).self) {
        try parcels(#Predicate { $0.kind == letter || $0.title.contains(/a/) }, in: context)
      }
      #expect(error.map { "\($0)".contains("kind") } == true)
    }
  }

  @Test("reading the property makes saves throw; saves of other properties keep the raw value")
  func rawValues() throws {
    try with { context in
      let parcel = try #require(
        try context.fetch(FetchDescriptor<Later.Parcel>(sortBy: [SortDescriptor(\.title)])).first)
      parcel.title = "c"
      try context.save()
      #expect(parcel.kind == .letter)
      expectUnread("kind", in: context)
      #expect(parcel.nextKind == nil)
      expectUnread("nextKind", in: context)
      parcel.title = "d"
      try context.save()
    }
    try folder.with(Schema([Earlier.Parcel.self, Earlier.Crossing.self])) { context in
      let parcels = try context.fetch(
        FetchDescriptor<Earlier.Parcel>(predicate: #Predicate { $0.title == "d" }))
      #expect(parcels.map(\.kind) == [.film])
      #expect(parcels.map(\.nextKind) == [.film])
    }
  }

  @Test("without the case's column, a required property is an error, and an optional one is nil")
  func columns() throws {
    try with { context in
      let crossings = try context.fetch(
        FetchDescriptor<Later.Crossing>(sortBy: [SortDescriptor(\.title)]))
      #expect(crossings.map(\.title) == ["a", "b"])
      #expect(crossings[1].way == .land && crossings[1].nextWay == .sea)
      #expect(crossings[0].nextWay == nil)
      crossings[0].title = "c"
      try context.save()
      #expect(crossings[0].way == .sea)
      expectUnread("way", in: context)
      let sea = Later.Way.sea
      #expect(throws: (any Error).self) {
        try context.fetch(FetchDescriptor<Later.Crossing>(predicate: #Predicate { $0.way == sea }))
      }
      context.rollback()
      crossings[0].way = .land
      try context.save()
      #expect(crossings[0].way == .land)
    }
  }
}
