import Foundation
import OpenCoreData
import Testing

/// Regression tests for the findings of the store fuzzer.
@Suite("A SQLite store and an in-memory store select the same rows")
struct StoresAgreeTests {
  private func stores() throws -> [NoteStore] {
    try [NSSQLiteStoreType, NSInMemoryStoreType].map { type in
      let store = try NoteStore(type)
      try store.fill(4) { note, rank in
        note.setValue([nil, 0.1, 5.5, Double.infinity][rank], forKey: "price")
        note.setValue(["a\u{0}b", "a", "Été", nil][rank], forKey: "body")
        note.setValue(rank == 2, forKey: "flag")
      }
      return store
    }
  }

  @Test(
    "not-a-number is null",
    arguments: [
      ("price * 0 == 0", [1, 2]), ("price * 0 != 1", [1, 2]),
      ("modulus:by:(price, 1) > 0.2", [2]), ("modulus:by:(5.5, rank) == 1.5", [2]),
      ("modulus:by:(price, 2) == 1.5", [2]),
    ])
  func numbers(_ format: String, _ expected: [Int]) throws {
    for store in try stores() {
      #expect(try store.ranks(NSPredicate(format: format)) == expected)
    }
  }

  @Test("decimal arguments are calculated as numbers")
  func decimals() throws {
    let half = NSDecimalNumber(string: "1.5")
    for store in try stores() {
      #expect(try store.ranks(NSPredicate(format: "(price * %@) / 0.1 < 1.6", half)) == [1])
      #expect(try store.ranks(NSPredicate(format: "(price - %@) > 1000", half)) == [3])
    }
  }

  @Test("a NaN argument is neither equal to nor different from any value")
  func notANumber() throws {
    for store in try stores() {
      #expect(try store.ranks(NSPredicate(format: "price == %@", Double.nan as NSNumber)).isEmpty)
      #expect(
        try store.ranks(NSPredicate(format: "NOT price IN %@", [Double.nan, 0.1])) == [2, 3])
    }
  }

  @Test("lists in case-insensitive comparisons can contain texts with zero bytes")
  func zeroBytes() throws {
    for store in try stores() {
      #expect(
        try store.ranks(NSPredicate(format: "body IN[cd] %@", ["A\u{0}B", "ete"])) == [0, 2])
      let long = (0..<2_000).map { "x\($0)" } + ["a\u{0}b"]
      #expect(try store.ranks(NSPredicate(format: "body IN %@", long)) == [0])
    }
  }

  @Test("a URL argument is compared as text, also ignoring case")
  func url() throws {
    let url = try #require(URL(string: "A"))
    for store in try stores() {
      #expect(try store.ranks(NSPredicate(format: "body ==[c] %@", url as NSURL)) == [1])
    }
  }

  @Test(
    "properties of incomparable types are rejected, like constants",
    arguments: [
      "title == rank", "date < code", "owner == rank", "bytes == body", "SELF == owner",
      "rank BETWEEN {0, title}", "ANY tags.word == price",
    ])
  func families(_ format: String) throws {
    for store in try stores() {
      let error = #expect(throws: CocoaError.self) {
        try store.ranks(NSPredicate(format: format))
      }
      #expect(error?.code == .coreData)
    }
  }

  @Test("an object of another entity with the same key is a different object")
  func otherEntity() throws {
    for store in try stores() {
      try store.context.performAndWait {
        let person = NSEntityDescription.insertNewObject(
          forEntityName: "Person", into: store.context)
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: store.context)
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: store.context)
        note.setValue(person, forKey: "owner")
        note.setValue(9, forKey: "rank")
        try store.context.save()
        #expect(try store.ranks(NSPredicate(format: "owner == %@", person)) == [9])
        #expect(try store.ranks(NSPredicate(format: "owner == %@", tag)).isEmpty)
        #expect(try store.ranks(NSPredicate(format: "owner IN %@", [tag])).isEmpty)
        #expect(try store.ranks(NSPredicate(format: "owner != %@", tag)) == [9])
      }
    }
  }

  @Test("whole seconds are divided like other dates, and cast to the same text")
  func wholeSeconds() throws {
    for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
      let store = try NoteStore(type)
      try store.fill(3) { note, rank in
        note.setValue(
          Date(timeIntervalSinceReferenceDate: [0, 5_400, 5_400.5][rank]), forKey: "date")
      }
      #expect(try store.ranks(NSPredicate(format: "date / 3600 >= 1.5")) == [1, 2])
      #expect(try store.ranks(NSPredicate(format: "(date - 1800) / 7200 == 0.5")) == [1])
      #expect(
        try store.ranks(NSPredicate(format: "CAST(date, 'NSString') == '5400'")) == [1])
    }
  }

  @Test("bitwise operators drop the fraction of a number")
  func bits() throws {
    for store in try stores() {
      // The prices are null, 0.1, 5.5 and infinity.
      #expect(try store.ranks(NSPredicate(format: "price & 4 == 4")) == [2, 3])
      #expect(try store.ranks(NSPredicate(format: "rank | %@ == 6", 6.9 as NSNumber)) == [0, 2])
      #expect(try store.ranks(NSPredicate(format: "rank ^ %@ == 7", 5.9 as NSNumber)) == [2])
    }
  }

  @Test("computed text is sorted by the comparison of its sort descriptor")
  func computedOrder() throws {
    for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
      let container = try NSPersistentContainer.loaded(
        "Notes", NoteModel.make(), [NSPersistentStoreDescription(type: type)])
      let context = container.newBackgroundContext()
      try context.performAndWait {
        for title in ["b", "A", "C"] {
          let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
          person.setValue(title, forKey: "name")
          let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
          note.setValue(title, forKey: "title")
          note.setValue(person, forKey: "owner")
        }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [
          NSSortDescriptor(
            key: "notes.@min.title", ascending: true, comparison: .caseInsensitive)
        ]
        let names = try context.fetch(request).map { $0.value(forKey: "name") as? String }
        #expect(names == ["A", "b", "C"])
      }
    }
  }
}
