import SwiftData

@ModelActor
actor TripImporter {
  private var imported = 0

  func add(_ names: [String]) throws -> [PersistentIdentifier] {
    let trips = names.map { Trip(name: $0, start: .now, place: Place(city: "Rome")) }
    for trip in trips {
      trip.stops = [Stop(title: "a"), Hotel(title: "b", nights: 2)]
      modelContext.insert(trip)
    }
    try modelContext.save()
    imported += trips.count
    return trips.map(\.persistentModelID)
  }

  func summary(of id: PersistentIdentifier) -> TripSummary? {
    self[id, as: Trip.self].map { TripSummary(id: $0.persistentModelID, name: $0.name) }
  }

  func summaries(in city: String) throws -> [TripSummary] {
    let descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { $0.place.city == city }, sortBy: [SortDescriptor(\.start)])
    return try modelContext.fetch(descriptor).map {
      TripSummary(id: $0.persistentModelID, name: $0.name)
    }
  }
}

/// An actor that declares its initializer.
actor TripCounter: ModelActor {
  nonisolated let modelContainer: ModelContainer
  nonisolated let modelExecutor: any ModelExecutor

  init(modelContainer: ModelContainer) {
    self.modelContainer = modelContainer
    modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))
  }

  func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Trip>()) }
}

@MainActor
func use(_ container: ModelContainer) async throws {
  let importer = TripImporter(modelContainer: container)
  let ids = try await importer.add(["a", "b"])
  // Identifiers cross actors; each actor looks up its own models.
  for id in ids {
    let trip = container.mainContext.model(for: id) as? Trip
    trip?.isSelected = true
  }
  guard let first = ids.first else { return }
  print(
    await importer.summary(of: first)?.name ?? "",
    try await TripCounter(modelContainer: container).count())
}
