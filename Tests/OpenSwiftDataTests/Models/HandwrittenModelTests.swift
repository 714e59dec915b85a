import Foundation
import Observation
import OpenSwiftData
import Testing

/// Models that conform to the protocol without the macro.
private enum Notebook {
  final class Jotting: PersistentModel {
    var id: UUID {
      get { getValue(forKey: \.id) }
      set { setValue(forKey: \.id, to: newValue) }
    }
    var title: String {
      get {
        registrar.access(self, keyPath: \.title)
        return getValue(forKey: \.title)
      }
      set {
        registrar.withMutation(of: self, keyPath: \.title) {
          setValue(forKey: \.title, to: newValue)
        }
      }
    }
    var tags: [String] {
      get { getValue(forKey: \.tags) }
      set { setValue(forKey: \.tags, to: newValue) }
    }
    var source: String? {
      get { getValue(forKey: \.source) }
      set { setValue(forKey: \.source, to: newValue) }
    }
    var scraps: [Scrap] {
      get { getValue(forKey: \.scraps) }
      set { setValue(forKey: \.scraps, to: newValue) }
    }

    private var backing: any BackingData<Jotting> = Jotting.createBackingData()
    var persistentBackingData: any BackingData<Jotting> {
      get { backing }
      set { backing = newValue }
    }
    private let registrar = ObservationRegistrar()

    static var schemaMetadata: [Schema.PropertyMetadata] {
      [
        Schema.PropertyMetadata(
          name: "id", keypath: \Jotting.id, metadata: Schema.Attribute(.unique)),
        Schema.PropertyMetadata(name: "title", keypath: \Jotting.title),
        Schema.PropertyMetadata(name: "tags", keypath: \Jotting.tags),
        Schema.PropertyMetadata(name: "source", keypath: \Jotting.source),
        Schema.PropertyMetadata(
          name: "scraps", keypath: \Jotting.scraps,
          metadata: Schema.Relationship(deleteRule: .cascade)),
      ]
    }

    required init(backingData: any BackingData<Jotting>) { persistentBackingData = backingData }

    init(title: String, scraps: [Scrap]) {
      backing.setValue(forKey: \.id, to: UUID())
      backing.setValue(forKey: \.title, to: title)
      backing.setValue(forKey: \.tags, to: ["new"])
      backing.setValue(forKey: \.scraps, to: scraps)
    }
  }

  final class Scrap: PersistentModel {
    var text: String {
      get { getValue(forKey: \.text) }
      set { setValue(forKey: \.text, to: newValue) }
    }

    private var backing: any BackingData<Scrap> = Scrap.createBackingData()
    var persistentBackingData: any BackingData<Scrap> {
      get { backing }
      set { backing = newValue }
    }

    static var schemaMetadata: [Schema.PropertyMetadata] {
      [Schema.PropertyMetadata(name: "text", keypath: \Scrap.text)]
    }

    required init(backingData: any BackingData<Scrap>) { persistentBackingData = backingData }

    init(text: String) { backing.setValue(forKey: \.text, to: text) }
  }
}

@Suite("Models without the macro")
struct HandwrittenModelTests {
  private typealias Jotting = Notebook.Jotting

  private func context(inMemory: Bool) throws -> ModelContext {
    try Library.context(Schema([Jotting.self, Notebook.Scrap.self]), inMemory: inMemory)
  }

  @Test("values and relationships are saved and fetched", arguments: [true, false])
  func saving(inMemory: Bool) throws {
    let context = try context(inMemory: inMemory)
    let jotting = Jotting(title: "a", scraps: [Notebook.Scrap(text: "x")])
    context.insert(jotting)
    jotting.title = "b"
    jotting.tags.append("u")
    try context.save()
    let reader = ModelContext(context.container)
    let found = try #require(
      try reader.fetch(FetchDescriptor<Jotting>(predicate: #Predicate { $0.title == "b" })).first)
    #expect(found.id == jotting.id && found.tags == ["new", "u"] && found.source == nil)
    #expect(found.scraps.map(\.text) == ["x"])
    #expect(found.persistentModelID == jotting.persistentModelID)
    reader.delete(found)
    try reader.save()
    #expect(try reader.fetchCount(FetchDescriptor<Notebook.Scrap>()) == 0)
  }

  @Test("a context has one instance for each row, which may be deallocated")
  func instances() throws {
    let context = try context(inMemory: true)
    context.insert(Jotting(title: "a", scraps: []))
    try context.save()
    weak var forgotten: Jotting?
    do {
      let one = try #require(try context.fetch(FetchDescriptor<Jotting>()).first)
      let other = try #require(try context.fetch(FetchDescriptor<Jotting>()).first)
      #expect(one === other)
      forgotten = one
    }
    #expect(forgotten == nil)
    #expect(try context.fetch(FetchDescriptor<Jotting>()).map(\.title) == ["a"])
  }

  @Test("a new model that a relationship inserts is the instance of its context")
  func insertedByRelationship() throws {
    let context = try context(inMemory: true)
    let scrap = Notebook.Scrap(text: "x")
    context.insert(scrap)
    let jotting = Jotting(title: "a", scraps: [])
    jotting.scraps = [scrap]
    #expect(jotting.modelContext === context)
    #expect(try context.fetch(FetchDescriptor<Jotting>()).first === jotting)
  }

  @Test("changes are observed")
  func observation() throws {
    let context = try context(inMemory: true)
    let jotting = Jotting(title: "a", scraps: [])
    context.insert(jotting)
    let changes = Counter()
    withObservationTracking {
      _ = jotting.title
    } onChange: {
      changes.count()
    }
    jotting.title = "b"
    #expect(changes.value > 0)
  }
}
