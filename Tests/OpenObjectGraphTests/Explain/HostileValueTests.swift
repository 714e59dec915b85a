import Foundation
import OpenCoreData
import Testing

@Suite("Values of predicates never become SQL")
struct HostileValueTests {
  static let hostile = [
    "'; DROP TABLE ZNOTE; --", "\" OR 1=1 --", "/* x */", "?1", ":name", "@p", "$x", "%s%n",
    "a\u{0}b", "\u{0}", "\\'", "`", "[x]", "\u{202E}x", "\u{FFFF}", "\u{10FFFF}", "e\u{301}",
    "\u{301}a", "\u{200D}x",
    "line\nfeed", "100%_*?", "", "NULL", "x'00'",
  ]

  @Test(
    "texts of all kinds are found unchanged, and appear in no statement",
    arguments: HostileValueTests.hostile)
  func texts(_ text: String) throws {
    let store = try NoteStore()
    try store.fill(3) { note, rank in if rank == 1 { note.setValue(text, forKey: "body") } }
    store.recorder.removeAll()
    for format in ["body == %@", "%@ == body", "body IN {%@}", "NOT body != %@ AND body != nil"] {
      #expect(try store.ranks(NSPredicate(format: format, text)) == [1], "\(format)")
    }
    #expect(try store.ranks(NSPredicate(format: "body IN %@", [text, "no"])) == [1])
    #expect(try store.ranks(NSPredicate(format: "body BEGINSWITH %@", text)).contains(1))
    let variable = NSPredicate(format: "$x == body").withSubstitutionVariables(["x": text])
    #expect(try store.ranks(variable) == [1])
    #expect(try store.ranks(NSPredicate(format: "body IN[cd] %@", [text])) == [1])
    if !text.isEmpty {
      #expect(try store.ranks(NSPredicate(format: "body CONTAINS %@", text)).contains(1))
    }
    if text.utf8.count > 4 {
      #expect(!store.recorder.all.contains { $0.contains(text) })
    }
  }

  @Test("literals of a format are bound as well")
  func literals() throws {
    let store = try NoteStore()
    try store.fill(2)
    store.recorder.removeAll()
    #expect(try store.ranks(NSPredicate(format: "body == 'hush; --' OR rank == 4711")).isEmpty)
    #expect(!store.recorder.all.contains { $0.contains("hush") || $0.contains("4711") })
  }

  @Test("invalid Unicode returns no rows or an error, and does not trap")
  func invalidUnicode() throws {
    let store = try NoteStore()
    try store.fill(2)
    let lone: [unichar] = [0x61, 0xD800, 0x62]
    let text = lone.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { NSString(characters: $0, length: 3) } ?? ""
    }
    let bytes = String(decoding: [0xFF, 0xFE, 0x61] as [UInt8], as: UTF8.self)
    for argument in [text, bytes as NSString] {
      for format in ["body == %@", "body BEGINSWITH %@", "body LIKE[cd] %@", "body IN {%@}"] {
        #expect(try store.ranks(NSPredicate(format: format, argument)).isEmpty)
      }
    }
  }

  @Test("an argument of a megabyte is compared, searched and matched")
  func longArgument() throws {
    let store = try NoteStore()
    let long = String(repeating: "a'", count: 1 << 19)
    try store.fill(2) { note, rank in if rank == 1 { note.setValue(long, forKey: "body") } }
    for format in [
      "body == %@", "body BEGINSWITH %@", "body CONTAINS %@", "body ENDSWITH %@", "body LIKE %@",
    ] {
      #expect(try store.ranks(NSPredicate(format: format, long)) == [1], "\(format)")
    }
    let data = Data(repeating: 7, count: 1 << 20)
    #expect(try store.ranks(NSPredicate(format: "bytes == %@", data as NSData)).isEmpty)
  }

  @Test(
    "invalid keys select no rows or cause an error, and are never executed as SQL",
    arguments: [
      "x'; DROP TABLE ZNOTE", "Z_PK", "t0.ZBODY", "body\" --", "", ".", "body.", "a..b", "@",
      "@count",
      "notes.@x", "self", "\u{0}", "owner.nothing", "tags.@count.@count", "secret.x",
    ])
  func unknownKeys(_ key: String) throws {
    let store = try NoteStore()
    try store.fill(1)
    store.recorder.removeAll()
    let predicate = NSPredicate(format: "%K == 1", key)
    do {
      #expect(try store.ranks(predicate).isEmpty)
    } catch let error as CocoaError {
      #expect(!error.localizedDescription.isEmpty)
    } catch {
      #expect(!"\(error)".isEmpty)
    }
    #expect(!store.recorder.all.contains { $0.contains("DROP") })
  }

  @Test("invalid sort keys and columns cause an error")
  func unknownSortKeys() throws {
    let store = try NoteStore()
    for key in ["body; --", "nothing", "tags", "owner.nothing"] {
      #expect(throws: (any Error).self, "\(key)") {
        try store.explanation { $0.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
      }
      #expect(throws: (any Error).self, "\(key)") {
        try store.explanation {
          $0.resultType = .dictionaryResultType
          $0.propertiesToFetch = [key]
        }
      }
    }
  }

  @Test(
    "model names that look like SQL are names",
    arguments: ["O'Neil", "A\"B", "X; DROP TABLE Y", "a b", "SELECT", "é", "a--b"])
  func hostileNames(_ name: String) throws {
    let entity = NoteModel.entity("Thing", [("name", .stringAttributeType)])
    entity.name = name
    entity.properties += NoteModel.entity("x", [(name, .integer64AttributeType)]).properties
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let store: NoteStore
    do { store = try NoteStore(model: model) } catch is CocoaError { return }
    try store.context.performAndWait {
      let object = NSEntityDescription.insertNewObject(forEntityName: name, into: store.context)
      object.setValue(7, forKey: name)
      try store.context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.predicate = NSPredicate(format: "%K == 7", name)
      request.sortDescriptors = [NSSortDescriptor(key: name, ascending: false)]
      #expect(try store.context.fetch(request).count == 1)
      let explanation = try store.context.explanation(of: request)
      #expect(explanation.stores.first?.fullScans.map(\.name) == ["Z" + name.uppercased()])
    }
  }
}
