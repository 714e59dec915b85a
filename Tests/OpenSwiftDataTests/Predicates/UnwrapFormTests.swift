import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Suite("Forms of predicates: forced unwraps that fail (D-350)")
struct UnwrapFormTests {
  private let worlds: FormWorlds

  init() throws { worlds = try FormWorlds() }

  /// Expects that a condition and its negation select items as the same condition in Swift, and that
  /// neither selects an item for which an unwrap fails.
  ///
  /// - Parameter plain: The condition in Swift; nil if an unwrap fails.
  private func check(
    _ predicate: Predicate<Item>, _ negation: Predicate<Item>,
    sourceLocation: SourceLocation = #_sourceLocation, _ plain: (Item) -> Bool?
  ) throws {
    for world in worlds.worlds {
      for (predicate, result) in [(predicate, true), (negation, false)] {
        let wanted = world.items.filter { plain($0) == result }.map(\.number)
        let found = try world.numbers(predicate, inMemory: false)
        #expect(found == wanted, "\(result)", sourceLocation: sourceLocation)
        let evaluated = world.items.filter { (try? predicate.evaluate($0)) == true }.map(\.number)
        #expect(evaluated == wanted, "evaluated, \(result)", sourceLocation: sourceLocation)
      }
      #expect(world.items.contains { plain($0) == nil }, sourceLocation: sourceLocation)
    }
  }

  @Test("tests for nil behind an unwrap do not select an object without the unwrapped value")
  func nilTests() throws {
    let none: String? = nil
    try check(#Predicate { $0.maker!.name == nil }, #Predicate { !($0.maker!.name == nil) }) {
      $0.maker.map { $0.name == nil }
    }
    try check(#Predicate { $0.maker!.name != nil }, #Predicate { !($0.maker!.name != nil) }) {
      $0.maker.map { $0.name != nil }
    }
    try check(#Predicate { $0.maker!.name == none }, #Predicate { !($0.maker!.name == none) }) {
      $0.maker.map { $0.name == none }
    }
    try check(#Predicate { $0.maker!.name == "Ann" }, #Predicate { !($0.maker!.name == "Ann") }) {
      $0.maker.map { $0.name == "Ann" }
    }
    try check(
      #Predicate { ($0.maker!.name ?? "") == "" }, #Predicate { ($0.maker!.name ?? "") != "" }
    ) { $0.maker.map { ($0.name ?? "") == "" } }
    try check(
      #Predicate { $0.maker!.name?.isEmpty == nil },
      #Predicate { !($0.maker!.name?.isEmpty == nil) }
    ) { $0.maker.map { $0.name?.isEmpty == nil } }
  }

