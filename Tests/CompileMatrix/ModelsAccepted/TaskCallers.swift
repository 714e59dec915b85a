import SwiftData

// Each task creates its own context; containers, identifiers and values cross to other tasks.

nonisolated func rename(_ id: PersistentIdentifier, to name: String, in container: ModelContainer) {
  Task.detached {
    let context = ModelContext(container)
    let found: Trip? = context.registeredModel(for: id)
    (found ?? context.model(for: id) as? Trip)?.name = name
    try context.save()
  }
}

nonisolated func add(_ names: [String], to container: ModelContainer) async throws -> Int {
  try await withThrowingTaskGroup(of: Int.self) { group in
    for name in names {
      group.addTask {
        let context = ModelContext(container)
        try context.transaction {
          context.insert(Trip(name: name, start: .now, place: Place(city: "Rome", floor: 1)))
        }
        return try context.fetchCount(FetchDescriptor<Trip>())
      }
    }
    return try await group.reduce(0, max)
  }
}

@MainActor
final class TripList {
  let context: ModelContext
  var trips: [Trip] = []

  init(_ container: ModelContainer) { context = container.mainContext }

  func load() throws {
    let season = Season.winter
    var descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { $0.season == season && $0.stops.contains { $0.title == "a" } },
      sortBy: [SortDescriptor(\.place.city), SortDescriptor(\.start, order: .reverse)])
    descriptor.fetchLimit = 10
    descriptor.relationshipKeyPathsForPrefetching = [\.stops]
    trips = try context.fetch(descriptor)
  }

  func addLater(_ name: String) {
    Task {
      let trip = Trip(name: name, start: .now, place: Place(city: "Oslo"))
      context.insert(trip)
      trips.append(trip)
      try context.save()
    }
  }

  func remove(_ trip: Trip) throws {
    context.delete(trip)
    try context.delete(model: Stop.self, where: #Predicate { $0.trip == nil })
    try context.save()
    trips.removeAll { $0 == trip }
  }
}

nonisolated func hotels(_ context: ModelContext, _ least: Int) throws -> [String] {
  let descriptor = FetchDescriptor<Hotel>(
    predicate: #Predicate { $0.nights >= least && $0.trip?.name != nil })
  return try context.fetch(descriptor).map(\.title)
}

/// Generic code over all models.
nonisolated func all<Model: PersistentModel>(
  _ type: Model.Type, in context: ModelContext
) throws -> [PersistentIdentifier] {
  try context.fetch(FetchDescriptor<Model>()).map(\.persistentModelID)
}
