import Foundation
import OpenCoreData
import OpenSwiftData
import Testing

@Model
final class Crew {
  var name: String
  @Relationship(minimumModelCount: 2, maximumModelCount: 3, inverse: \Sailor.crew)
  var sailors: [Sailor] = []
  @Relationship(minimumModelCount: 2) var guests: [Passenger]? = []
  @Relationship(deleteRule: .deny) var cabins: [Cabin] = []

  init(name: String) { self.name = name }
}

@Model
final class Sailor {
  var name: String
  var crew: Crew?

  init(name: String) { self.name = name }
}

@Model
final class Passenger {
  var name: String
  var host: Crew?

  init(name: String) { self.name = name }
}

@Model
final class Cabin {
  var number: Int
  var crew: Crew?

  init(number: Int) { self.number = number }
}

@Suite("Validation of models when they are saved")
struct ValidationTests {
  private func crew(_ count: Int) throws -> (context: ModelContext, crew: Crew) {
    let container = try ModelContainer(
      for: Crew.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let crew = Crew(name: "a")
    context.insert(crew)
    crew.sailors = (0..<count).map { Sailor(name: "\($0)") }
    return (context, crew)
  }

  /// The codes of all errors of a save.
  private func codes(_ context: ModelContext) -> [CocoaError.Code] {
    do {
      try context.save()
      return []
    } catch {
      guard let error = error as? CocoaError else { return [] }
      guard error.code == .validationMultipleErrors else { return [error.code] }
      let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
      return details.compactMap { ($0 as? CocoaError)?.code }.sorted { $0.rawValue < $1.rawValue }
    }
  }

  @Test("a relationship with too few models fails with code 1580")
  func tooFew() throws {
    for count in 0...1 {
      let (context, _) = try crew(count)
      #expect(codes(context) == [.validationRelationshipLacksMinimumCount])
      #expect(context.hasChanges)
    }
    #expect(CocoaError.Code.validationRelationshipLacksMinimumCount.rawValue == 1580)
  }

  @Test("a relationship with too many models fails with code 1590")
  func tooMany() throws {
    let (context, _) = try crew(4)
    #expect(codes(context) == [.validationRelationshipExceedsMaximumCount])
    #expect(CocoaError.Code.validationRelationshipExceedsMaximumCount.rawValue == 1590)
  }

  @Test("counts within the limits are saved, and a later change beyond them is not")
  func within() throws {
    for count in 2...3 { #expect(codes(try crew(count).context) == []) }
    let (context, crew) = try crew(3)
    try context.save()
    crew.sailors.removeLast(2)
    #expect(codes(context) == [.validationRelationshipLacksMinimumCount])
    context.rollback()
    #expect(crew.sailors.count == 3)
    crew.sailors.append(Sailor(name: "more"))
    #expect(codes(context) == [.validationRelationshipExceedsMaximumCount])
  }

  @Test("an optional relationship can have no models, or at least its minimum count")
  func optional() throws {
    let (context, crew) = try crew(2)
    #expect(codes(context) == [])
    crew.guests = [Passenger(name: "a")]
    #expect(codes(context) == [.validationRelationshipLacksMinimumCount])
    crew.guests?.append(Passenger(name: "b"))
    #expect(codes(context) == [])
  }

  @Test("several wrong counts are reported together under code 1560")
  func several() throws {
    let (context, crew) = try crew(4)
    crew.guests = [Passenger(name: "a")]
    #expect(
      codes(context) == [
        .validationRelationshipLacksMinimumCount, .validationRelationshipExceedsMaximumCount,
      ])
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code == .validationMultipleErrors)
  }

  @Test("deleting a model with a deny rule and related models fails with code 1600")
  func denied() throws {
    let (context, crew) = try crew(2)
    crew.cabins = [Cabin(number: 1)]
    try context.save()
    context.delete(crew)
    #expect(codes(context) == [.validationRelationshipDeniedDelete])
  }
}
