import Foundation
import OpenSwiftData
import Testing

/// Classes that were changed after a store was written, in ways that do not change the version
/// hash.
private enum Before {
  enum Kind: String, Codable { case letter, photo, film }
  struct Part: Codable, Equatable { var number: String }

  enum Mark: Codable, Equatable { case number(Int) }
  enum Wrapper: Codable, Equatable { case text(Int) }

  @Model final class Marked {
    var mark: Mark
    var wrapper: Wrapper
    init() {
      mark = .number(1)
      wrapper = .text(2)
    }
  }

  @Model final class Measure {
    var width: Int
    init(width: Int) { self.width = width }
  }

  @Model final class Record {
    var title: String
    var kind: Kind = Before.Kind.letter
    var parts: [Part] = []
    init(title: String) { self.title = title }
  }
}

private enum After {
  enum Kind: String, Codable { case letter, photo }
  struct Part: Codable, Equatable { var number: Int }

  enum Mark: Codable, Equatable {
    case words([String], Part?, kind: Kind)
    case none
  }
  enum Wrapper: Codable, Equatable { case text(String) }

  @Model final class Marked {
    var mark: Mark
    var wrapper: Wrapper
    init() {
      mark = .none
      wrapper = .text("")
    }
  }

  @Model final class Measure {
    var width: UInt32
    init(width: UInt32) { self.width = width }
  }

  @Model final class Record {
    var title: String
    var kind: Kind = After.Kind.photo
    var parts: [Part] = [After.Part(number: 7)]
    init(title: String) { self.title = title }
  }
}

private enum OneHouse {
  @Model final class Room {
    var name: String = ""
    init() {}
  }
}

private enum OtherHouse {
  @Model final class Room {
    var size: Int = 0
    init() {}
  }
}

@Suite("Invalid schemas and unreadable values")
struct BadInputTests {
  private func schemaError(_ schema: Schema) throws -> SchemaError {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(
        for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    #expect(error == .loadIssueModelContainer)
    let cause = try #require(error?.underlyingError as? SchemaError)
    #expect(error?.localizedDescription.contains(cause.message) == true)
    return cause
  }

  @Test("two models with the same name cause an error that names both")
  func names() throws {
    let error = try schemaError(Schema([OneHouse.Room.self, OtherHouse.Room.self]))
    #expect(error.code == .duplicateName && error.entityName == "Room")
    #expect(error.message.contains("OneHouse.Room") && error.message.contains("OtherHouse.Room"))
  }

  @Test("an inverse that the destination does not declare causes an error naming the relationship")
  func inverse() throws {
    let error = try schemaError(Schema([Wrong.Source.self]))
    #expect(error.code == .wrongInverse)
    #expect(error.entityName == "Source" && error.propertyName == "target")
  }

  @Test("a relationship to an entity outside the schema causes an error that names both")
  func destination() throws {
    let lost = Schema.Relationship()
    lost.name = "lost"
    lost.destination = "Nowhere"
    lost.valueType = Note?.self
    let error = try schemaError(Schema(Schema.Entity("Alone", properties: lost)))
    #expect(error.code == .unknownEntity && error.entityName == "Alone")
    #expect(error.propertyName == "lost" && error.message.contains("Nowhere"))
  }

  @Test("a type that cannot be stored causes an error that names the property")
  func type() throws {
    struct Plain {}
    let attribute = Schema.Attribute(name: "plain", valueType: Plain.self)
    let error = try schemaError(Schema(Schema.Entity("Alone", properties: attribute)))
    #expect(error.code == .unsupportedType)
    #expect(error.entityName == "Alone" && error.propertyName == "plain")
  }

  /// Expects that each save throws, because a property was read and has no usable value.
  private func expectUnread(
    _ property: String, in context: ModelContext, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for _ in 1...2 {
      let error = #expect(throws: CocoaError.self, sourceLocation: sourceLocation) {
        try context.save()
      }
      let cause = error?.userInfo[NSUnderlyingErrorKey] as? ModelValueError
      #expect(cause?.propertyName == property, sourceLocation: sourceLocation)
      #expect(error.map { "\($0)".contains(property) } == true, sourceLocation: sourceLocation)
    }
  }

