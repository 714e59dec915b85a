import Foundation
import OpenSwiftData

@Model
final class Maker {
  var name: String?
  var founded: Int
  var country: String
  @Relationship(inverse: \Item.maker) var items: [Item] = []

  init(_ name: String?, founded: Int, country: String) {
    self.name = name
    self.founded = founded
    self.country = country
  }
}

@Model
final class Part {
  var number: Int
  var name = ""
  var weight: Double?
  var isSpare = false
  var item: Item?

  init(number: Int) { self.number = number }
}

@Model
final class Item {
  var number: Int
  var count = 0
  var small: Int16 = 0
  var rank: Int?
  var price = 0.0
  var discount: Double?
  var title = ""
  var note: String?
  var isNew = false
  var isSold: Bool?
  var made = Date(timeIntervalSinceReferenceDate: 0)
  var sold: Date?
  var code = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var mark: UUID?
  var bytes: Data?
  var maker: Maker?
  @Relationship(inverse: \Part.item) var parts: [Part] = []

  /// A computed property that uses a stored one.
  var shout: String { title.uppercased() + note.map { $0 }.debugDescription }

  init(number: Int) { self.number = number }
}

/// Fills items with values determined by a seed, including nil.
struct FormValues {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  static let titles = [
    "Alpha", "alpha", "beta", "Gamma ray", "", "50%_off", "\u{E9}t\u{E9}", "e\u{301}te\u{301}",
    "Stra\u{DF}e", "a\r\nb", "Z\u{308}", "flag \u{1F1E9}\u{1F1EA}", "x", "Alphabet",
  ]
  static let notes = ["x", "xy", "", "Note", "note", "\u{FC}ber", "u\u{308}ber", "12"]
  static let codes = (0..<6).map { number in
    UUID(uuid: (UInt8(number * 40), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }

  /// NaN, hidden from the compiler, which warns about comparisons with it.
  static var notANumber: Double { Double("nan") ?? 0 }

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  mutating func optional<Content>(_ make: (inout FormValues) -> Content) -> Content? {
    next(3) == 0 ? nil : make(&self)
  }

  mutating func element<Content>(_ list: [Content]) -> Content { list[next(list.count)] }

  mutating func fill(_ item: Item) {
    item.count = next(12) - 4
    item.small = Int16(next(9) - 3)
    item.rank = optional { $0.next(7) - 2 }
    item.price = Double(next(40)) / 4 - 2
    item.discount = optional { Double($0.next(9)) / 8 - 0.25 }
    item.title = element(Self.titles)
    item.note = optional { $0.element(Self.notes) }
    item.isNew = next(2) == 0
    item.isSold = optional { $0.next(2) == 0 }
    item.made = Date(timeIntervalSinceReferenceDate: Double(next(10)) * 1_000)
    item.sold = optional { Date(timeIntervalSinceReferenceDate: Double($0.next(10)) * 1_000) }
    item.code = element(Self.codes)
    item.mark = optional { $0.element(Self.codes) }
    item.bytes = optional { Data([UInt8($0.next(4)), 7]) }
  }

  mutating func fill(_ part: Part) {
    part.name = element(Self.titles)
    part.weight = optional { Double($0.next(8)) / 2 }
    part.isSpare = next(2) == 0
  }
}
