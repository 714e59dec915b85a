import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Suite("Forms of predicates: composition at run time")
struct CompositionFormTests {
  @Test("combined predicates are fetched as one")
  func joining() throws {
    let world = try FormWorlds()
    let (isNew, large) = (#Predicate<Item> { $0.isNew }, #Predicate<Item> { $0.count > 2 })
    let noted = #Predicate<Item> { $0.note != nil }
    let none: [Predicate<Item>] = []
    try world.check([isNew, large].conjunction()) { $0.isNew && $0.count > 2 }
    try world.check([isNew, large].disjunction()) { $0.isNew || $0.count > 2 }
    try world.check([isNew, large, noted].conjunction(), isTrivial: true) {
      $0.isNew && $0.count > 2 && $0.note != nil
    }
    try world.check([[isNew, large].conjunction(), noted].disjunction()) {
      $0.isNew && $0.count > 2 || $0.note != nil
    }
    try world.check([isNew].conjunction()) { $0.isNew }
    try world.check(none.conjunction(), isTrivial: true) { _ in true }
    try world.check(none.disjunction(), isTrivial: true) { _ in false }
  }

  @Test("a combined predicate separates the parts that run in memory")
  func joiningInMemory() throws {
    let world = try FormWorlds()
    let (isNew, long) = (#Predicate<Item> { $0.isNew }, #Predicate<Item> { $0.title.count > 3 })
    try world.check([isNew, long].conjunction(), .memory) { $0.isNew && $0.title.count > 3 }
    try world.check([isNew, long].disjunction(), .memory) { $0.isNew || $0.title.count > 3 }
  }

  @Test("a predicate with the variable of another predicate cannot be fetched")
  func foreignVariable() throws {
    let world = try FormWorld(.file)
    let other = #Predicate<Item> { $0.count > 2 }
    let foreign = Predicate<Item> { _ in other.expression }
    let mixed = [#Predicate<Item> { $0.title.count > 3 }, foreign].conjunction()
    for predicate in [foreign, mixed] {
      #expect(throws: SwiftDataError.unsupportedPredicate) {
        try world.context.fetch(FetchDescriptor(predicate: predicate))
      }
    }
  }

  @Test("thousands of predicates are combined, fetched and evaluated")
  func joiningThousands() throws {
    let world = try FormWorld(.file)
    let numbers = 10..<5_010
    let equal = numbers.map { number in #Predicate<Item> { $0.number == number } }
    let different = numbers.map { number in #Predicate<Item> { $0.number != number } }
    let (either, neither) = (equal.disjunction(), different.conjunction())
    #expect(try world.numbers(either, inMemory: false) == Array(10..<world.items.count))
    #expect(try world.numbers(neither, inMemory: false) == Array(0..<10))
    let item = try #require(world.items.first { $0.number == 0 })
    #expect(try either.evaluate(item) == false)
    #expect(try neither.evaluate(item))
  }

  @Test("a predicate inside another predicate, also for the destination of a relationship")
  func nesting() throws {
    let world = try FormWorlds()
    let isNew = #Predicate<Item> { $0.isNew }
    let isOld = #Predicate<Maker> { $0.founded < 1940 }
    try world.check(
      Predicate<Item> { item in
        PredicateExpressions.build_Negation(PredicateExpressions.build_evaluate(isNew, item))
      }
    ) { !$0.isNew }
    try world.check(
      Predicate<Item> { item in
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.build_flatMap(
            PredicateExpressions.build_KeyPath(root: item, keyPath: \.maker)
          ) { PredicateExpressions.build_evaluate(isOld, $0) },
          rhs: PredicateExpressions.build_Arg(Bool?.some(true)))
      }
    ) { $0.maker.map { $0.founded < 1940 } == true }
  }

  @Test("types are tested and cast in memory")
  func types() throws {
    let world = try FormWorlds()
    try world.check(#Predicate { ($0.maker as AnyObject?) is Maker }, .memory) { $0.maker != nil }
    try world.check(#Predicate { ($0.rank as Any) is Int }, .memory) { $0.rank != nil }
    try world.check(#Predicate { ($0.maker as AnyObject? as? Maker)?.founded == 1950 }, .memory) {
      $0.maker?.founded == 1950
    }
  }

  @Test("a property that is not stored causes an error that names it, also in mixed conditions")
  func notStored() throws {
    let world = try FormWorld(.file)
    for predicate in [
      #Predicate<Item> { $0.shout == "X" },
      #Predicate<Item> { $0.title.count > 3 && $0.shout == "X" },
    ] {
      #expect(throws: SwiftDataError.unsupportedKeyPath) {
        try world.numbers(predicate, inMemory: true)
      }
    }
  }
}
