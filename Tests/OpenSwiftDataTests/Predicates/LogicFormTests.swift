import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Suite("Forms of predicates: logic and optionals")
struct LogicFormTests {
  @Test("and, or, not, and choices")
  func logic() throws {
    let world = try FormWorlds()
    try world.check(#Predicate { $0.isNew && $0.count > 1 }) { $0.isNew && $0.count > 1 }
    try world.check(#Predicate { $0.isNew || $0.count > 1 }) { $0.isNew || $0.count > 1 }
    try world.check(#Predicate { !($0.isNew && $0.count > 1) }) { !($0.isNew && $0.count > 1) }
    try world.check(#Predicate { !($0.isNew || $0.note == "x") }) { !($0.isNew || $0.note == "x") }
    try world.check(#Predicate { !(!$0.isNew) }) { !(!$0.isNew) }
    try world.check(#Predicate { ($0.count > 1) == ($0.price > 1) }) {
      ($0.count > 1) == ($0.price > 1)
    }
    try world.check(#Predicate { ($0.count > 1) != ($0.price > 1) }) {
      ($0.count > 1) != ($0.price > 1)
    }
    try world.check(#Predicate { $0.isNew ? $0.count > 1 : $0.price > 1 }) {
      $0.isNew ? $0.count > 1 : $0.price > 1
    }
    try world.check(#Predicate { !($0.isNew ? $0.count > 1 : $0.rank == nil) }) {
      !($0.isNew ? $0.count > 1 : $0.rank == nil)
    }
    try world.check(#Predicate { ($0.isNew ? $0.count : 2) > 1 }) { ($0.isNew ? $0.count : 2) > 1 }
    try world.check(#Predicate { ($0.rank == nil ? "none" : $0.title) == "none" }) {
      ($0.rank == nil ? "none" : $0.title) == "none"
    }
    try world.check(
      #Predicate {
        if $0.isNew { $0.count > 1 } else if $0.count < 0 { true } else { $0.note == nil }
      }
    ) { $0.isNew ? $0.count > 1 : $0.count < 0 ? true : $0.note == nil }
  }

  @Test("captured values that determine the result")
  func captured() throws {
    let world = try FormWorlds()
    let (filter, all): (String?, Bool) = (nil, false)
    try world.check(#Predicate { all || $0.isNew }) { all || $0.isNew }
    try world.check(#Predicate { !all && $0.isNew }) { !all && $0.isNew }
    try world.check(#Predicate { filter == nil || $0.note == filter }, isTrivial: true) {
      filter == nil || $0.note == filter
    }
    try world.check(#Predicate { $0.note == filter }) { $0.note == filter }
    try world.check(#Predicate { $0.note != filter }) { $0.note != filter }
    try world.check(#Predicate { $0.isNew && 3 > 2 }) { $0.isNew }
  }

  @Test("comparisons of optionals")
  func optionals() throws {
    let world = try FormWorlds()
    let (one, none): (Int?, Int?) = (1, nil)
    let plain = 1
    try world.check(#Predicate { $0.rank == nil }) { $0.rank == nil }
    try world.check(#Predicate { $0.rank != nil }) { $0.rank != nil }
    try world.check(#Predicate { nil == $0.rank }) { nil == $0.rank }
    try world.check(#Predicate { $0.rank == one }) { $0.rank == one }
    try world.check(#Predicate { $0.rank != one }) { $0.rank != one }
    try world.check(#Predicate { !($0.rank == one) }) { !($0.rank == one) }
    try world.check(#Predicate { !($0.rank != one) }) { !($0.rank != one) }
    try world.check(#Predicate { $0.rank == none }) { $0.rank == none }
    try world.check(#Predicate { $0.rank != none }) { $0.rank != none }
    try world.check(#Predicate { $0.rank == plain }) { $0.rank == plain }
    try world.check(#Predicate { $0.mark == nil && $0.rank == nil }) {
      $0.mark == nil && $0.rank == nil
    }
    try world.check(#Predicate { ($0.rank == nil) == ($0.note == nil) }) {
      ($0.rank == nil) == ($0.note == nil)
    }
  }

  @Test("values in place of nil")
  func coalescing() throws {
    let world = try FormWorlds()
    let fallback = 2
    try world.check(#Predicate { ($0.rank ?? 0) > 1 }) { ($0.rank ?? 0) > 1 }
    try world.check(#Predicate { ($0.rank ?? fallback) == 2 }) { ($0.rank ?? fallback) == 2 }
    try world.check(#Predicate { !(($0.rank ?? fallback) == 2) }) { !(($0.rank ?? fallback) == 2) }
    try world.check(#Predicate { ($0.rank ?? $0.count) > 1 }) { ($0.rank ?? $0.count) > 1 }
    try world.check(#Predicate { ($0.note ?? "x") == "x" }) { ($0.note ?? "x") == "x" }
    try world.check(#Predicate { ($0.note ?? $0.title) == $0.title }) {
      ($0.note ?? $0.title) == $0.title
    }
    try world.check(#Predicate { ($0.discount ?? 0) < 0.3 }) { ($0.discount ?? 0) < 0.3 }
    try world.check(#Predicate { ($0.sold ?? $0.made) == $0.made }) {
      ($0.sold ?? $0.made) == $0.made
    }
    try world.check(#Predicate { ($0.maker?.name ?? "none") == "none" }) {
      ($0.maker?.name ?? "none") == "none"
    }
  }

  @Test("flatMap, if let, and unwrapping after a test")
  func unwrapping() throws {
    let world = try FormWorlds()
    try world.check(#Predicate { $0.rank.flatMap { $0 > 1 } ?? false }) {
      $0.rank.flatMap { $0 > 1 } ?? false
    }
    try world.check(#Predicate { $0.rank.flatMap { $0 > 1 } == true }) {
      $0.rank.flatMap { $0 > 1 } == true
    }
    try world.check(#Predicate { $0.rank.flatMap { $0 > 1 } != true }) {
      $0.rank.flatMap { $0 > 1 } != true
    }
    try world.check(#Predicate { $0.rank.flatMap { $0 > 1 } == nil }) {
      $0.rank.flatMap { $0 > 1 } == nil
    }
    try world.check(#Predicate { $0.rank.flatMap { $0 + 1 } == 2 }) {
      $0.rank.flatMap { $0 + 1 } == 2
    }
    try world.check(#Predicate { $0.rank.flatMap { $0 + 1 } != 2 }) {
      $0.rank.flatMap { $0 + 1 } != 2
    }
    try world.check(
      #Predicate { item in item.rank.flatMap { $0 == item.count } == true },
      isTrivial: true
    ) { item in item.rank.flatMap { $0 == item.count } == true }
    try world.check(#Predicate { $0.rank != nil && $0.rank! > 1 }) {
      $0.rank != nil && $0.rank! > 1
    }
    try world.check(#Predicate { $0.rank == nil || $0.rank! > 1 }) {
      $0.rank == nil || $0.rank! > 1
    }
    try world.check(#Predicate { if let rank = $0.rank { rank > 1 } else { $0.isNew } }) {
      if let rank = $0.rank { rank > 1 } else { $0.isNew }
    }
    try world.check(#Predicate { if let note = $0.note { note.contains("x") } else { false } }) {
      if let note = $0.note { note.contains("x") } else { false }
    }
    try world.check(#Predicate { $0.note?.isEmpty == true }) { $0.note?.isEmpty == true }
    try world.check(#Predicate { $0.note?.isEmpty ?? true }) { $0.note?.isEmpty ?? true }
  }

  @Test("unwrapping nil, overflow and division by zero find nothing, in a store and in memory")
  func withoutValue() throws {
    let (zero, great) = (0, Int.max)
    let title = "x"
    let predicates: [Predicate<Item>] = [
      #Predicate { $0.rank == nil && $0.rank! > 1 },
      #Predicate { $0.rank == nil && !($0.rank! > 1) },
      #Predicate { $0.rank == nil && $0.rank! > 1 && $0.title.count > 100 },
      #Predicate { $0.count / zero == 1 },
      #Predicate { !($0.count % zero == 1) },
      #Predicate { $0.count / zero == 1 && $0.title.count >= 0 },
      #Predicate { $0.title.count + great > 1 && $0.title.count > 0 },
      #Predicate { ($0.title.count...0).contains(3) && $0.title != title },
    ]
    for world in try FormWorlds().worlds {
      for predicate in predicates {
        let found = try world.numbers(predicate, inMemory: true)
        #expect(found == [])
      }
      // The other side determines the result.
      let decided = #Predicate<Item> { $0.rank! > 1 || $0.title.count >= 0 }
      #expect(try world.numbers(decided, inMemory: true).count == world.items.count)
    }
  }
}
