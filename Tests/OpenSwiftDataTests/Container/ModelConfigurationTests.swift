import Foundation
import OpenSwiftData
import OpenTestSupport
import Testing

@Suite("Configurations of containers")
struct ModelConfigurationTests {
  @Test("the configuration and the container reject a name that is not a valid file name")
  func names() throws {
    for (name, expected) in [
      ("a/b", SwiftDataError.configurationFileNameContainsInvalidCharacters),
      ("..", .configurationFileNameContainsInvalidCharacters),
      (String(repeating: "a", count: 300), .configurationFileNameTooLong),
    ] {
      let configuration = ModelConfiguration(name)
      #expect(throws: expected) { try configuration.validate() }
      #expect(throws: expected) {
        try ModelContainer(for: Library.schema, configurations: configuration)
      }
    }
    try ModelConfiguration("notes").validate()
  }

  @Test(
    "CloudKit databases and app groups are kept by a configuration and ignored by its container")
  func services() throws {
    let configuration = ModelConfiguration(
      schema: Library.schema, isStoredInMemoryOnly: true,
      groupContainer: .identifier("group.example"), cloudKitDatabase: .private("iCloud.example"))
    #expect(configuration.groupAppContainerIdentifier == "group.example")
    #expect(configuration.cloudKitContainerIdentifier == "iCloud.example")
    let container = try ModelContainer(for: Library.schema, configurations: configuration)
    let context = ModelContext(container)
    context.insert(Author(name: "a"))
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test("a container logs the app group and the CloudKit database that it ignores (D-391)")
  func ignoredServices() async throws {
    // In a separate process, because all tests share the log.
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { try ModelConfigurationTests.openWithServices() }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(log.contains("The app group group.example is ignored"))
    #expect(log.contains("The CloudKit database iCloud.example is ignored"))
  }

  private static func openWithServices() throws {
    _ = try ModelContainer(
      for: Library.schema,
      configurations: ModelConfiguration(
        schema: Library.schema, isStoredInMemoryOnly: true,
        groupContainer: .identifier("group.example"),
        cloudKitDatabase: .private("iCloud.example")))
  }

  @Test("the statements of a store reach the observer of its configuration")
  func statements() throws {
    let recorder = StatementRecorder()
    var configuration = ModelConfiguration(schema: Library.schema, isStoredInMemoryOnly: true)
    configuration.statementObserver = recorder.observer
    let context = ModelContext(
      try ModelContainer(for: Library.schema, configurations: configuration))
    context.insert(Author(name: "a"))
    let (_, statements) = try recorder.recording { try context.save() }
    #expect(statements.contains { $0.hasPrefix("INSERT INTO ZAUTHOR") })
  }

  @Test("a container creates the folder of its store, and throws if the folder cannot be created")
  func folders() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("configuration-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a/b/notes.store")
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration(url: url, allowsSave: false))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    _ = try ModelContainer(for: Library.schema, configurations: ModelConfiguration(url: url))
    #expect(FileManager.default.fileExists(atPath: url.path))
    let below = url.appendingPathComponent("below.store")
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Library.schema, configurations: ModelConfiguration(url: below))
    }
    #expect(error == .loadIssueModelContainer && error?.underlyingError != nil)
  }

  @Test("a configuration that does not allow saving opens a store that cannot be changed")
  func readOnly() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("configuration-\(UUID().uuidString).store")
    do {
      let container = try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration(url: url))
      let context = ModelContext(container)
      context.insert(Author(name: "a"))
      try context.save()
    }
    let container = try ModelContainer(
      for: Library.schema, configurations: ModelConfiguration(url: url, allowsSave: false))
    let context = ModelContext(container)
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    author.name = "b"
    #expect(throws: (any Error).self) { try context.save() }
    context.rollback()
    #expect(author.name == "a")
  }
}