  @Test("comparisons of an unwrapped value do not select an object without the value")
  func comparisons() throws {
    try check(#Predicate { $0.rank! > 1 }, #Predicate { !($0.rank! > 1) }) {
      $0.rank.map { $0 > 1 }
    }
    try check(#Predicate { $0.rank! != 2 }, #Predicate { !($0.rank! != 2) }) {
      $0.rank.map { $0 != 2 }
    }
    try check(#Predicate { $0.isSold! }, #Predicate { !$0.isSold! }) { $0.isSold }
    try check(#Predicate { $0.note!.isEmpty }, #Predicate { !$0.note!.isEmpty }) {
      $0.note.map(\.isEmpty)
    }
    try check(#Predicate { $0.note!.contains("x") }, #Predicate { !$0.note!.contains("x") }) {
      $0.note.map { $0.contains("x") }
    }
    try check(
      #Predicate { $0.maker!.founded > 1940 }, #Predicate { !($0.maker!.founded > 1940) }
    ) { $0.maker.map { $0.founded > 1940 } }
  }

  @Test("conditions on a collection behind an unwrap do not select an object without the owner")
  func collections() throws {
    try check(#Predicate { $0.maker!.items.isEmpty }, #Predicate { !$0.maker!.items.isEmpty }) {
      $0.maker.map { $0.items.isEmpty }
    }
    try check(
      #Predicate { $0.maker!.items.allSatisfy { $0.number >= 0 } },
      #Predicate { !$0.maker!.items.allSatisfy { $0.number >= 0 } }
    ) { item in item.maker.map { maker in maker.items.allSatisfy { $0.number >= 0 } } }
    try check(
      #Predicate { $0.maker!.items.contains { $0.number < 0 } },
      #Predicate { !$0.maker!.items.contains { $0.number < 0 } }
    ) { item in item.maker.map { maker in maker.items.contains { $0.number < 0 } } }
  }

  @Test("an object matches if the other side of a condition determines the result")
  func determined() throws {
    try check(
      #Predicate { $0.isNew || $0.maker!.name == nil },
      #Predicate { !($0.isNew || $0.maker!.name == nil) }
    ) { item in item.isNew ? true : item.maker.map { $0.name == nil } }
    try check(
      #Predicate { ($0.rank ?? $0.maker!.founded) > 1940 },
      #Predicate { !(($0.rank ?? $0.maker!.founded) > 1940) }
    ) { item in item.rank.map { $0 > 1940 } ?? item.maker.map { $0.founded > 1940 } }
    try check(
      #Predicate { ($0.isNew ? $0.rank! : 2) > 1 }, #Predicate { !(($0.isNew ? $0.rank! : 2) > 1) }
    ) { item in item.isNew ? item.rank.map { $0 > 1 } : true }
  }

  @Test("elements for which an unwrap fails satisfy neither a condition nor its negation")
  func elements() throws {
    for world in worlds.worlds {
      func found(_ predicate: Predicate<Item>) throws -> [Int] {
        try world.numbers(predicate, inMemory: false)
      }
      func wanted(_ isWanted: ([Double?]) -> Bool) -> [Int] {
        world.items.filter { isWanted($0.parts.map(\.weight)) }.map(\.number)
      }
      // `evaluate` may throw at an element before it finds another that determines the result.
      #expect(
        try found(#Predicate { $0.parts.allSatisfy { $0.weight! >= 1 } })
          == wanted { $0.allSatisfy { weight in weight.map { $0 >= 1 } ?? false } })
      #expect(
        try found(#Predicate { !$0.parts.allSatisfy { $0.weight! >= 1 } })
          == wanted { $0.contains { weight in weight.map { $0 < 1 } ?? false } })
      #expect(
        try found(#Predicate { $0.parts.contains { $0.weight! >= 1 } })
          == wanted { $0.contains { weight in weight.map { $0 >= 1 } ?? false } })
      #expect(
        try found(#Predicate { !$0.parts.contains { $0.weight! >= 1 } })
          == wanted { $0.allSatisfy { weight in weight.map { $0 < 1 } ?? false } })
      #expect(world.items.contains { $0.parts.contains { $0.weight == nil } })
    }
  }

  @Test("in memory, elements for which an unwrap fails satisfy no condition and no negation")
  func elementsInMemory() throws {
    for world in worlds.worlds {
      // No store counts the characters of a string.
      func found(_ predicate: Predicate<Item>) throws -> [Int] {
        try world.numbers(predicate, inMemory: true)
      }
      func wanted(_ isWanted: ([Double?]) -> Bool) -> [Int] {
        world.items.filter { isWanted($0.parts.map(\.weight)) }.map(\.number)
      }
      #expect(
        try found(#Predicate { $0.parts.allSatisfy { $0.weight! >= 1 && $0.name.count >= 0 } })
          == wanted { $0.allSatisfy { weight in weight.map { $0 >= 1 } ?? false } })
      #expect(
        try found(#Predicate { !$0.parts.contains { $0.weight! >= 1 && $0.name.count >= 0 } })
          == wanted { $0.allSatisfy { weight in weight.map { $0 < 1 } ?? false } })
    }
  }

  @Test("tests for nil behind an unwrapped structure do not select an object without the structure")
  func structures() throws {
    for inMemory in [false, true] {
      let context = try Residents.context(inMemory: inMemory)
      let all = try context.fetch(FetchDescriptor<Resident>())
      func numbers(_ predicate: Predicate<Resident>, _ allowsMemory: Bool = true) throws -> [Int] {
        var descriptor = FetchDescriptor(predicate: predicate)
        descriptor.allowsEvaluationInMemory = allowsMemory
        return try context.fetch(descriptor).map(\.number).sorted()
      }
      func wanted(_ isWanted: (Address) -> Bool) -> [Int] {
        all.filter { $0.second.map(isWanted) ?? false }.map(\.number).sorted()
      }
      #expect(try numbers(#Predicate { $0.second!.floor == nil }) == wanted { $0.floor == nil })
      #expect(try numbers(#Predicate { $0.second!.floor != 2 }) == wanted { $0.floor != 2 })
      #expect(try numbers(#Predicate { $0.second!.floor == 2 }, false) == wanted { $0.floor == 2 })
      #expect(
        try numbers(#Predicate { $0.second!.city == "Rom" }, false) == wanted { $0.city == "Rom" })
      #expect(all.contains { $0.second == nil })
    }
  }
}
