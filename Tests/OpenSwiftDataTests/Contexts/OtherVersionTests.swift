import Foundation
import OpenSwiftData
import Testing

@Suite("Model classes of other schema versions")
struct OtherVersionTests {
  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: Trips2.self),
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test("a fetch of a class of another schema version throws unknownSchema")
  func fetching() throws {
    context.insert(Trips2.Trip(code: "A", first: "Ada", last: "Lovelace"))
    try context.save()
    let error = #expect(throws: SwiftDataError.self) {
      _ = try context.fetch(FetchDescriptor<Trips1.Trip>())
    }
    #expect(error == .unknownSchema)
    #expect(error?.explanation?.contains("Trips1.Trip") == true)
    #expect(try context.fetchCount(FetchDescriptor<Trips2.Trip>()) == 1)
    #expect(throws: SwiftDataError.unknownSchema) {
      try HistoryObserver(
        observedModels: [Trips1.Trip.self], modelContainer: context.container, isolation: nil)
    }
  }

  @Test("a model of another schema version is not inserted, and the next save throws")
  func inserting() throws {
    let trip = Trips3.Trip(code: "A")
    context.insert(trip)
    #expect(trip.modelContext == nil)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .unknownSchema)
    #expect(error?.explanation?.contains("Trips3.Trip") == true)
    #expect(try context.fetchCount(FetchDescriptor<Trips2.Trip>()) == 0)
  }
}
