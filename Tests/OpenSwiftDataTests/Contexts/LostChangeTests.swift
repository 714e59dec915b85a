import Foundation
import OpenSwiftData
import Testing

/// Apple's framework ends the process; this library logs a change that no save can write.
@Suite("Changes of deleted models")
struct LostChangeTests {
  /// The log output of a process.
  private func log(of result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  private static func title(in container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Note>()).map(\.title)
  }

  private static func container() throws -> ModelContainer {
    let container = try ModelContainer(
      for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Note(title: "a"))
    context.insert(Note(title: "b"))
    try context.save()
    return container
  }

  @Test("a change of a model that another context deleted is logged and not saved")
  func deletedElsewhere() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let container = try LostChangeTests.container()
      let context = ModelContext(container)
      let notes = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)]))
      let other = ModelContext(container)
      try other.delete(model: Note.self, where: #Predicate { $0.title == "a" })
      try other.save()
      try context.transaction {
        notes[0].title = "lost"
        notes[1].title = "kept"
      }
      notes[0].title = "lost again"
      try context.save()
      guard try LostChangeTests.title(in: container) == ["kept"] else {
        throw CocoaError(.coderInvalidValue)
      }
    }
    let log = try log(of: result)
    #expect(log.contains("/Note/p1> will not be saved because another context deleted the object"))
    #expect(log.contains("/Note/p1> will not be saved because the object was deleted"))
    #expect(!log.contains("/Note/p2>"))
  }

  @Test("a change of a model that outlives its context is logged")
  func released() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let container = try LostChangeTests.container()
      let note = try ModelContext(container).fetch(FetchDescriptor<Note>()).first
      note?.title = "lost"
      guard try LostChangeTests.title(in: container).sorted() == ["a", "b"] else {
        throw CocoaError(.coderInvalidValue)
      }
    }
    #expect(
      try log(of: result)
        .contains("will not be saved because the object was deleted, or because its context"))
  }

  @Test("changes of uninserted models and of models to be deleted are not logged")
  func silent() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let note = Note(title: "a")
      note.title = "b"
      let context = ModelContext(try LostChangeTests.container())
      let found = try context.fetch(FetchDescriptor<Note>())
      context.delete(found[0])
      found[0].title = "c"
      try context.save()
    }
    #expect(!(try log(of: result).contains("not be saved")))
  }
}
