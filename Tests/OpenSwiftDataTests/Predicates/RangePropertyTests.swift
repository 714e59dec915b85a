import Foundation
import OpenSwiftData
import Testing

@Model
final class OpeningTime {
  var number: Int
  var hours: ClosedRange<Int>?
  var days: Range<Int>

  init(number: Int, hours: ClosedRange<Int>?, days: Range<Int>) {
    self.number = number
    self.hours = hours
    self.days = days
  }
}

@Suite("Ranges of integers in predicates")
struct RangePropertyTests {
  @Test("a condition compares an optional range with nil, and the bounds of a range with values")
  func ranges() throws {
    let container = try ModelContainer(
      for: OpeningTime.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(OpeningTime(number: 1, hours: 8...12, days: 1..<6))
    context.insert(OpeningTime(number: 2, hours: nil, days: 6..<8))
    try context.save()
    func numbers(_ predicate: Predicate<OpeningTime>) throws -> [Int] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number)
    }
    #expect(try numbers(#Predicate { $0.hours == nil }) == [2])
    #expect(try numbers(#Predicate { $0.hours != nil }) == [1])
    #expect(try numbers(#Predicate { $0.days.lowerBound > 5 }) == [2])
    #expect(try numbers(#Predicate { $0.days.upperBound < 7 }) == [1])
  }
}
