import SwiftData

// The SwiftData models that the sources of the folders with models use. Models belong to no actor in any module; the types of their
// values have to say so in a module whose declarations belong to the main actor.

nonisolated enum Season: String, Codable {
  case summer, winter
}

nonisolated struct Place: Codable, Hashable, Sendable {
  var city: String
  var floor: Int?
}

@Model
final class Trip {
  @Attribute(.unique) var name: String
  var start: Date
  var season: Season = Season.summer
  var place: Place
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
  @Transient var isSelected = false

  init(name: String, start: Date, place: Place) {
    self.name = name
    self.start = start
    self.place = place
  }
}

@Model
class Stop {
  var title: String
  var trip: Trip?

  init(title: String) { self.title = title }
}

@Model
final class Hotel: Stop {
  var nights: Int

  init(title: String, nights: Int) {
    self.nights = nights
    super.init(title: title)
  }
}

/// The values of a model that an actor can return.
nonisolated struct TripSummary: Sendable {
  let id: PersistentIdentifier
  let name: String
}
