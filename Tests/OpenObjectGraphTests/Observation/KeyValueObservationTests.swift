import Foundation
import OpenCoreData
import Testing

/// `observe(_:options:changeHandler:)` of managed objects.
@Suite("Key-value observing of managed objects")
struct KeyValueObservationTests {
  @Test("the handler is called after each set, before a save, with the old and the new value")
  func sets() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      var told: [String] = []
      let observation = book.observe(\.title, options: [.old, .new]) { book, change in
        told.append(
          "\((change.oldValue ?? nil) ?? "-") > \((change.newValue ?? nil) ?? "-") now \(book.title ?? "-")"
        )
        #expect(change.kind == .setting && !change.isPrior && change.indexes == nil)
      }
      book.title = "Emma"
      book.title = "Emma"
      book.setValue(nil, forKey: "title")
      book.pages = 7
      #expect(told == ["Dune > Emma now Emma", "Emma > Emma now Emma", "Emma > - now -"])
      observation.invalidate()
      observation.invalidate()
      book.title = "Persuasion"
      #expect(told.count == 3)
    }
  }

  @Test("without options, the change has no values; initial and prior each add one call")
  func options() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      var (plain, initial, prior): ([Int32?], [Int32?], [String]) = ([], [], [])
      let observations = [
        book.observe(\.pages) { plain += [$1.newValue, $1.oldValue] },
        book.observe(\.pages, options: [.initial, .new]) { initial.append($1.newValue) },
        book.observe(\.pages, options: [.prior, .old, .new]) { book, change in
          prior.append(
            "\(change.isPrior) \(change.oldValue ?? -1) \(change.newValue ?? -1) \(book.pages)")
        },
      ]
      #expect(initial == [400])
      book.pages = 7
      #expect(plain == [nil, nil])
      #expect(initial == [400, 7])
      #expect(prior == ["true 400 -1 400", "false 400 7 7"])
      observations.forEach { $0.invalidate() }
    }
  }

  @Test("a released observation ends, and retains neither object nor handler")
  func release() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      let held = NSObject()
      weak var handler: NSObject? = held
      var calls = 0
      do {
        let inner = NSObject()
        handler = inner
        let observation = book.observe(\.title) { _, _ in
          calls += 1
          withExtendedLifetime(inner) {}
        }
        book.title = "Emma"
        withExtendedLifetime(observation) {}
      }
      book.title = "Persuasion"
      #expect(calls == 1)
      #expect(handler == nil)
      weak var released: ObservedAuthor?
      var observation: NSKeyValueObservation?
      do {
        let author = stack.author("Austen")
        try stack.context.save()
        released = author
        observation = author.observe(\.name) { _, _ in }
      }
      #expect(released == nil)
      observation?.invalidate()
    }
  }

  @Test(
    "added and removed members are reported individually, a whole set as a setting, on both sides")
  func members() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      let (sand, wit) = (try #require(book.tags.first), stack.tag("wit"))
      var changes: [NSKeyValueObservedChange<Set<ObservedTag>>] = []
      var inverse: [NSKeyValueChange] = []
      let observations = [
        book.observe(\.tags, options: [.old, .new]) { changes.append($1) },
        wit.observe(\.books) { inverse.append($1.kind) },
      ]
      book.mutableSetValue(forKey: "tags").add(wit)
      book.mutableSetValue(forKey: "tags").add(wit)
      book.mutableSetValue(forKey: "tags").remove(sand)
      book.tags = [sand]
      wit.books = [book]
      #expect(changes.map(\.kind) == [.insertion, .removal, .setting, .insertion])
      #expect(changes.map(\.newValue) == [[wit], nil, [sand], [wit]])
      #expect(changes.map(\.oldValue) == [nil, [sand], [wit], nil])
      #expect(inverse == [.insertion, .removal, .setting])
      observations.forEach { $0.invalidate() }
    }
  }

  /// The reported changes of an ordered relationship: the kind, the indexes, and the added and removed names.
  private func changes(
    of book: ObservedBook, _ options: NSKeyValueObservingOptions = [.old, .new],
    by change: (NSMutableOrderedSet) -> Void
  ) -> [String] {
    var told: [String] = []
    let observation = book.observe(\.chapters, options: options) { _, change in
      let places = change.indexes.map { $0.map { "\($0)" }.joined(separator: ",") } ?? "all"
      let (new, old) = (names(change.newValue), names(change.oldValue))
      told.append("\(change.isPrior ? "prior " : "")\(change.kind) \(places) +\(new) -\(old)")
    }
    change(book.mutableOrderedSetValue(forKey: "chapters"))
    observation.invalidate()
    return told
  }

  private func names(_ set: NSOrderedSet?) -> String {
    (set?.array as? [ObservedChapter] ?? []).compactMap(\.name).joined(separator: " ")
  }

  @Test("added, removed and moved members of an ordered relationship have their indexes")
  func orderedMembers() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      let (two, three, four) = (stack.chapter("two"), stack.chapter("three"), stack.chapter("four"))
      let one = try #require(names(book.chapters).split(separator: " ").first)
      #expect(changes(of: book) { _ in two.book = book } == ["insertion 1 +two -"])
      #expect(
        changes(of: book) { $0.insert([three, four], at: [0, 2]) } == [
          "insertion 0,2 +three four -"
        ])
      #expect(names(book.chapters) == "three \(one) four two")
      #expect(
        changes(of: book) { $0.exchangeObject(at: 0, withObjectAt: 3) }
          == ["replacement 0,3 +two three -three two"])
      #expect(changes(of: book) { $0.add(three) } == [])
      #expect(
        changes(of: book) { $0.removeObjects(in: [two, four]) } == ["removal 0,2 + -two four"])
      #expect(
        changes(of: book) { $0.replaceObject(at: 0, with: four) }
          == ["replacement 0 +four -\(one)"])
      #expect(changes(of: book) { _ in four.book = nil } == ["removal 0 + -four"])
      #expect(changes(of: book) { _ in stack.context.delete(two) } == [])
      #expect(
        changes(of: book) { _ in book.chapters = NSOrderedSet(array: [four, three]) }
          == ["setting all +four three -three"])
      #expect(
        changes(of: book, [.prior, .old]) { $0.removeObject(at: 0) }
          == ["prior removal 0 + -four", "removal 0 + -four"])
    }
  }

  @Test("changes of primitive members that specify indexes are reported with them")
  func namedPlaces() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      let two = stack.chapter("two")
      let members = NSMutableOrderedSet(array: book.chapters.array)
      func change(_ kind: NSKeyValueChange, at place: Int, _ body: () -> Void) -> [String] {
        changes(of: book) { _ in
          book.willChange(kind, valuesAt: [place], forKey: "chapters")
          body()
          book.setPrimitiveValue(NSOrderedSet(array: members.array), forKey: "chapters")
          book.didChange(kind, valuesAt: [place], forKey: "chapters")
        }
      }
      let one = names(book.chapters)
      #expect(change(.insertion, at: 1) { members.add(two) } == ["insertion 1 +two -"])
      #expect(change(.removal, at: 0) { members.removeObject(at: 0) } == ["removal 0 + -\(one)"])
      #expect(change(.removal, at: 7) {} == ["removal 7 + -"])
      #expect(names(book.chapters) == "two")
      #expect(book.hasChanges)
    }
  }

  @Test("the inverse of a relationship reports its change")
  func inverses() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      let austen = stack.author("Austen")
      var names: [String?] = []
      let observation = book.observe(\.author, options: [.new]) { _, change in
        names.append((change.newValue ?? nil)?.name)
      }
      austen.books = [book]
      austen.books = []
      stack.context.delete(book)
      #expect(names == ["Austen", nil])
      observation.invalidate()
    }
  }

  @Test("a key path through to-one relationships follows them")
  func keyPaths() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      let (herbert, austen) = (try #require(book.author), stack.author("Austen"))
      var names: [String] = []
      let observation = book.observe(\.author?.name, options: [.old, .new]) { _, change in
        names.append("\((change.oldValue ?? nil) ?? "-") > \((change.newValue ?? nil) ?? "-")")
      }
      herbert.name = "Frank"
      book.author = austen
      herbert.name = "Nobody"
      austen.name = "Jane"
      book.author = nil
      austen.name = "Nobody"
      #expect(names == ["Herbert > Frank", "Frank > Austen", "Austen > Jane", "Jane > -"])
      observation.invalidate()
    }
  }

  @Test(
    "merges, refreshes and rollbacks report changed values",
    arguments: ObservedStack.stores)
  func events(_ type: String) throws {
    let stack = try ObservedStack(type, tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      var (titles, pages): ([String], Int) = ([], 0)
      let observations = [
        book.observe(\.title, options: [.old, .new]) { _, change in
          titles.append("\((change.oldValue ?? nil) ?? "-") > \((change.newValue ?? nil) ?? "-")")
        },
        book.observe(\.pages) { _, _ in pages += 1 },
      ]
      try stack.changeElsewhere(book) { $0.title = "Emma" }
      #expect(titles == ["Dune > Emma"])
      try stack.changeElsewhere(book, merges: false) { $0.title = "Persuasion" }
      stack.context.refreshAllObjects()
      #expect(titles == ["Dune > Emma", "Emma > Persuasion"])
      #expect(!book.isFault)
      book.title = "Sanditon"
      stack.context.rollback()
      #expect(titles.suffix(2) == ["Persuasion > Sanditon", "Sanditon > Persuasion"])
      try stack.context.save()
      stack.context.refreshAllObjects()
      #expect(titles.count == 4 && pages == 0)
      observations.forEach { $0.invalidate() }
    }
  }

  @Test(
    "an unknown or empty key is never reported, and the next save throws"
  )
  func unknownKeyPaths() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      var calls = 0
      let observation = book.observe(\.objectID, options: [.initial]) { _, _ in calls += 1 }
      book.title = "Emma"
      #expect(calls == 0)
      #expect(throws: ObjectError.self) { try stack.context.save() }
      try stack.context.save()
      observation.invalidate()
    }
  }

  @Test("set mutations of primitive values are reported with their members")
  func setMutations() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      let wit = stack.tag("wit")
      var changes: [NSKeyValueObservedChange<Set<ObservedTag>>] = []
      let observation = book.observe(\.tags, options: [.old, .new]) { changes.append($1) }
      book.willChangeValue(forKey: "tags", withSetMutation: .union, using: [wit])
      book.didChangeValue(forKey: "tags", withSetMutation: .union, using: [wit])
      book.willChangeValue(forKey: "tags", withSetMutation: .minus, using: [wit])
      book.didChangeValue(forKey: "tags", withSetMutation: .minus, using: [wit])
      #expect(changes.map(\.kind) == [.insertion, .removal])
      #expect(changes.map(\.newValue) == [[wit], nil])
      #expect(changes.map(\.oldValue) == [nil, [wit]])
      observation.invalidate()
    }
  }

  @Test("a handler can set properties and end its observation")
  func reentrancy() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      var observation: NSKeyValueObservation?
      var calls = 0
      observation = book.observe(\.title) { book, _ in
        calls += 1
        observation?.invalidate()
        book.title = "Persuasion"
        book.pages = 7
      }
      book.title = "Emma"
      #expect((calls, book.title, book.pages) == (1, "Persuasion", 7))
      observation = nil
    }
  }
}
