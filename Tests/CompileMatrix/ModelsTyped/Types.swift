// swift-format-ignore-file
import SwiftData

// Models and contexts are not Sendable, and the diagnostics state what to pass instead.

nonisolated func pass<Value: Sendable>(_ value: Value) {}

nonisolated func passModel(_ trip: Trip, _ stop: Hotel) {
  pass(trip)  // error from 6: conformance of 'Trip' to 'Sendable' is unavailable: models are not Sendable: pass the persistentModelID, or use a ModelActor
  pass(stop)  // error from 6: conformance of 'Stop' to 'Sendable' is unavailable: models are not Sendable
}

nonisolated func passContext(_ context: ModelContext) {
  pass(context)  // error from 6: type 'ModelContext' does not conform to the 'Sendable' protocol
}

nonisolated func passDescription(_ trip: Trip, _ container: ModelContainer) {
  pass(container)
  pass(container.configurations)
  pass(container.schema)
  pass(trip.persistentModelID)
  pass(trip.place)
  pass(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
  pass(HistoryDescriptor<DefaultHistoryTransaction>())
}
