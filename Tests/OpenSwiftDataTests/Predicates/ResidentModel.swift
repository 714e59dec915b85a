import Foundation
import OpenSwiftData

enum AddressKind: String, Codable, CaseIterable {
  case home, work
}

struct MapPoint: Codable, Hashable {
  var latitude: Double
  var longitude: Double
}

struct Address: Codable, Hashable {
  var city: String
  var floor: Int?
  var isOpen: Bool
  var since: Date
  var kind: AddressKind
  var point: MapPoint
  var tags: [String]

  /// A computed property that uses a stored member.
  var label: String { city.uppercased() }

  /// An address determined by a number.
  init(number: Int) {
    city = ["Oslo", "Rom", "Århus", "rom 2", "Rom 10"][number % 5]
    floor = number % 3 == 0 ? nil : number % 7
    isOpen = number % 4 == 1
    since = Date(timeIntervalSinceReferenceDate: Double(number * 7 % 5) * 1_000)
    kind = number % 2 == 0 ? .work : .home
    point = MapPoint(latitude: Double(number * 5 % 11) - 3, longitude: 1)
    tags = number % 2 == 0 ? ["even"] : ["odd", "x"]
  }
}

/// A structure whose order no single column represents.
struct Rating: Codable, Hashable, Comparable {
  var stars: Int
  var votes: Int

  static func < (one: Rating, other: Rating) -> Bool { one.stars < other.stars }
}

@Model
final class Resident {
  var number: Int
  var address: Address
  var second: Address?
  var kind: AddressKind
  var rating: Rating
  @Attribute(.codable) var whole: Rating
  var neighbor: Resident?

  init(number: Int) {
    self.number = number
    address = Address(number: number)
    second = number % 3 == 1 ? nil : Address(number: number + 1)
    kind = number % 4 < 2 ? .work : .home
    rating = Rating(stars: number % 5, votes: 1)
    whole = Rating(stars: number % 4, votes: 2)
  }
}

/// Twelve residents in a store, of which one is changed, one deleted and two more inserted without saving.
enum Residents {
  static func context(inMemory: Bool) throws -> ModelContext {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("residents-\(UUID().uuidString).store")
    let configuration =
      inMemory ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: url)
    let container = try ModelContainer(for: Resident.self, configurations: configuration)
    let context = ModelContext(container)
    let residents = (0..<12).map { Resident(number: $0) }
    for resident in residents { context.insert(resident) }
    for resident in residents where resident.number % 2 == 0 {
      resident.neighbor = residents[(resident.number + 3) % 12]
    }
    try context.save()
    residents[4].address = Address(number: 7)
    residents[5].address.city = "Bern"
    residents[5].kind = .work
    context.delete(residents[6])
    context.insert(Resident(number: 12))
    context.insert(Resident(number: 13))
    return context
  }
}
