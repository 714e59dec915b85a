import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Suite("Forms of predicates: collections")
struct CollectionFormTests {
  @Test("members of captured collections")
  func members() throws {
    let world = try FormWorlds()
    let numbers = [1, 2, 40]
    let set: Set = [1, 2, 5]
    let ranks: [Int?] = [1, nil]
    let some: [Int?] = [1, 2]
    let none: [Int] = []
    let codes = Array(FormValues.codes.prefix(2))
    try world.check(#Predicate { numbers.contains($0.count) }) { numbers.contains($0.count) }
    try world.check(#Predicate { !numbers.contains($0.count) }) { !numbers.contains($0.count) }
    try world.check(#Predicate { set.contains($0.count) }) { set.contains($0.count) }
    try world.check(#Predicate { [1, 2].contains($0.count) }) { [1, 2].contains($0.count) }
    try world.check(#Predicate { ranks.contains($0.rank) }) { ranks.contains($0.rank) }
    try world.check(#Predicate { !ranks.contains($0.rank) }) { !ranks.contains($0.rank) }
    try world.check(#Predicate { some.contains($0.rank) }) { some.contains($0.rank) }
    try world.check(#Predicate { !some.contains($0.rank) }) { !some.contains($0.rank) }
    try world.check(#Predicate { none.contains($0.count) }, isTrivial: true) { _ in false }
    try world.check(#Predicate { !none.contains($0.count) }, isTrivial: true) { _ in true }
    try world.check(#Predicate { codes.contains($0.code) }) { codes.contains($0.code) }
    try world.check(#Predicate { $0.mark.flatMap { codes.contains($0) } == true }) {
      $0.mark.flatMap { codes.contains($0) } == true
    }
    try world.check(#Predicate { numbers.contains($0.count + 1) }) {
      numbers.contains($0.count + 1)
    }
    try world.check(#Predicate { numbers.contains($0.rank ?? 2) }) {
      numbers.contains($0.rank ?? 2)
    }
  }

  @Test("conditions on the members of captured collections")
  func closures() throws {
    let world = try FormWorlds()
    let limits = [1, 3]
    let words = ["Alpha", "x"]
    let prices = ["Alpha": 1.5, "x": 4]
    let none: [Int] = []
    try world.check(#Predicate { item in limits.contains { $0 == item.count } }) { item in
      limits.contains { $0 == item.count }
    }
    try world.check(#Predicate { item in limits.allSatisfy { $0 > item.count } }) { item in
      limits.allSatisfy { $0 > item.count }
    }
    try world.check(#Predicate { item in words.contains { item.title.starts(with: $0) } }) { item in
      words.contains { item.title.starts(with: $0) }
    }
    try world.check(#Predicate { item in !words.contains { item.title.contains($0) } }) { item in
      !words.contains { item.title.contains($0) }
    }
    try world.check(#Predicate { item in none.allSatisfy { $0 > item.count } }, isTrivial: true) {
      _ in true
    }
    try world.check(#Predicate { item in none.contains { $0 > item.count } }, isTrivial: true) {
      _ in false
    }
    try world.check(#Predicate { $0.count > limits[0] }) { $0.count > limits[0] }
    try world.check(#Predicate { $0.count < limits.count }) { $0.count < limits.count }
    try world.check(#Predicate { $0.count == limits.max() ?? 0 }) { $0.count == limits.max() ?? 0 }
    try world.check(#Predicate { $0.count > limits.min() ?? 0 }) { $0.count > limits.min() ?? 0 }
    try world.check(#Predicate { prices[$0.title] == 1.5 }, .memory) { prices[$0.title] == 1.5 }
    try world.check(#Predicate { prices[$0.title] == nil }, .memory) { prices[$0.title] == nil }
    try world.check(#Predicate { prices[$0.title, default: 9] < $0.price }, .memory) {
      prices[$0.title, default: 9] < $0.price
    }
    try world.check(#Predicate { item in limits.filter { $0 < item.count }.count == 1 }, .memory) {
      item in limits.filter { $0 < item.count }.count == 1
    }
  }

  @Test("paths over to-one relationships")
  func toOne() throws {
    let world = try FormWorlds()
    let name: String? = nil
    try world.check(#Predicate { $0.maker == nil }) { $0.maker == nil }
    try world.check(#Predicate { $0.maker != nil }) { $0.maker != nil }
    try world.check(#Predicate { $0.maker?.name == "Ann" }) { $0.maker?.name == "Ann" }
    try world.check(#Predicate { $0.maker?.name != "Ann" }) { $0.maker?.name != "Ann" }
    try world.check(#Predicate { $0.maker?.name == nil }) { $0.maker?.name == nil }
    try world.check(#Predicate { $0.maker?.name == name }) { $0.maker?.name == name }
    try world.check(#Predicate { $0.maker?.founded == 1950 }) { $0.maker?.founded == 1950 }
    try world.check(#Predicate { !($0.maker?.founded == 1950) }) { !($0.maker?.founded == 1950) }
    try world.check(#Predicate { ($0.maker?.founded ?? 0) > 1940 }) {
      ($0.maker?.founded ?? 0) > 1940
    }
    try world.check(#Predicate { $0.maker?.country.contains("d") == true }) {
      $0.maker?.country.contains("d") == true
    }
    try world.check(#Predicate { $0.maker.flatMap { $0.founded > 1940 } == true }) {
      $0.maker.flatMap { $0.founded > 1940 } == true
    }
    try world.check(#Predicate { $0.maker?.name?.isEmpty == false }) {
      $0.maker?.name?.isEmpty == false
    }
    try world.check(#Predicate { $0.maker != nil && $0.maker!.founded > 1940 }) {
      $0.maker != nil && $0.maker!.founded > 1940
    }
    try world.check(#Predicate { $0.maker?.country.count == 2 }, .memory) {
      $0.maker?.country.count == 2
    }
  }

  @Test("conditions on the bytes of data are evaluated in memory")
  func bytes() throws {
    let world = try FormWorlds()
    let byte = UInt8(3)
    try world.check(#Predicate { $0.bytes?.contains(byte) == true }, .memory) {
      $0.bytes?.contains(byte) == true
    }
    try world.check(#Predicate { $0.bytes?.contains { $0 < byte } == true }, .memory) {
      $0.bytes?.contains { $0 < byte } == true
    }
  }

  @Test("conditions on to-many relationships")
  func toMany() throws {
    let world = try FormWorlds()
    let limit = 20
    try world.check(#Predicate { $0.parts.isEmpty }) { $0.parts.isEmpty }
    try world.check(#Predicate { !$0.parts.isEmpty }) { !$0.parts.isEmpty }
    try world.check(#Predicate { $0.parts.isEmpty == false }) { $0.parts.isEmpty == false }
    try world.check(#Predicate { $0.parts.count > 1 }) { $0.parts.count > 1 }
    try world.check(#Predicate { $0.parts.count == $0.count }, isTrivial: true) {
      $0.parts.count == $0.count
    }
    try world.check(#Predicate { $0.parts.contains { $0.isSpare } }) {
      $0.parts.contains { $0.isSpare }
    }
    try world.check(#Predicate { !$0.parts.contains { $0.isSpare } }) {
      !$0.parts.contains { $0.isSpare }
    }
    try world.check(#Predicate { $0.parts.allSatisfy { $0.isSpare } }) {
      $0.parts.allSatisfy { $0.isSpare }
    }
    try world.check(#Predicate { !$0.parts.allSatisfy { $0.weight == nil } }) {
      !$0.parts.allSatisfy { $0.weight == nil }
    }
    try world.check(#Predicate { $0.parts.contains { $0.weight != 1 } }) {
      $0.parts.contains { $0.weight != 1 }
    }
    try world.check(#Predicate { $0.parts.contains { $0.number > limit } }) {
      $0.parts.contains { $0.number > limit }
    }
    try world.check(#Predicate { $0.parts.filter { $0.isSpare }.count > 1 }) {
      $0.parts.filter { $0.isSpare }.count > 1
    }
    try world.check(#Predicate { $0.parts.filter { $0.weight == nil }.isEmpty }) {
      $0.parts.filter { $0.weight == nil }.isEmpty
    }
    try world.check(
      #Predicate { item in item.parts.contains { $0.name == item.title } }, isTrivial: true
    ) { item in item.parts.contains { $0.name == item.title } }
    try world.check(
      #Predicate { item in item.parts.contains { part in part.isSpare && item.isNew } }
    ) { item in item.parts.contains { part in part.isSpare && item.isNew } }
    try world.check(
      #Predicate { $0.parts.contains { $0.item?.maker?.name == "Ann" } }
    ) { $0.parts.contains { $0.item?.maker?.name == "Ann" } }
    try world.check(#Predicate { $0.maker?.items.contains { $0.isNew } == true }) {
      $0.maker?.items.contains { $0.isNew } == true
    }
    try world.check(
      #Predicate { item in
        item.parts.contains { part in part.weight.flatMap { $0 > item.price } == true }
      }
    ) { item in item.parts.contains { part in part.weight.flatMap { $0 > item.price } == true } }
    try world.check(#Predicate { $0.parts.contains { $0.name.count > 5 } }, .memory) {
      $0.parts.contains { $0.name.count > 5 }
    }
  }
}
