import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Suite("Forms of predicates: comparisons")
struct ComparisonFormTests {
  @Test("comparisons of integers")
  func integers() throws {
    let world = try FormWorlds()
    let (limit, small) = (3, Int16(2))
    try world.check(#Predicate { $0.count == limit }) { $0.count == limit }
    try world.check(#Predicate { $0.count != limit }) { $0.count != limit }
    try world.check(#Predicate { $0.count < limit }) { $0.count < limit }
    try world.check(#Predicate { $0.count <= limit }) { $0.count <= limit }
    try world.check(#Predicate { $0.count > limit }) { $0.count > limit }
    try world.check(#Predicate { $0.count >= limit }) { $0.count >= limit }
    try world.check(#Predicate { limit > $0.count }) { limit > $0.count }
    try world.check(#Predicate { $0.count == -2 }) { $0.count == -2 }
    try world.check(#Predicate { $0.small < small }) { $0.small < small }
    try world.check(#Predicate { $0.small == 1 }) { $0.small == 1 }
    try world.check(#Predicate { !($0.count < limit) }) { !($0.count < limit) }
    try world.check(#Predicate { $0.count < $0.number }) { $0.count < $0.number }
    try world.check(#Predicate { $0.count == $0.number }, isTrivial: true) { $0.count == $0.number }
  }

  @Test("comparisons of floating-point numbers, including zero and infinity")
  func reals() throws {
    let world = try FormWorlds()
    let (limit, zero, infinite) = (1.25, -0.0, Double.infinity)
    try world.check(#Predicate { $0.price == limit }, isTrivial: true) { $0.price == limit }
    try world.check(#Predicate { $0.price != limit }, isTrivial: true) { $0.price != limit }
    try world.check(#Predicate { $0.price < limit }) { $0.price < limit }
    try world.check(#Predicate { $0.price >= limit }) { $0.price >= limit }
    try world.check(#Predicate { !($0.price <= limit) }) { !($0.price <= limit) }
    try world.check(#Predicate { $0.price < zero }) { $0.price < zero }
    try world.check(#Predicate { $0.price == zero }, isTrivial: true) { $0.price == zero }
    try world.check(#Predicate { $0.price < infinite }, isTrivial: true) { $0.price < infinite }
    try world.check(#Predicate { $0.price > 6 }) { $0.price > 6 }
    try world.check(#Predicate { $0.discount == 0.25 }, isTrivial: true) { $0.discount == 0.25 }
    try world.check(#Predicate { $0.discount != 0.25 }) { $0.discount != 0.25 }
  }

  @Test("NaN equals nothing and is unordered; Swift evaluates it")
  func notANumber() throws {
    let world = try FormWorlds()
    let odd = FormValues.notANumber
    try world.check(#Predicate { $0.price == odd }, .memory, isTrivial: true) { $0.price == odd }
    try world.check(#Predicate { $0.price != odd }, .memory, isTrivial: true) { $0.price != odd }
    try world.check(#Predicate { $0.price < odd }, .memory, isTrivial: true) { $0.price < odd }
    try world.check(#Predicate { !($0.price < odd) }, .memory, isTrivial: true) {
      !($0.price < odd)
    }
    try world.check(#Predicate { $0.isNew && $0.price != odd }, .memory) {
      $0.isNew && $0.price != odd
    }
  }

  @Test("Boolean values")
  func truth() throws {
    let world = try FormWorlds()
    let (yes, no) = (true, false)
    try world.check(#Predicate { $0.isNew }) { $0.isNew }
    try world.check(#Predicate { !$0.isNew }) { !$0.isNew }
    try world.check(#Predicate { $0.isNew == yes }) { $0.isNew == yes }
    try world.check(#Predicate { $0.isNew == no }) { $0.isNew == no }
    try world.check(#Predicate { $0.isNew != true }) { $0.isNew != true }
    try world.check(#Predicate { $0.isSold == true }) { $0.isSold == true }
    try world.check(#Predicate { $0.isSold == false }) { $0.isSold == false }
    try world.check(#Predicate { $0.isSold != true }) { $0.isSold != true }
    try world.check(#Predicate { $0.isSold == nil }) { $0.isSold == nil }
    try world.check(#Predicate { $0.isSold ?? false }) { $0.isSold ?? false }
    try world.check(#Predicate { !($0.isSold ?? true) }) { !($0.isSold ?? true) }
    try world.check(#Predicate { $0.isNew == ($0.count > 2) }) { $0.isNew == ($0.count > 2) }
    try world.check(#Predicate { _ in yes }, isTrivial: true) { _ in true }
    try world.check(#Predicate { _ in false }, isTrivial: true) { _ in false }
  }

  @Test("dates, identifiers and data")
  func otherTypes() throws {
    let world = try FormWorlds()
    let date = Date(timeIntervalSinceReferenceDate: 4_000)
    let code = FormValues.codes[2]
    let bytes = Data([1, 7])
    let someDate: Date? = date
    try world.check(#Predicate { $0.made == date }, isTrivial: true) { $0.made == date }
    try world.check(#Predicate { $0.made < date }) { $0.made < date }
    try world.check(#Predicate { $0.made >= date }) { $0.made >= date }
    try world.check(#Predicate { !($0.made > date) }) { !($0.made > date) }
    try world.check(#Predicate { $0.sold == date }, isTrivial: true) { $0.sold == date }
    try world.check(#Predicate { $0.sold != someDate }) { $0.sold != someDate }
    try world.check(#Predicate { $0.sold == nil }) { $0.sold == nil }
    try world.check(#Predicate { $0.code == code }) { $0.code == code }
    try world.check(#Predicate { $0.code != code }) { $0.code != code }
    try world.check(#Predicate { $0.code < code }) { $0.code < code }
    try world.check(#Predicate { $0.mark == code }) { $0.mark == code }
    try world.check(#Predicate { $0.mark != code }) { $0.mark != code }
    try world.check(#Predicate { $0.bytes == bytes }) { $0.bytes == bytes }
    try world.check(#Predicate { $0.bytes != bytes }) { $0.bytes != bytes }
    try world.check(#Predicate { $0.bytes == nil }) { $0.bytes == nil }
  }
}
