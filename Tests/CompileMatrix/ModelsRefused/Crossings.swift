// swift-format-ignore-file
import SwiftData

// Models and contexts that cross actors: an error in language mode 6, no diagnostic in 5.

@ModelActor
actor TripKeeper {
  var kept: Trip?

  func keep(_ trip: Trip) { kept = trip }

  func first() throws -> Trip? { try modelContext.fetch(FetchDescriptor<Trip>()).first }
}

nonisolated func send(_ trip: Trip, to keeper: TripKeeper) async {
  await keeper.keep(trip)  // error [6]: sending 'trip' risks causing data races
}

nonisolated func take(from keeper: TripKeeper) async throws -> String {
  try await keeper.first()?.name ?? ""  // error [6]: non-Sendable 'Trip?'-typed result can not be returned from actor-isolated instance method 'first()'
}

nonisolated func detach(_ trip: Trip) {
  Task.detached {  // error [6]: passing closure as a 'sending' parameter risks causing data races
    print(trip.name)
  }
}

nonisolated func detach(_ context: ModelContext) {
  Task.detached {  // error [6]: passing closure as a 'sending' parameter risks causing data races
    try context.save()
  }
}

@MainActor
func show(_ container: ModelContainer) {
  let context = container.mainContext
  Task.detached {  // error [6]: passing closure as a 'sending' parameter risks causing data races
    print(context.hasChanges)
  }
}

@MainActor
func find(_ container: ModelContainer, _ keeper: TripKeeper) async throws {
  let trip = try container.mainContext.fetch(FetchDescriptor<Trip>()).first
  guard let trip else { return }
  await keeper.keep(trip)  // error [6]: sending 'trip' risks causing data races
}
