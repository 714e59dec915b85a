import Foundation
import OpenSwiftData
import Testing

@Suite("Read-only stores, and stores of several containers")
struct ReadOnlyStoreTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func container(allowsSave: Bool = true) throws -> ModelContainer {
    try ModelContainer(
      for: Note.self,
      configurations: ModelConfiguration(url: folder.file(), allowsSave: allowsSave))
  }

  private func fill() throws {
    let context = ModelContext(try container())
    context.insert(Note(title: "a"))
    try context.save()
  }

  @Test("a container that does not allow saving reads; its saves throw and write nothing")
  func readOnly() throws {
    try fill()
    let context = ModelContext(try container(allowsSave: false))
    let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
    note.title = "b"
    context.insert(Note(title: "c"))
    #expect(throws: (any Error).self) { try context.save() }
    #expect(context.hasChanges && note.title == "b")
    let titles = try ModelContext(try container()).fetch(FetchDescriptor<Note>()).map(\.title)
    #expect(titles == ["a"])
    context.rollback()
    #expect(note.title == "a")
    try context.save()
    context.delete(note)
    #expect(throws: (any Error).self) { try context.save() }
    #expect(try ModelContext(try container()).fetchCount(FetchDescriptor<Note>()) == 1)
  }

  @Test("a container that does not allow saving neither creates nor migrates a store")
  func noStore() throws {
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try container(allowsSave: false) }
    #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    try folder.fillTrips2()
    for plan in [nil, TripPlan.self] as [(any SchemaMigrationPlan.Type)?] {
      let error = #expect(throws: SwiftDataError.self) {
        try ModelContainer(
          for: Schema(versionedSchema: Trips3.self), migrationPlan: plan,
          configurations: ModelConfiguration(url: folder.file(), allowsSave: false))
      }
      #expect((error?.underlyingError as? CocoaError)?.code.rawValue == 134_100)
    }
    #expect(try folder.trips3().count == 2)
  }

  @Test("two containers on one file see each other's saves")
  func twoContainers() throws {
    try fill()
    let (one, other) = (ModelContext(try container()), ModelContext(try container()))
    let (first, second) = (
      try #require(try one.fetch(FetchDescriptor<Note>()).first),
      try #require(try other.fetch(FetchDescriptor<Note>()).first)
    )
    #expect(first.persistentModelID == second.persistentModelID)
    first.title = "b"
    one.insert(Note(title: "new"))
    try one.save()
    #expect(try other.fetchCount(FetchDescriptor<Note>()) == 2)
    #expect(second.title == "b")
    second.count = 9
    other.delete(try #require(try other.fetch(FetchDescriptor<Note>()).first { $0.title == "new" }))
    try other.save()
    #expect(try one.fetch(FetchDescriptor<Note>()).map(\.count) == [9])
    #expect(first.title == "b")
  }

  @Test("a container that does not allow saving sees another container's saves")
  func following() throws {
    try fill()
    let reader = ModelContext(try container(allowsSave: false))
    #expect(try reader.fetchCount(FetchDescriptor<Note>()) == 1)
    let writer = ModelContext(try container())
    writer.insert(Note(title: "b"))
    try writer.save()
    #expect(try reader.fetchCount(FetchDescriptor<Note>()) == 2)
  }

  @Test("a container in memory that does not allow saving is empty; its saves throw")
  func readOnlyMemory() throws {
    let container = try ModelContainer(
      for: Note.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false))
    let context = ModelContext(container)
    #expect(try context.fetch(FetchDescriptor<Note>()).isEmpty)
    context.insert(Note(title: "a"))
    #expect(try context.fetch(FetchDescriptor<Note>()).map(\.title) == ["a"])
    #expect(throws: (any Error).self) { try context.save() }
    #expect(context.hasChanges)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 0)
  }

  @Test("containers in memory are independent of one another")
  func memory() throws {
    let containers = try (1...2).map { _ in
      try ModelContainer(
        for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    let context = ModelContext(containers[0])
    context.insert(Note(title: "a"))
    try context.save()
    #expect(try ModelContext(containers[0]).fetchCount(FetchDescriptor<Note>()) == 1)
    #expect(try ModelContext(containers[1]).fetchCount(FetchDescriptor<Note>()) == 0)
  }
}
