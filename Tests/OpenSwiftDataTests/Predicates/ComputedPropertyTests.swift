import Foundation
import OpenSwiftData
import Testing

protocol Titled {
  var title: String { get }
}

protocol Signposted {
  var sign: String { get }
}

@Model
final class Placard {
  var title: String
  var height: Int
  @Transient var isHidden = false
  @Transient var alias: String?
  @Transient var lengths: [String: Int] = [:]

  var shownTitle: String { isHidden ? "" : title }
  var aliasedTitle: String { alias ?? title }
  var displayTitle: String { title.isEmpty ? "Untitled" : title }
  var shortTitle: String { String(title.prefix(50)) }
  var boundedTitle: String { String(title.prefix(1_000_000)) }
  var sign: String { title == "Exit" ? "Way out" : title }
  var boundedHeight: Int { max(height, 1) }
  var shownID: PersistentIdentifier? { isHidden ? nil : persistentModelID }

  init(title: String, height: Int) {
    self.title = title
    self.height = height
  }
}

extension Placard: Titled, Signposted {}

@Model
final class SharedPlacard {
  final class Source {
    let title: String
    init(title: String) { self.title = title }
  }

  var title: String
  @Transient var source: Source?

  var sourceTitle: String { source?.title ?? title }

  init(title: String) { self.title = title }
}

extension SharedPlacard: Titled {}

@Suite("Computed properties that read one stored property")
struct ComputedPropertyTests {
  private let context: ModelContext

  init() throws {
    context = try Library.context(Schema([Placard.self, SharedPlacard.self]), inMemory: true)
    for (number, title) in ["", "Exit", "Entrance"].enumerated() {
      context.insert(Placard(title: title, height: number))
      context.insert(SharedPlacard(title: title))
    }
    try context.save()
  }

  private func expectUnsupported<Model: PersistentModel>(
    _ predicate: Predicate<Model>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: SwiftDataError.unsupportedKeyPath, sourceLocation: sourceLocation) {
      try context.fetch(FetchDescriptor(predicate: predicate))
    }
  }

  @Test("a property that depends on a transient property is not taken for the stored property")
  func transients() throws {
    expectUnsupported(#Predicate<Placard> { $0.shownTitle == "Exit" })
    expectUnsupported(#Predicate<Placard> { $0.aliasedTitle == "Exit" })
    expectUnsupported(#Predicate<Placard> { $0.shownID == nil })
    for order in [SortDescriptor(\Placard.shownTitle), SortDescriptor(\Placard.aliasedTitle)] {
      #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
        try context.fetch(FetchDescriptor(sortBy: [order]))
      }
    }
  }

  @Test("a property that depends on a transient object is not taken for the stored property")
  func transientObjects() throws {
    expectUnsupported(#Predicate<SharedPlacard> { $0.sourceTitle == "Exit" })
  }

  @Test("a property that replaces empty, long or small values is not taken for the stored property")
  func replacements() throws {
    expectUnsupported(#Predicate<Placard> { $0.displayTitle == "Untitled" })
    expectUnsupported(#Predicate<Placard> { $0.shortTitle == "Exit" })
    expectUnsupported(#Predicate<Placard> { $0.boundedHeight == 1 })
  }

  @Test("a property that equals the stored property for most values is not taken for it")
  func rareDifferences() throws {
    expectUnsupported(#Predicate<Placard> { $0.sign == "Exit" })
    expectUnsupported(#Predicate<Placard> { $0.boundedTitle == "Exit" })
    for order in [SortDescriptor(\Placard.sign), SortDescriptor(\Placard.boundedTitle)] {
      #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
        try context.fetch(FetchDescriptor(sortBy: [order]))
      }
    }
  }

  @Test(
    "generic code reads a stored property instead of a computed property that equals it for all sample values (D-443)"
  )
  func genericRequirement() throws {
    func count<Model: PersistentModel & Signposted>(
      of type: Model.Type, sign: String
    ) throws -> Int {
      let predicate = #Predicate<Model> { $0.sign == sign }
      return try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    #expect(try count(of: Placard.self, sign: "Entrance") == 1)
    #expect(try count(of: Placard.self, sign: "Exit") == 1)
    #expect(try count(of: Placard.self, sign: "Way out") == 0)
  }

  private func count<Model: PersistentModel & Titled>(
    of type: Model.Type, titled title: String
  ) throws -> Int {
    let predicate = #Predicate<Model> { $0.title == title }
    return try context.fetchCount(FetchDescriptor(predicate: predicate))
  }

  @Test("generic code can read a stored property of a model with transient properties")
  func generic() throws {
    #expect(try count(of: Placard.self, titled: "Exit") == 1)
    #expect(try count(of: Placard.self, titled: "") == 1)
  }

  @Test("generic code cannot read a stored property of a model with a transient object (D-422)")
  func genericWithObject() throws {
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try count(of: SharedPlacard.self, titled: "Exit")
    }
    let predicate = #Predicate<SharedPlacard> { $0.title == "Exit" }
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == 1)
  }
}
