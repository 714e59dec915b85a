import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Suite("Forms of predicates: texts")
struct TextFormTests {
  @Test("equality, regardless of Unicode normalization")
  func equality() throws {
    let world = try FormWorlds()
    let (composed, decomposed) = ("\u{E9}t\u{E9}", "e\u{301}te\u{301}")
    let texts = ["x", composed, "u\u{308}ber"]
    try world.check(#Predicate { $0.title == "Alpha" }) { $0.title == "Alpha" }
    try world.check(#Predicate { $0.title != "Alpha" }) { $0.title != "Alpha" }
    try world.check(#Predicate { $0.title == "" }) { $0.title == "" }
    try world.check(#Predicate { $0.title == composed }) { $0.title == composed }
    try world.check(#Predicate { $0.title == decomposed }) { $0.title == decomposed }
    try world.check(#Predicate { $0.title != composed }) { $0.title != composed }
    try world.check(#Predicate { $0.note == "\u{FC}ber" }) { $0.note == "\u{FC}ber" }
    try world.check(#Predicate { $0.note != "\u{FC}ber" }) { $0.note != "\u{FC}ber" }
    try world.check(#Predicate { texts.contains($0.title) }) { texts.contains($0.title) }
    try world.check(#Predicate { !texts.contains($0.title) }) { !texts.contains($0.title) }
    try world.check(#Predicate { $0.title < "b" }) { $0.title < "b" }
    try world.check(#Predicate { $0.title >= "Gamma" }) { $0.title >= "Gamma" }
  }

  @Test("a range of strings has the order of strings")
  func ranges() throws {
    let world = try FormWorlds()
    let (low, high) = ("a", "f")
    let captured = low...high
    try world.check(#Predicate { (low..<high).contains($0.title) }) {
      (low..<high).contains($0.title)
    }
    try world.check(#Predicate { !(low..<high).contains($0.title) }) {
      !(low..<high).contains($0.title)
    }
    try world.check(#Predicate { captured.contains($0.title) }) { captured.contains($0.title) }
  }

  @Test("parts of texts match only at character boundaries")
  func parts() throws {
    let world = try FormWorlds()
    let (part, none, mark) = ("lph", "", "\u{E9}")
    try world.check(#Predicate { $0.title.contains(part) }) { $0.title.contains(part) }
    try world.check(#Predicate { !$0.title.contains(part) }) { !$0.title.contains(part) }
    try world.check(#Predicate { $0.title.contains("%") }) { $0.title.contains("%") }
    try world.check(#Predicate { $0.title.contains("_") }) { $0.title.contains("_") }
    try world.check(#Predicate { $0.title.contains("e") }) { $0.title.contains("e" as Character) }
    try world.check(#Predicate { $0.title.contains(mark) }) {
      $0.title.contains("\u{E9}" as Character)
    }
    try world.check(#Predicate { $0.title.contains("Z") }, isTrivial: true) {
      $0.title.contains("Z" as Character)
    }
    try world.check(#Predicate { $0.title.contains("\n") }, isTrivial: true) { _ in false }
    try world.check(#Predicate { $0.title.contains("\r\n") }) {
      $0.title.contains("\r\n" as Character)
    }
    try world.check(#Predicate { $0.title.contains(none) }, isTrivial: true) { _ in true }
    try world.check(#Predicate { $0.title.contains($0.note ?? "zz") }) {
      Self.hasPart($0.title, $0.note ?? "zz")
    }
    try world.check(#Predicate { $0.note.flatMap { $0.contains("o") } == true }) {
      $0.note.flatMap { $0.contains("o") } == true
    }
    try world.check(#Predicate { $0.note?.contains("o") != true }) {
      $0.note?.contains("o") != true
    }
    try world.check(#Predicate { "Alphabet soup".contains($0.title) }) {
      Self.hasPart("Alphabet soup", $0.title)
    }
  }

  private static func hasPart(_ text: String, _ part: String) -> Bool {
    part.isEmpty
      || text.indices.contains { text[$0...].count >= part.count && text[$0...].starts(with: part) }
  }

  @Test("prefixes of texts")
  func beginnings() throws {
    let world = try FormWorlds()
    let (prefix, none) = ("Al", "")
    try world.check(#Predicate { $0.title.starts(with: prefix) }) { $0.title.starts(with: prefix) }
    try world.check(#Predicate { !$0.title.starts(with: prefix) }) {
      !$0.title.starts(with: prefix)
    }
    try world.check(#Predicate { $0.title.starts(with: "e") }, isTrivial: true) {
      $0.title.starts(with: "e")
    }
    try world.check(#Predicate { $0.title.starts(with: "\u{E9}") }) {
      $0.title.starts(with: "\u{E9}")
    }
    try world.check(#Predicate { $0.title.starts(with: "50%_") }) { $0.title.starts(with: "50%_") }
    try world.check(#Predicate { $0.title.starts(with: none) }, isTrivial: true) { _ in true }
    try world.check(#Predicate { $0.title.starts(with: $0.note ?? "A") }) {
      $0.title.starts(with: $0.note ?? "A")
    }
    try world.check(#Predicate { $0.title.starts(with: "a\r") }, isTrivial: true) { _ in false }
  }

  @Test("localized searches")
  func searching() throws {
    let world = try FormWorlds()
    let (same, before, behind) = (
      ComparisonResult.orderedSame, ComparisonResult.orderedAscending,
      ComparisonResult.orderedDescending
    )
    try world.check(#Predicate { $0.title.localizedStandardContains("ALPHA") }) {
      $0.title.lowercased().contains("alpha")
    }
    try world.check(#Predicate { $0.title.localizedStandardContains("ete") }) {
      $0.title == "\u{E9}t\u{E9}"
    }
    try world.check(#Predicate { !$0.title.localizedStandardContains("strasse") }) {
      $0.title != "Stra\u{DF}e"
    }
    try world.check(#Predicate { $0.note?.localizedStandardContains("X") == true }) {
      $0.note?.lowercased().contains("x") == true
    }
    try world.check(#Predicate { $0.title.caseInsensitiveCompare("alpha") == same }) {
      $0.title.lowercased() == "alpha"
    }
    try world.check(#Predicate { $0.title.caseInsensitiveCompare("alpha") != same }) {
      $0.title.lowercased() != "alpha"
    }
    try world.check(#Predicate { $0.title.caseInsensitiveCompare("b") == before }) {
      $0.title.lowercased() < "b"
    }
    try world.check(#Predicate { $0.note?.caseInsensitiveCompare("NOTE") == same }) {
      $0.note?.lowercased() == "note"
    }
    try world.check(#Predicate { $0.title.localizedCompare("x") == same }) {
      $0.title.localizedCompare("x") == .orderedSame
    }
    try world.check(#Predicate { $0.title.localizedCompare("Gamma") == behind }) {
      $0.title.localizedCompare("Gamma") == .orderedDescending
    }
    try world.check(#Predicate { !($0.title.localizedCompare("Gamma") == before) }) {
      $0.title.localizedCompare("Gamma") != .orderedAscending
    }
  }

  @Test("text functions that run in Swift after the store's selection")
  func inMemory() throws {
    let world = try FormWorlds()
    let three = 3
    try world.check(#Predicate { $0.title.isEmpty }) { $0.title.isEmpty }
    try world.check(#Predicate { !$0.title.isEmpty }) { !$0.title.isEmpty }
    try world.check(#Predicate { $0.title.count > three }, .memory) { $0.title.count > three }
    try world.check(#Predicate { $0.title.count == three }, .memory) { $0.title.count == three }
    try world.check(#Predicate { $0.isNew && $0.title.count == three }, .memory) {
      $0.isNew && $0.title.count == three
    }
    try world.check(#Predicate { $0.isNew || $0.title.count == three }, .memory) {
      $0.isNew || $0.title.count == three
    }
    try world.check(#Predicate { ($0.isNew && $0.title.count > 3) || $0.count > 5 }, .memory) {
      ($0.isNew && $0.title.count > 3) || $0.count > 5
    }
    try world.check(#Predicate { $0.title.contains(/a.*e/) }, .memory) { $0.title.contains(/a.*e/) }
    try world.check(#Predicate { $0.isNew && !$0.title.contains(/[A-Z]/) }, .memory) {
      $0.isNew && !$0.title.contains(/[A-Z]/)
    }
    try world.check(#Predicate { $0.note.flatMap { $0.count > 1 } == true }, .memory) {
      $0.note.flatMap { $0.count > 1 } == true
    }
    try world.check(#Predicate { ($0.note ?? "").count > $0.count }, .memory) {
      ($0.note ?? "").count > $0.count
    }
  }
}
