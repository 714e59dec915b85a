import Foundation
import OpenSwiftData

// Models declared in all the ways that applications declare them.

/// Declares its own conformances, identifier and coding.
@Model final class CodedPage: Identifiable, Codable, @unchecked Sendable {
  enum Status: String, Codable { case pending, ready }
  enum CodingKeys: String, CodingKey { case id, content }

  @Attribute(.unique) var id: UUID
  var content: String
  var status: Status = .pending

  init(id: UUID = UUID(), content: String) {
    self.id = id
    self.content = content
  }

  convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(UUID.self, forKey: .id),
      content: try container.decode(String.self, forKey: .content))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(content, forKey: .content)
  }
}

/// Has an optional to-many relationship with an initial value, and names the inverse.
@Model final class Shelf {
  @Relationship(deleteRule: .nullify, inverse: \ShelvedBook.shelves) var books: [ShelvedBook]? = []
  var label: String = "x"

  init() {}
}

/// Has properties of many kinds.
@Model final class ShelvedBook {
  static let shared = 3

  var shelves: [Shelf]
  var isbn: String
  var note: String?
  var subtitle: Optional<String>
  var series: String!
  var weight: Decimal = 1.5
  var price: Double = 3
  var link: URL?
  var data: Data?
  var counter = 0
  private(set) var revision = 1
  var `default`: Bool = false
  var tags: [String] = []
  #if os(Linux)
    var platform: String = "linux"
  #endif
  #if !os(Linux)
    var other: Int = 2
  #endif
  @Transient var cache: [String: Int] = [:]
  @Transient var maybe: Int?
  @Transient lazy var slow: Int = 4

  var description: String { isbn + "!" }

  init(isbn: String) {
    self.isbn = isbn
    shelves = []
  }

  func revise() { revision += 1 }
}

/// Has initial values that are expressions with operators or branches.
@Model final class Calculated {
  enum Side: String, Codable { case left, right }

  static let width = 3

  var isWide: Bool = Calculated.width > 2
  var side: Side = Calculated.width > 2 ? .left : .right
  var sum: Double = 1 + 2
  var limit: Int = Int("7") ?? 0
  var text: String = "a" as String
  var height: Double =
    if Calculated.width > 2 {
      5
    } else {
      6
    }
  var mark =
    switch Calculated.width {
    case 3: "three"
    default: "other"
    }

  init() {}
}

/// Has an initializer that replaces default values before all properties are set.
@Model final class Recording {
  var gain: Double = 0
  var title: String = "\u{E9}"
  var sleeve: Sleeve? = Sleeve(color: "red")
  var sleeves: [Sleeve] = [Sleeve(color: "blue")]
  var number: Int

  init(gain: Double, title: String, sleeve: Sleeve?, sleeves: [Sleeve], number: Int) {
    self.gain = gain
    self.title = title
    self.sleeve = sleeve
    self.sleeves = sleeves
    self.number = number
  }
}

@Model final class Sleeve {
  var color: String

  init(color: String) { self.color = color }
}

/// Initializers that can fail and that call each other.
@Model final class Fallible {
  struct Refusal: Error {}

  var name: String
  var size: Int

  init?(name: String?) {
    guard let name else { return nil }
    self.name = name
    size = 1
  }

  init(throwing name: String) throws {
    self.name = name
    if name.isEmpty { throw Refusal() }
    size = 2
  }

  convenience init() { self.init(name: "convenient")! }
}

/// Nested models with the same name are versions of one entity.
enum FirstEdition {
  @Model final class Trip {
    var name: String

    init(name: String) { self.name = name }
  }
}

enum SecondEdition {
  @Model final class Trip {
    @Attribute(originalName: "name") var title: String

    init(title: String) { self.title = title }
  }
}

/// Has a unique combination and indexes.
@Model final class Person {
  #Unique<Person>([\.first, \.last], [\.email])
  #Index<Person>([\.last], [\.last, \.first])

  var first: String
  var last: String
  var email: String

  init(first: String, last: String, email: String) {
    self.first = first
    self.last = last
    self.email = email
  }
}

/// A class that is not final, and models that derive from it, two levels deep.
@Model class Animal {
  var name: String
  var friend: Animal?
  var home: AnimalHome?

  init(name: String, home: AnimalHome? = nil) {
    self.name = name
    self.home = home
  }
}

@Model final class AnimalHome {
  @Relationship(inverse: \Animal.home) var animals: [Animal] = []

  init() {}
}

@Model class Dog: Animal {
  var breed: String
  var age: Int = 2
  var bestFriend: Animal?

  init(name: String, breed: String, home: AnimalHome? = nil) {
    self.breed = breed
    super.init(name: name, home: home)
  }

  init?(namedAfter other: Dog?) {
    breed = "mix"
    guard let other else { return nil }
    super.init(name: other.name)
    age = other.age
  }
}

@Model final class Puppy: Dog {
  var weeks: Int

  init(weeks: Int) {
    self.weeks = weeks
    super.init(name: "pup", breed: "mix")
  }
}

/// A class that derives from a model but is not a model.
final class Stray: Dog {
  let place = "street"
}

/// A model that derives from a class that is not a model.
class Described {
  var text = "described"
}

@Model final class DescribedModel: Described {
  var number: Int

  init(number: Int) {
    self.number = number
    super.init()
  }
}

/// A protocol that only models conform to.
protocol Badged: PersistentModel {
  var badge: String { get }
}

typealias BadgedModel = Badged & CustomStringConvertible

@Model final class Scout: Badged {
  var badge: String

  init(badge: String) { self.badge = badge }
}

@Model final class Ranger: BadgedModel {
  var badge: String
  var description: String { badge }

  init(badge: String) { self.badge = badge }
}
