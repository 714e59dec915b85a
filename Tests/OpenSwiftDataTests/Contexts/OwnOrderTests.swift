import Foundation
import OpenSwiftData
import Testing

/// An enumeration whose order is not that of its raw values.
enum Urgency: String, Codable, CaseIterable, Comparable {
  case low, medium, high

  var place: Int {
    switch self {
    case .low: 1
    case .medium: 2
    case .high: 3
    }
  }

  static func < (one: Urgency, other: Urgency) -> Bool { one.place < other.place }
}

/// An enumeration whose order is that of its raw values.
enum ErrandSize: Int, Codable, CaseIterable, Comparable {
  case small = 1
  case large = 2

  static func < (one: ErrandSize, other: ErrandSize) -> Bool { one.rawValue < other.rawValue }
}

@Model
final class Errand {
  var number: Int
  var urgency: Urgency
  var former: Urgency?
  var size: ErrandSize
  var next: Errand?

  init(number: Int) {
    self.number = number
    urgency = Urgency.allCases[number * 5 % 3]
    former = number % 4 == 0 ? nil : Urgency.allCases[number % 3]
    size = number % 2 == 0 ? .large : .small
  }
}

@Suite("Orders of enumerations that declare their own order")
struct OwnOrderTests {
  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Errand.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let errands = (0..<9).map { Errand(number: $0) }
    for errand in errands.prefix(6) { context.insert(errand) }
    errands[1].next = errands[2]
    errands[2].next = errands[4]
    try context.save()
    for errand in errands.dropFirst(6) { context.insert(errand) }
  }

  private func numbers(
    _ order: SortDescriptor<Errand>, _ tie: SortOrder = .forward, offset: Int = 0, limit: Int = 0
  ) throws -> [Int] {
    var descriptor = FetchDescriptor(sortBy: [order, SortDescriptor(\.number, order: tie)])
    descriptor.fetchOffset = offset
    descriptor.fetchLimit = limit
    return try context.fetch(descriptor).map(\.number)
  }

  /// Expects that fetches have the order of a key, whether all models are saved or not.
  private func check(
    _ order: SortDescriptor<Errand>, sourceLocation: SourceLocation = #_sourceLocation,
    _ key: (Errand) -> Int
  ) throws {
    var backwards = order
    backwards.order = .reverse
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      let wanted = try context.fetch(FetchDescriptor<Errand>())
        .sorted { (key($0), $0.number) < (key($1), $1.number) }.map(\.number)
      #expect(wanted.count == 9, sourceLocation: sourceLocation)
      #expect(try numbers(order) == wanted, sourceLocation: sourceLocation)
      var visited: [Int] = []
      try context.enumerate(
        FetchDescriptor(sortBy: [order, SortDescriptor(\.number)]), batchSize: 2
      ) { visited.append($0.number) }
      #expect(visited == wanted, sourceLocation: sourceLocation)
      #expect(
        try numbers(backwards, .reverse) == Array(wanted.reversed()),
        sourceLocation: sourceLocation)
      #expect(
        try numbers(order, offset: 2, limit: 3) == Array(wanted[2..<5]),
        sourceLocation: sourceLocation)
    }
  }

  @Test("a fetch is sorted by the order that the enumeration declares")
  func values() throws {
    try check(SortDescriptor(\.urgency)) { $0.urgency.place }
  }

  @Test("nil comes before all values")
  func optionals() throws {
    try check(SortDescriptor(\.former)) { $0.former?.place ?? 0 }
    try check(SortDescriptor(\.next?.urgency)) { $0.next?.urgency.place ?? 0 }
  }

  @Test("a fetch that must run in the store throws unless the raw values have the same order")
  func strict() throws {
    var descriptor = FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.urgency)])
    descriptor.allowsEvaluationInMemory = false
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) { try context.fetch(descriptor) }
    descriptor.sortBy = [SortDescriptor(\.size), SortDescriptor(\.number)]
    #expect(try context.fetch(descriptor).map(\.number) == [1, 3, 5, 7, 0, 2, 4, 6, 8])
  }

  @Test("an observer keeps its results in the order of the enumeration")
  func observing() throws {
    try context.save()
    let observer = try ResultsObserver<Errand, Never>(
      sortBy: [SortDescriptor(\.urgency), SortDescriptor(\.number)], modelContext: context,
      isolation: nil)
    let places = observer.results.map(\.urgency.place)
    #expect(places == places.sorted() && places.count == 9)
    let first = try #require(observer.results.first)
    first.urgency = .high
    try context.save()
    #expect(observer.results.map(\.urgency.place).last == 3)
    #expect(observer.results.first !== first)
  }
}

/// A version whose encoded form has another order.
struct PatchVersion: Codable, Comparable {
  var major: Int

  static func < (one: PatchVersion, other: PatchVersion) -> Bool { one.major < other.major }
}

@Model
final class Patch {
  @Attribute(.codable) var version: PatchVersion
  @Attribute(.codable) var former: PatchVersion?

  init(major: Int) {
    version = PatchVersion(major: major)
    former = major == 9 ? nil : PatchVersion(major: 20 - major)
  }
}

@Suite("Orders of encoded values")
struct EncodedOrderTests {
  @Test("a fetch sorts encoded values by the order of their type", arguments: [false, true])
  func values(inMemory: Bool) throws {
    let context = try Library.context(Schema([Patch.self]), inMemory: inMemory)
    for major in [10, 9, 11, 8] { context.insert(Patch(major: major)) }
    try context.save()
    var descriptor = FetchDescriptor<Patch>(sortBy: [SortDescriptor(\.version)])
    #expect(try context.fetch(descriptor).map(\.version.major) == [8, 9, 10, 11])
    descriptor.sortBy = [SortDescriptor(\.former)]
    #expect(try context.fetch(descriptor).map(\.version.major) == [9, 11, 10, 8])
    descriptor.allowsEvaluationInMemory = false
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) { try context.fetch(descriptor) }
  }
}