  /// Writes a record with values that no longer decode.
  private func writeRecord(in folder: StoreFolder) throws {
    try folder.with(Schema([Before.Record.self])) { context in
      let record = Before.Record(title: "a")
      record.kind = .film
      record.parts = [Before.Part(number: "x")]
      context.insert(record)
      try context.save()
    }
  }

  @Test("values that no longer decode read as the default; saves name them until a rollback")
  func decoding() throws {
    let folder = try StoreFolder()
    try writeRecord(in: folder)
    try folder.with(Schema([After.Record.self])) { context in
      let record = try #require(try context.fetch(FetchDescriptor<After.Record>()).first)
      #expect(record.title == "a")
      #expect(record.kind == .photo)
      record.kind = .photo
      expectUnread("kind", in: context)
      context.rollback()
      #expect(record.parts == [After.Part(number: 7)])
      record.parts.append(After.Part(number: 8))
      expectUnread("parts.Index 0.number", in: context)
      context.rollback()
      record.title = "b"
      try context.save()
    }
    // Unwritten values do not change.
    try folder.with(Schema([Before.Record.self])) { context in
      let record = try #require(try context.fetch(FetchDescriptor<Before.Record>()).first)
      #expect(record.title == "b" && record.kind == .film)
      #expect(record.parts == [Before.Part(number: "x")])
    }
    try folder.with(Schema([After.Record.self])) { context in
      let record = try #require(try context.fetch(FetchDescriptor<After.Record>()).first)
      record.kind = .letter
      record.parts = []
      try context.save()
      #expect(record.kind == .letter && record.parts == [])
    }
  }

  @Test("a number out of the type's range reads as zero; saves name it until a rollback")
  func numbers() throws {
    let folder = try StoreFolder()
    try folder.with(Schema([Before.Measure.self])) { context in
      context.insert(Before.Measure(width: -1))
      try context.save()
    }
    try folder.with(Schema([After.Measure.self])) { context in
      let measure = try #require(try context.fetch(FetchDescriptor<After.Measure>()).first)
      #expect(measure.width == 0)
      measure.width += 1
      expectUnread("width", in: context)
      context.rollback()
      measure.width = 5
      try context.save()
      #expect(measure.width == 5)
    }
  }

  @Test("a default store throws for values that it cannot decode, and returns no substitutes")
  func snapshots() throws {
    let folder = try StoreFolder()
    try writeRecord(in: folder)
    let schema = Schema([After.Record.self])
    let state = try folder.with(schema) { $0.editingState }
    let store = try DefaultStore(ModelConfiguration(schema: schema, url: folder.file()))
    let request = DataStoreFetchRequest(
      descriptor: FetchDescriptor<After.Record>(), editingState: state)
    #expect(throws: CocoaError.self) { try store.fetch(request) }
    let identifiers = try store.fetchIdentifiers(request)
    #expect(identifiers.count == 1)
    #expect(throws: CocoaError.self) {
      try store.cachedSnapshots(for: identifiers, editingState: state)
    }
  }

  @Test("an enumeration that has lost its case reads as its first case; saves name it")
  func enumerations() throws {
    let folder = try StoreFolder()
    try folder.with(Schema([Before.Marked.self])) { context in
      context.insert(Before.Marked())
      try context.save()
    }
    try folder.with(Schema([After.Marked.self])) { context in
      let marked = try #require(try context.fetch(FetchDescriptor<After.Marked>()).first)
      #expect(marked.mark == .words([], nil, kind: .letter))
      expectUnread("mark", in: context)
      context.rollback()
      #expect(marked.wrapper == .text(""))
      expectUnread("wrapper.text._0", in: context)
    }
  }

  @Test("a file that is not a store causes an error that names it, and is not changed")
  func foreignFile() throws {
    let folder = try StoreFolder()
    let bytes = Data("This is no store.".utf8)
    try bytes.write(to: folder.file())
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Note.self, configurations: ModelConfiguration(url: folder.file()))
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.localizedDescription.contains("store.store") == true)
    #expect(try Data(contentsOf: folder.file()) == bytes)
  }
}
