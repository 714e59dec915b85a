import Foundation
import OpenSwiftData
import Testing

@Suite("Models without rows")
struct MissingRowTests {
  private static func container() throws -> ModelContainer {
    try ModelContainer(
      for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  private static func titles(in container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Note>()).map(\.title)
  }

  @Test("reading a model whose row was deleted is logged, and the next save succeeds")
  func deleted() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let container = try MissingRowTests.container()
      let context = ModelContext(container)
      let note = Note(title: "a")
      context.insert(note)
      try context.save()
      let id = note.persistentModelID
      context.delete(note)
      try context.save()
      let other = ModelContext(container)
      let stale = other.model(for: id) as? Note
      guard stale?.title == "", stale?.count == 0 else { throw CocoaError(.coderInvalidValue) }
      other.insert(Note(title: "new"))
      try other.save()
      guard try MissingRowTests.titles(in: container) == ["new"] else {
        throw CocoaError(.coderInvalidValue)
      }
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(log.contains("/Note/p1> was read, but the row was deleted or never existed."))
  }

  @Test("reading a model by a temporary identifier that a save replaced lets the next save succeed")
  func temporary() throws {
    let container = try Self.container()
    let context = ModelContext(container)
    let note = Note(title: "a")
    context.insert(note)
    let id = note.persistentModelID
    try context.save()
    let other = ModelContext(container)
    #expect((other.model(for: id) as? Note)?.title == "")
    other.insert(Note(title: "new"))
    try other.save()
    #expect(try Self.titles(in: container).sorted() == ["a", "new"])
  }
}
