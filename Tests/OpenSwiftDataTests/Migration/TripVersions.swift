import Foundation
import OpenSwiftData

// Three versions of a schema, and a plan from the first to the last.

/// Codes are not unique; the guide has two names.
enum Trips1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Trip {
    var code: String
    var first: String
    var last: String
    var cost: Double?
    @Relationship(deleteRule: .cascade) var stops: [Stop] = []

    init(code: String, first: String, last: String) {
      self.code = code
      self.first = first
      self.last = last
    }
  }

  @Model final class Stop {
    var place: String
    var trip: Trip?

    init(place: String) { self.place = place }
  }
}

/// Codes are unique, and the guide has one name in addition to the two.
enum Trips2: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Trip {
    @Attribute(.unique) var code: String
    var first: String
    var last: String
    var guide: String?
    var cost: Double?
    @Relationship(deleteRule: .cascade) var stops: [Stop] = []

    init(code: String, first: String, last: String) {
      self.code = code
      self.first = first
      self.last = last
    }
  }

  @Model final class Stop {
    var place: String
    var trip: Trip?

    init(place: String) { self.place = place }
  }
}

/// The guide is renamed to leader, the two names are removed, and a stop has a journey.
enum Trips3: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }

  @Model final class Trip {
    @Attribute(.unique) var code: String
    @Attribute(originalName: "guide") var leader: String?
    var cost: Double?
    var days: Int = 7
    @Relationship(deleteRule: .cascade, originalName: "stops") var places: [Stop] = []

    init(code: String) { self.code = code }
  }

  @Model final class Stop {
    @Attribute(originalName: "place") var name: String
    @Relationship(originalName: "trip") var journey: Trip?

    init(name: String) { self.name = name }
  }
}

/// Three versions on; no plan lists it.
enum Trips4: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }

  @Model final class Trip {
    @Attribute(.unique) var code: String
    var leader: String?
    var note: String?
    @Relationship(deleteRule: .cascade) var places: [Stop] = []

    init(code: String) { self.code = code }
  }

  @Model final class Stop {
    var name: String
    var journey: Trip?

    init(name: String) { self.name = name }
  }
}

/// The actions of the plan's stages on the task that opens a container.
enum TripStages {
  struct Failure: Error, Equatable {
    var place: String
  }

  /// Where the stages throw.
  enum Fault { case none, beforeSaving, afterSaving, afterMigration }

  @TaskLocal static var fault = Fault.none
  @TaskLocal static var keepsDuplicates = false

  static func removeDuplicates(_ context: ModelContext) throws {
    if keepsDuplicates { return }
    var seen: Set<String> = []
    let order = [SortDescriptor(\Trips1.Trip.code), SortDescriptor(\Trips1.Trip.first)]
    for trip in try context.fetch(FetchDescriptor(sortBy: order))
    where !seen.insert(trip.code).inserted {
      context.delete(trip)
    }
    if fault == .beforeSaving { throw Failure(place: "before") }
    try context.save()
    if fault == .afterSaving { throw Failure(place: "after") }
  }

  static func fillGuides(_ context: ModelContext) throws {
    if fault == .afterMigration { throw Failure(place: "did") }
    for trip in try context.fetch(FetchDescriptor<Trips2.Trip>()) {
      trip.guide = "\(trip.first) \(trip.last)"
    }
    try context.save()
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Trips1.self, Trips2.self, Trips3.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Trips1.self, toVersion: Trips2.self,
        willMigrate: TripStages.removeDuplicates, didMigrate: TripStages.fillGuides),
      .lightweight(fromVersion: Trips2.self, toVersion: Trips3.self),
    ]
  }
}

extension StoreFolder {
  /// Writes a store of the first version: two trips with the same code, and one with another code.
  func fillTrips1() throws {
    try with(Trips1.self) { context in
      for (code, first, last) in [
        ("A", "Ada", "Lovelace"), ("A", "Bo", "Derek"), ("B", "Cy", "Fox"),
      ] {
        let trip = Trips1.Trip(code: code, first: first, last: last)
        trip.stops = [Trips1.Stop(place: "\(code)-\(first)")]
        context.insert(trip)
      }
      try context.save()
    }
  }

  /// Writes a store of the second version.
  func fillTrips2() throws {
    try with(Trips2.self) { context in
      for (code, first, last) in [("A", "Ada", "Lovelace"), ("B", "Cy", "Fox")] {
        let trip = Trips2.Trip(code: code, first: first, last: last)
        trip.guide = "\(first) \(last)"
        trip.stops = [Trips2.Stop(place: "\(code)-\(first)")]
        context.insert(trip)
      }
      try context.save()
    }
  }

  /// The contents of a store of the last version, opened with a plan.
  func trips3(_ plan: (any SchemaMigrationPlan.Type)? = TripPlan.self) throws -> [String] {
    try with(Trips3.self, plan) { context in
      try context.fetch(FetchDescriptor<Trips3.Trip>(sortBy: [SortDescriptor(\.code)])).map {
        trip in
        let places = trip.places.map { "\($0.name) \($0.journey === trip)" }.joined(separator: ",")
        return "\(trip.code) \(trip.leader ?? "nil") \(trip.days) \(places)"
      }
    }
  }

  /// The codes and names of a store of the first version.
  func trips1() throws -> [String] {
    try with(Trips1.self) { context in
      let order = [SortDescriptor(\Trips1.Trip.code), SortDescriptor(\Trips1.Trip.first)]
      return try context.fetch(FetchDescriptor(sortBy: order)).map { "\($0.code) \($0.first)" }
    }
  }
}
