import Foundation
import OpenSwiftData
import Testing

@Suite("Containers")
struct ModelContainerTests {
  private func url() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("container-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent("a.store")
  }

  @Test(
    "erase and deleteAllData remove the models of a store", arguments: [false, true])
  func erasing(deletesAllData: Bool) throws {
    let url = try url()
    do {
      let container = try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration(url: url))
      let context = ModelContext(container)
      context.insert(Author(name: "a"))
      try context.save()
      #expect(FileManager.default.fileExists(atPath: url.path))
      if deletesAllData { container.deleteAllData() } else { try container.erase() }
    }
    let container = try ModelContainer(
      for: Library.schema, configurations: ModelConfiguration(url: url))
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Author>()) == 0)
  }

  @Test("a container keeps a store that another container has open", arguments: [false, true])
  func erasingSharedStore(deletesAllData: Bool) throws {
    let url = try url()
    let container = try ModelContainer(
      for: Library.schema, configurations: ModelConfiguration(url: url))
    let other = try ModelContainer(
      for: Library.schema, configurations: ModelConfiguration(url: url))
    let context = ModelContext(container)
    let author = Author(name: "a")
    context.insert(author)
    try context.save()
    if deletesAllData {
      container.deleteAllData()
    } else {
      let error = #expect(throws: CocoaError.self) { try container.erase() }
      #expect(error?.code.rawValue == 134090)
    }
    author.name = "b"
    context.insert(Author(name: "c"))
    try context.save()
    for container in [container, other] {
      let reading = ModelContext(container)
      let authors = try reading.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Author.name)]))
      #expect(authors.map(\.name) == ["b", "c"])
    }
  }

  @Test("a container is deallocated after its main context was used")
  @MainActor
  func releasing() throws {
    weak var container: ModelContainer?
    weak var context: ModelContext?
    do {
      let opened = try Library.container()
      opened.mainContext.insert(Author(name: "a"))
      try opened.mainContext.save()
      #expect(opened.mainContext.container === opened)
      container = opened
      context = opened.mainContext
    }
    #expect(container == nil)
    #expect(context == nil)
  }

  @Test("a main context that outlives its container has an equal container")
  @MainActor
  func outlivingMainContext() throws {
    let context = try Library.container().mainContext
    let author = Author(name: "a")
    context.insert(author)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Author>()) == [author])
    let container = context.container
    #expect(container == context.container)
    #expect(container.mainContext === context)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test("erase works with an in-memory store")
  func erasingMemory() throws {
    let container = try Library.container()
    let context = ModelContext(container)
    context.insert(Author(name: "a"))
    try context.save()
    try container.erase()
    #expect(throws: (any Error).self) {
      let other = ModelContext(container)
      other.insert(Author(name: "b"))
      try other.save()
    }
  }

  @Test("the results of a batched fetch are empty models after their store was erased")
  func erasedBatches() async {
    await #expect(processExitsWith: .success) {
      let context = try Library.context()
      for number in 0..<3 { context.insert(Tag(name: "\(number)")) }
      try context.save()
      var descriptor = FetchDescriptor<Tag>()
      descriptor.includePendingChanges = false
      let tags = try context.fetch(descriptor, batchSize: 2)
      try context.container.erase()
      guard tags.count == 3, tags.allSatisfy({ $0.name.isEmpty }) else {
        throw CocoaError(.coderInvalidValue)
      }
    }
  }

  @Test("configurations with the same file or name, or models of another schema, are rejected")
  func configurations() throws {
    let url = try url()
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration("one", url: url),
        ModelConfiguration("two", url: url))
    }
    let folder = url.deletingLastPathComponent()
    let link = folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration("one", url: url),
        ModelConfiguration("two", url: link.appendingPathComponent(url.lastPathComponent)))
    }
    #expect(throws: SwiftDataError.configurationSchemaNotFoundInContainerSchema) {
      try ModelContainer(
        for: Library.schema,
        configurations: ModelConfiguration(schema: Schema([Note.self]), isStoredInMemoryOnly: true))
    }
  }

  @Test("a file that is not a store is a load issue with a cause")
  func broken() throws {
    let url = try url()
    try Data("no store, whatever its name says".utf8).write(to: url)
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Library.schema, configurations: ModelConfiguration(url: url))
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.underlyingError != nil)
  }

  @Test("a damaged file is a load issue with its cause, and an empty file becomes a store")
  func damaged() throws {
    let url = try url()
    do {
      let container = try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration(url: url))
      let context = ModelContext(container)
      context.insert(Author(name: "a"))
      try context.save()
    }
    let size = try Data(contentsOf: url).count
    try #require(size > 200)
    let truncated = url.deletingLastPathComponent().appendingPathComponent("b.store")
    try Data(contentsOf: url).prefix(200).write(to: truncated)
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Library.schema, configurations: ModelConfiguration(url: truncated))
    }
    #expect(error == .loadIssueModelContainer)
    #expect((error?.underlyingError as? CocoaError)?.code == .fileReadCorruptFile)
    let empty = url.deletingLastPathComponent().appendingPathComponent("c.store")
    try Data().write(to: empty)
    let container = try ModelContainer(
      for: Library.schema, configurations: ModelConfiguration(url: empty))
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Author>()) == 0)
  }

  @Test("a container has its schema and its configurations")
  func content() throws {
    let configuration = ModelConfiguration("library", isStoredInMemoryOnly: true)
    let container = try ModelContainer(for: Library.schema, configurations: configuration)
    #expect(container.schema == Library.schema)
    #expect(container.configurations.map(\.name) == ["library"])
    #expect(container.migrationPlan == nil)
    #expect(container.configurations.first?.isStoredInMemoryOnly == true)
    #expect(container != (try Library.container()))
  }
}
