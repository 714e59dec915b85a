import Foundation
import OpenSwiftData
import Testing

@Suite("Containers with several stores")
struct SeveralStoresTests {
  private let folder: StoreFolder
  private static let noteSchema = Schema([Note.self])
  private static let schema = Schema([
    Book.self, Author.self, Chapter.self, Tag.self, Note.self,
  ])

  init() throws { folder = try StoreFolder() }

  private var books: ModelConfiguration {
    ModelConfiguration("books", schema: Library.schema, url: folder.file("books"))
  }

  private var notes: ModelConfiguration {
    ModelConfiguration("notes", schema: Self.noteSchema, url: folder.file("notes"))
  }

  private func container() throws -> ModelContainer {
    try ModelContainer(for: Self.schema, configurations: books, notes)
  }

  private func fill(_ context: ModelContext) throws {
    let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
    book.chapters = [Chapter(title: "one", number: 1)]
    context.insert(book)
    context.insert(Note(title: "n"))
    try context.save()
  }

  @Test("models are saved in and fetched from the store of their configuration")
  func separation() throws {
    let context = ModelContext(try container())
    try fill(context)
    let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
    let book = try #require(try context.fetch(FetchDescriptor<Book>()).first)
    #expect(note.persistentModelID.storeIdentifier != book.persistentModelID.storeIdentifier)
    #expect(
      book.chapters.first?.persistentModelID.storeIdentifier
        == book.persistentModelID.storeIdentifier)
    note.title = "m"
    book.title = "b"
    try context.save()
    let other = ModelContext(try container())
    #expect(try other.fetch(FetchDescriptor<Note>()).map(\.title) == ["m"])
    let found = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(found.title == "b" && found.author?.name == "x" && found.chapters.count == 1)
    other.delete(found)
    try other.delete(model: Note.self)
    try other.save()
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 0)
    #expect(try context.fetchCount(FetchDescriptor<Chapter>()) == 0)
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test("another container can open each file with its models")
  func files() throws {
    try fill(ModelContext(try container()))
    let alone = ModelContext(
      try ModelContainer(
        for: Self.noteSchema, configurations: ModelConfiguration(url: folder.file("notes"))))
    #expect(try alone.fetch(FetchDescriptor<Note>()).map(\.title) == ["n"])
    let library = ModelContext(
      try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration(url: folder.file("books"))))
    #expect(try library.fetch(FetchDescriptor<Book>()).map(\.title) == ["a"])
    #expect(throws: (any Error).self) { try library.fetch(FetchDescriptor<Note>()) }
  }

  @Test("one of several store files can be opened as read-only only after its migration")
  func readOnlyFile() throws {
    try fill(ModelContext(try container()))
    func open(allowsSave: Bool) throws -> ModelContainer {
      try ModelContainer(
        for: Self.noteSchema,
        configurations: ModelConfiguration(url: folder.file("notes"), allowsSave: allowsSave))
    }
    let error = #expect(throws: SwiftDataError.self) { try open(allowsSave: false) }
    #expect(error == .loadIssueModelContainer)
    let cause = error?.underlyingError as? CocoaError
    #expect(cause?.code.rawValue == 134100)
    #expect(cause?.localizedDescription.contains("open it once for writing") == true)
    _ = try open(allowsSave: true)
    let context = ModelContext(try open(allowsSave: false))
    #expect(try context.fetch(FetchDescriptor<Note>()).map(\.title) == ["n"])
  }

  @Test("a save that one store rejects writes to no store")
  func atomicity() throws {
    let context = ModelContext(
      try ModelContainer(
        for: Self.schema, configurations: books,
        ModelConfiguration("notes", schema: Self.noteSchema, url: folder.file("notes"))))
    try fill(context)
    let readOnly = ModelContext(
      try ModelContainer(
        for: Self.schema, configurations: books,
        ModelConfiguration(
          "notes", schema: Self.noteSchema, url: folder.file("notes"), allowsSave: false)))
    try readOnly.fetch(FetchDescriptor<Note>()).first?.title = "m"
    readOnly.insert(Tag(name: "t"))
    #expect(throws: (any Error).self) { try readOnly.save() }
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 0)
    #expect(readOnly.insertedModelsArray.count == 1)
    #expect(readOnly.changedModelsArray.count == 1)
  }

  @Test("an in-memory store and a file work together")
  func mixed() throws {
    let container = try ModelContainer(
      for: Self.schema, configurations: books,
      ModelConfiguration("scratch", schema: Self.noteSchema, isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    try fill(context)
    let other = ModelContext(container)
    #expect(try other.fetch(FetchDescriptor<Note>()).map(\.title) == ["n"])
    #expect(!FileManager.default.fileExists(atPath: folder.file("notes").path))
    let next = ModelContext(
      try ModelContainer(
        for: Self.schema, configurations: books,
        ModelConfiguration("scratch", schema: Self.noteSchema, isStoredInMemoryOnly: true)))
    #expect(try next.fetchCount(FetchDescriptor<Book>()) == 1)
    #expect(try next.fetchCount(FetchDescriptor<Note>()) == 0)
  }

  @Test("the default file and an in-memory configuration without a name work together")
  func unnamed() throws {
    let container = try ModelContainer(
      for: Self.schema,
      configurations: ModelConfiguration(schema: Library.schema, url: folder.file("default")),
      ModelConfiguration(for: Note.self, isStoredInMemoryOnly: true))
    #expect(container.configurations.map(\.name) == ["default", "default"])
    let context = ModelContext(container)
    try fill(context)
    let book = try #require(try context.fetch(FetchDescriptor<Book>()).first)
    let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
    #expect(note.persistentModelID.storeIdentifier != book.persistentModelID.storeIdentifier)
  }

  @Test("new models are saved in the first writable store, and fetches search all stores")
  func shared() throws {
    try folder.with(Self.noteSchema) { context in
      context.insert(Note(title: "shipped"))
      try context.save()
    }
    let container = try ModelContainer(
      for: Self.noteSchema,
      configurations: ModelConfiguration("shipped", url: folder.file(), allowsSave: false),
      ModelConfiguration("own", url: folder.file("own")))
    let context = ModelContext(container)
    context.insert(Note(title: "own"))
    try context.save()
    let order = [SortDescriptor(\Note.title)]
    let notes = try ModelContext(container).fetch(FetchDescriptor(sortBy: order))
    #expect(notes.map(\.title) == ["own", "shipped"])
    #expect(
      try folder.with(Self.noteSchema) { try $0.fetch(FetchDescriptor<Note>()).map(\.title) } == [
        "shipped"
      ])
  }

  @Test("related models are saved in the same store")
  func relatedModels() throws {
    let tags = ModelConfiguration("tags", schema: Schema([Tag.self]), url: folder.file("tags"))
    let container = try ModelContainer(
      for: Self.schema, configurations: tags,
      ModelConfiguration("notes", schema: Self.noteSchema, url: folder.file("notes")))
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
    book.tags = [Tag(name: "t")]
    context.insert(book)
    try context.save()
    let other = ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Tag>()).first)
    #expect(found.books.map(\.title) == ["a"])
  }

  @Test("erasing a container erases all its files")
  func erasing() throws {
    let container = try container()
    try fill(ModelContext(container))
    try container.erase()
    let context = ModelContext(try self.container())
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 0)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test("erasing a container erases the other stores if one of them cannot be erased, and throws")
  func erasingPartly() throws {
    let container = try ModelContainer(
      for: Self.schema,
      configurations: [books, RefusingStoreConfiguration("notes", schema: Self.noteSchema)])
    let context = ModelContext(container)
    context.insert(Tag(name: "t"))
    try context.save()
    #expect(throws: CocoaError(.fileWriteNoPermission)) { try container.erase() }
    let alone = ModelContext(
      try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration(url: folder.file("books"))))
    #expect(try alone.fetchCount(FetchDescriptor<Tag>()) == 0)
  }

  // MARK: Configurations that contradict each other

  private func error(_ schema: Schema, _ configurations: ModelConfiguration...) -> SwiftDataError? {
    #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: schema, configurations: configurations)
    }
  }

  @Test("two configurations with the same name or file are rejected")
  func duplicates() throws {
    let name = error(
      Self.schema, books,
      ModelConfiguration("books", schema: Self.noteSchema, url: folder.file("notes")))
    #expect(name == .duplicateConfiguration)
    #expect(name?.explanation?.contains("books") == true)
    let unnamed = error(
      Self.schema, ModelConfiguration(schema: Library.schema, isStoredInMemoryOnly: true),
      ModelConfiguration(schema: Self.noteSchema, isStoredInMemoryOnly: true))
    #expect(unnamed == .duplicateConfiguration)
    let file = error(
      Self.schema, books,
      ModelConfiguration("notes", schema: Self.noteSchema, url: folder.file("books")))
    #expect(file == .duplicateConfiguration)
    #expect(file?.explanation?.contains("books.store") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("books").path))
  }

  @Test("a configuration with a model that the container does not have is rejected")
  func strangers() throws {
    let error = error(Library.schema, books, notes)
    #expect(error == .configurationSchemaNotFoundInContainerSchema)
    #expect(error?.explanation?.contains("Note") == true)
  }

  @Test("invalid file names are rejected")
  func names() {
    #expect(
      error(Self.noteSchema, ModelConfiguration("a/b"))
        == .configurationFileNameContainsInvalidCharacters)
    #expect(
      error(Self.noteSchema, ModelConfiguration(String(repeating: "n", count: 300)))
        == .configurationFileNameTooLong)
  }

  @Test("models without a configuration are saved in the first writable store")
  func unassigned() throws {
    let configurations = [
      ModelConfiguration("notes", schema: Self.noteSchema, url: folder.file("notes")),
      ModelConfiguration("more", schema: Self.noteSchema, url: folder.file("more")),
    ]
    let context = ModelContext(
      try ModelContainer(for: Self.schema, configurations: configurations))
    context.insert(Book(isbn: "1", title: "a", author: Author(name: "x")))
    context.insert(Note(title: "n"))
    try context.save()
    let next = ModelContext(try ModelContainer(for: Self.schema, configurations: configurations))
    #expect(try next.fetch(FetchDescriptor<Author>()).first?.books?.map(\.title) == ["a"])
    let (author, note) = (
      try next.fetch(FetchDescriptor<Author>()).first, try next.fetch(FetchDescriptor<Note>()).first
    )
    #expect(
      author?.persistentModelID.storeIdentifier == note?.persistentModelID.storeIdentifier)
  }

  @Test("an additional model in one store does not change the other stores")
  func addedModel() throws {
    let animals = Schema([Animal.self, AnimalHome.self])
    func open(_ types: [any PersistentModel.Type]) throws -> ModelContext {
      ModelContext(
        try ModelContainer(
          for: Schema(types),
          configurations: ModelConfiguration(
            "animals", schema: animals, url: folder.file("animals")),
          ModelConfiguration(
            "others", schema: Schema(types.filter { $0 != Animal.self }), url: folder.file("others")
          )))
    }
    do {
      let first = try open([Animal.self, Note.self])
      first.insert(Animal(name: "a", home: AnimalHome()))
      first.insert(Note(title: "n"))
      try first.save()
    }
    let next = try open([Animal.self, Note.self, Book.self])
    let animal = try #require(try next.fetch(FetchDescriptor<Animal>()).first)
    #expect(animal.name == "a" && animal.home?.animals.first === animal)
    #expect(try next.fetch(FetchDescriptor<Note>()).map(\.title) == ["n"])
    next.insert(Book(isbn: "1", title: "t"))
    next.insert(Animal(name: "b", home: animal.home))
    try next.save()
    #expect(animal.home?.animals.count == 2)
  }
}
