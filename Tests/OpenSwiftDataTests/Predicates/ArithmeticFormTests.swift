import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Model
final class Fraction {
  var number: Int
  var value: Decimal

  init(number: Int, value: Decimal) {
    self.number = number
    self.value = value
  }
}

@Suite("Forms of predicates: calculations and ranges")
struct ArithmeticFormTests {
  @Test("a product that is too small for a decimal number has no value (D-350)")
  func decimalProducts() throws {
    let context = try Library.context(Schema([Fraction.self]), inMemory: true)
    let tiny = Decimal(sign: .plus, exponent: -100, significand: 1)
    context.insert(Fraction(number: 1, value: tiny))
    context.insert(Fraction(number: 2, value: 3))
    try context.save()
    let limit = Decimal(4)
    func numbers(_ predicate: Predicate<Fraction>) throws -> [Int] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number)
    }
    #expect(try numbers(#Predicate { $0.value * $0.value > limit }) == [2])
    #expect(try numbers(#Predicate { !($0.value * $0.value > limit) }) == [])
  }

  @Test("calculations with positive and negative integers")
  func integers() throws {
    let world = try FormWorlds()
    let (two, small) = (2, Int16(2))
    try world.check(#Predicate { $0.count + 1 > 3 }) { $0.count + 1 > 3 }
    try world.check(#Predicate { $0.count - two == 1 }) { $0.count - two == 1 }
    try world.check(#Predicate { two - $0.count > 0 }) { two - $0.count > 0 }
    try world.check(#Predicate { $0.count * two > 3 }) { $0.count * two > 3 }
    try world.check(#Predicate { $0.count * $0.count > 9 }) { $0.count * $0.count > 9 }
    try world.check(#Predicate { $0.count / 2 == 1 }) { $0.count / 2 == 1 }
    try world.check(#Predicate { $0.count / 2 == -1 }) { $0.count / 2 == -1 }
    try world.check(#Predicate { $0.count / -2 == 1 }) { $0.count / -2 == 1 }
    try world.check(#Predicate { $0.count % 3 == 1 }) { $0.count % 3 == 1 }
    try world.check(#Predicate { $0.count % 3 == -1 }) { $0.count % 3 == -1 }
    try world.check(#Predicate { $0.count % -3 == -1 }) { $0.count % -3 == -1 }
    try world.check(#Predicate { $0.count % 2 != 0 }) { $0.count % 2 != 0 }
    try world.check(#Predicate { -$0.count > 1 }) { -$0.count > 1 }
    try world.check(#Predicate { !(-$0.count + 1 < 0) }) { !(-$0.count + 1 < 0) }
    try world.check(#Predicate { $0.count + $0.number > 20 }) { $0.count + $0.number > 20 }
    try world.check(#Predicate { ($0.count + 1) * 2 - $0.number / 3 < 4 }) {
      ($0.count + 1) * 2 - $0.number / 3 < 4
    }
    try world.check(#Predicate { $0.small * small > 3 }) { $0.small * small > 3 }
    try world.check(#Predicate { $0.small / small == 1 }) { $0.small / small == 1 }
    try world.check(#Predicate { ($0.rank ?? 0) + 1 > 2 }) { ($0.rank ?? 0) + 1 > 2 }
  }

  @Test("calculations with floating-point numbers")
  func reals() throws {
    let world = try FormWorlds()
    let (half, infinite) = (0.5, Double.infinity)
    try world.check(#Predicate { $0.price + 1 > 3 }) { $0.price + 1 > 3 }
    try world.check(#Predicate { $0.price * half > 1 }) { $0.price * half > 1 }
    try world.check(#Predicate { $0.price / 2 > 1.3 }) { $0.price / 2 > 1.3 }
    try world.check(#Predicate { -$0.price < 1 }) { -$0.price < 1 }
    try world.check(#Predicate { $0.price - $0.price == 0 }, isTrivial: true) { _ in true }
    try world.check(#Predicate { !($0.price * 2 - 1 < 4) }) { !($0.price * 2 - 1 < 4) }
    try world.check(#Predicate { $0.price * ($0.discount ?? 1) > 1 }) {
      $0.price * ($0.discount ?? 1) > 1
    }
    try world.check(#Predicate { $0.price * infinite != 0 }, isTrivial: true) {
      $0.price * infinite != 0
    }
    try world.check(#Predicate { !($0.price * infinite > 0) }) { !($0.price * infinite > 0) }
    try world.check(#Predicate { 1 / $0.price > 0.2 }, .memory) { 1 / $0.price > 0.2 }
    try world.check(#Predicate { $0.price / $0.price == 1 }, .memory, isTrivial: true) {
      $0.price / $0.price == 1
    }
    try world.check(#Predicate { $0.price / 0 > 1 }, .memory) { $0.price / 0 > 1 }
  }

  @Test("ranges")
  func ranges() throws {
    let world = try FormWorlds()
    let (low, high) = (1, 4)
    let (half, closed) = (low..<high, low...high)
    let (from, below, through) = (low..., ..<high, ...high)
    let empty = low..<low
    let start = Date(timeIntervalSinceReferenceDate: 2_000)
    let end = Date(timeIntervalSinceReferenceDate: 7_000)
    try world.check(#Predicate { (low..<high).contains($0.count) }) {
      (low..<high).contains($0.count)
    }
    try world.check(#Predicate { (low...high).contains($0.count) }) {
      (low...high).contains($0.count)
    }
    try world.check(#Predicate { half.contains($0.count) }) { half.contains($0.count) }
    try world.check(#Predicate { !closed.contains($0.count) }) { !closed.contains($0.count) }
    try world.check(#Predicate { from.contains($0.count) }) { from.contains($0.count) }
    try world.check(#Predicate { !below.contains($0.count) }) { !below.contains($0.count) }
    try world.check(#Predicate { through.contains($0.count) }) { through.contains($0.count) }
    try world.check(#Predicate { empty.contains($0.count) }, isTrivial: true) { _ in false }
    try world.check(#Predicate { !empty.contains($0.count) }, isTrivial: true) { _ in true }
    try world.check(#Predicate { (start..<end).contains($0.made) }) {
      (start..<end).contains($0.made)
    }
    try world.check(#Predicate { (0.5...3.25).contains($0.price) }) {
      (0.5...3.25).contains($0.price)
    }
    try world.check(#Predicate { (-10..<($0.number)).contains($0.count) }) {
      (-10..<($0.number)).contains($0.count)
    }
    try world.check(#Predicate { $0.rank.flatMap { (low...high).contains($0) } == true }) {
      $0.rank.flatMap { (low...high).contains($0) } == true
    }
  }
}
