import Foundation
import OpenSwiftData
import Testing

/// An enumeration whose order is not the order of its raw values.
enum ErrandPriority: String, Codable, Comparable, CaseIterable {
  case low, medium, high

  private var level: Int {
    switch self {
    case .low: 0
    case .medium: 1
    case .high: 2
    }
  }

  static func < (left: ErrandPriority, right: ErrandPriority) -> Bool { left.level < right.level }
}

@Model
final class RankedErrand {
  var number: Int
  var priority: ErrandPriority

  init(number: Int, priority: ErrandPriority) {
    self.number = number
    self.priority = priority
  }
}

@Suite("Predicates over values with their own order")
struct CustomOrderTests {
  @Test("a range of a custom type has the order of the type")
  func ranges() throws {
    let container = try ModelContainer(
      for: RankedErrand.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for (number, priority) in ErrandPriority.allCases.enumerated() {
      context.insert(RankedErrand(number: number, priority: priority))
    }
    try context.save()
    func numbers(_ predicate: Predicate<RankedErrand>) throws -> [Int] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number).sorted()
    }
    let (medium, high) = (ErrandPriority.medium, ErrandPriority.high)
    let urgent = medium...high
    #expect(try numbers(#Predicate { (medium...high).contains($0.priority) }) == [1, 2])
    #expect(try numbers(#Predicate { !(medium...high).contains($0.priority) }) == [0])
    #expect(try numbers(#Predicate { urgent.contains($0.priority) }) == [1, 2])
  }
}
