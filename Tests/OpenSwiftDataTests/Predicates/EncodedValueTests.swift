import Foundation
import OpenSwiftData
import Testing

@Model
final class Crate {
  var number: Int
  var moods: [Mood]
  var points: [Point]
  var liked: Set<Mood>?
  @Attribute(.codable) var whole: Point?
  var owner: Wrapped
  var receiver: Wrapped?
  var flags: Flags

  init(number: Int) {
    self.number = number
    moods = number % 3 == 0 ? [] : number % 2 == 0 ? [Mood.happy, .sad] : [Mood.sad]
    points = number % 2 == 0 ? [Point(x: Double(number), y: 1)] : []
    liked = number % 3 == 0 ? nil : Set(number % 2 == 0 ? [Mood.happy] : [Mood.sad, .other])
    whole = number % 4 == 0 ? nil : Point(x: Double(number % 3), y: 0)
    owner = Wrapped(rawValue: number % 2 == 0 ? "a" : "b")
    receiver = number % 3 == 1 ? nil : Wrapped(rawValue: "c")
    flags = Flags(rawValue: number % 3)
  }
}

@Suite("Encoded values and structures with raw values in predicates")
struct EncodedValueTests {
  /// The place where a predicate is evaluated.
  private enum Place { case store, memory }

  /// Expects that fetches, in memory and in a file, find what the same filter in Swift finds.
  private func check(
    _ predicate: Predicate<Crate>, _ place: Place,
    sourceLocation: SourceLocation = #_sourceLocation, _ plain: (Crate) -> Bool
  ) throws {
    for inMemory in [false, true] {
      let context = try Library.context(Schema([Crate.self]), inMemory: inMemory)
      for number in 0..<8 {
        if number == 6 { try context.save() }
        context.insert(Crate(number: number))
      }
      let all = try context.fetch(FetchDescriptor<Crate>())
      #expect(all.count == 8, sourceLocation: sourceLocation)
      let wanted = all.filter(plain).map(\.number).sorted()
      #expect(!wanted.isEmpty && wanted.count < 8, "trivial", sourceLocation: sourceLocation)
      var descriptor = FetchDescriptor(predicate: predicate)
      let found = try context.fetch(descriptor).map(\.number).sorted()
      #expect(found == wanted, sourceLocation: sourceLocation)
      #expect(
        try context.fetchCount(descriptor) == wanted.count, sourceLocation: sourceLocation)
      descriptor.allowsEvaluationInMemory = false
      switch place {
      case .store:
        #expect(
          try context.fetchCount(descriptor) == wanted.count, sourceLocation: sourceLocation)
      case .memory:
        #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
          try context.fetch(descriptor)
        }
      }
    }
  }

  @Test("collections of enumerations and structures")
  func collections() throws {
    let (happy, sad) = (Mood.happy, [Mood.sad])
    try check(#Predicate { $0.moods.contains(happy) }, .memory) { $0.moods.contains(happy) }
    try check(#Predicate { $0.moods.count == 2 }, .memory) { $0.moods.count == 2 }
    try check(#Predicate { $0.moods.isEmpty }, .memory) { $0.moods.isEmpty }
    try check(#Predicate { $0.moods == sad }, .memory) { $0.moods == sad }
    try check(#Predicate { $0.number > 1 && $0.moods == sad }, .memory) {
      $0.number > 1 && $0.moods == sad
    }
    try check(#Predicate { $0.points.contains { $0.x > 2 } }, .memory) {
      $0.points.contains { $0.x > 2 }
    }
    try check(#Predicate { $0.liked?.contains(happy) == true }, .memory) {
      $0.liked?.contains(happy) == true
    }
  }

  @Test("a structure that is encoded as a whole")
  func structures() throws {
    let point = Point(x: 1, y: 0)
    try check(#Predicate { $0.whole == point }, .memory) { $0.whole == point }
    try check(#Predicate { $0.whole?.x == 1 }, .memory) { $0.whole?.x == 1 }
  }

  @Test("a store compares an encoded value with nil")
  func comparisonsWithNil() throws {
    try check(#Predicate { $0.liked == nil }, .store) { $0.liked == nil }
    try check(#Predicate { $0.liked != nil }, .store) { $0.liked != nil }
    try check(#Predicate { $0.whole == nil }, .store) { $0.whole == nil }
  }

  @Test("structures with raw values and option sets")
  func rawValues() throws {
    let (owner, receiver) = (Wrapped(rawValue: "b"), Wrapped(rawValue: "c"))
    let (owners, flags) = ([owner], Flags(rawValue: 1))
    try check(#Predicate { $0.owner == owner }, .memory) { $0.owner == owner }
    try check(#Predicate { $0.owner != owner }, .memory) { $0.owner != owner }
    try check(#Predicate { owners.contains($0.owner) }, .memory) { owners.contains($0.owner) }
    try check(#Predicate { $0.receiver == receiver }, .memory) { $0.receiver == receiver }
    try check(#Predicate { $0.receiver == nil }, .memory) { $0.receiver == nil }
    try check(#Predicate { $0.flags == flags }, .memory) { $0.flags == flags }
    try check(#Predicate { $0.owner.rawValue == "b" }, .store) { $0.owner.rawValue == "b" }
  }
}
