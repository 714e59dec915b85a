import Foundation
public import OpenSwiftData
import Testing

/// Has the members that the macro generates.
@ModelActor
actor TripCounter {
  func add(_ name: String) throws -> Int {
    modelContext.insert(FirstEdition.Trip(name: name))
    try modelContext.save()
    return try modelContext.fetchCount(FetchDescriptor<FirstEdition.Trip>())
  }
}

/// Has an additional initializer.
@ModelActor
public actor NamedCounter {
  let name: String

  init(name: String, container: ModelContainer) {
    self.name = name
    modelContainer = container
    modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
  }

  func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<FirstEdition.Trip>()) }
}

/// Declares the members that the macro would generate, and the conformance.
@ModelActor
actor PlainCounter: ModelActor {
  nonisolated let modelContainer: ModelContainer
  nonisolated let modelExecutor: any ModelExecutor

  init(modelContainer: ModelContainer) {
    self.modelContainer = modelContainer
    modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))
  }
}

@Suite("Declarations of model actors")
struct ModelActorDeclarationTests {
  @Test("a model actor has a context, and can have its own initializers")
  func declarations() async throws {
    let container = try ModelContainer(
      for: FirstEdition.Trip.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let counter = TripCounter(modelContainer: container)
    #expect(try await counter.add("a") == 1)
    let named = NamedCounter(name: "n", container: container)
    #expect(try await named.count() == 1)
    #expect(PlainCounter(modelContainer: container).modelContainer === container)
  }
}
