import Foundation
import OpenCoreData
import Testing

@Suite("Large predicates return the correct rows, or an error that names the exceeded limit")
struct HostileSizeTests {
  @Test("a list of 50,000 values of each type")
  func longLists() throws {
    let store = try NoteStore()
    let day = Date(timeIntervalSinceReferenceDate: 1000.25)
    let code = UUID()
    try store.fill(4) { note, rank in
      note.setValue(Double(rank) + 0.1, forKey: "price")
      note.setValue(day + Double(rank), forKey: "date")
      note.setValue(rank == 2 ? code : UUID(), forKey: "code")
      note.setValue(Data([UInt8(rank)]), forKey: "bytes")
    }
    let numbers = 1..<50_001
    try check(store, "rank", numbers.map { $0 + 2 }, [3])
    try check(store, "body", numbers.map { "body \($0)" } + ["'\"\u{0}\\"], [1, 2, 3])
    try check(store, "price", numbers.map { Double($0) + 0.1 }, [1, 2, 3])
    let reals = numbers.map { Double($0) + 0.1 }
    try check(store, "price", [Double.nan, .infinity] + reals, [1, 2, 3])
    try check(store, "date", numbers.map { day + Double($0) }, [1, 2, 3])
    try check(store, "code", numbers.map { _ in UUID() } + [code], [2])
    try check(store, "bytes", numbers.map { Data([UInt8($0 & 0xFF), 1]) } + [Data([3])], [3])
    try check(store, "body", numbers.map { "BODY \($0)" }, [1, 2, 3], options: "[c]", count: 5000)
  }

  private func check(
    _ store: NoteStore, _ key: String, _ list: [Any], _ expected: [Int], options: String = "",
    count: Int = .max
  ) throws {
    let list = list.count > count ? Array(list.prefix(count)) : list
    let member = NSPredicate(format: "%K IN\(options) %@", key, list)
    #expect(try store.ranks(member) == expected, "\(key)")
    let rest = (0..<4).filter { !expected.contains($0) }
    let other = NSCompoundPredicate(notPredicateWithSubpredicate: member)
    #expect(try store.ranks(other) == rest, "\(key)")
  }

  @Test("a list of 50,000 objects, and of their ids")
  func longListOfObjects() throws {
    let store = try NoteStore()
    try store.fill(1)
    try store.context.performAndWait {
      var people: [NSManagedObject] = []
      for _ in 0..<2_000 {
        people.append(
          NSEntityDescription.insertNewObject(forEntityName: "Person", into: store.context))
      }
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: store.context)
      note.setValue(9, forKey: "rank")
      note.setValue(people[77], forKey: "owner")
      try store.context.save()
      let many = (0..<25).flatMap { _ in people }
      #expect(try store.ranks(NSPredicate(format: "owner IN %@", many)) == [9])
      #expect(try store.ranks(NSPredicate(format: "owner IN %@", many.map(\.objectID))) == [9])
      #expect(try store.ranks(NSPredicate(format: "SELF IN %@", [note])) == [9])
    }
  }

  @Test("forty lists of a thousand members have more values than SQLite binds")
  func manyLists() throws {
    let store = try NoteStore()
    try store.fill(3)
    let list = (0..<1000).map { $0 + 1 }
    let part = NSPredicate(format: "rank IN %@", list)
    let all = NSCompoundPredicate(andPredicateWithSubpredicates: Array(repeating: part, count: 40))
    try expectRows(store, all, [1, 2])
  }

  /// Expects the correct rows, or an error with a documented code and a message.
  private func expectRows(
    _ store: NoteStore, _ predicate: NSPredicate, _ expected: [Int],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    do {
      let ranks = try store.ranks(predicate)
      #expect(ranks == expected, sourceLocation: sourceLocation)
    } catch let error as CocoaError {
      #expect(error.code == .coreData, "\(error)", sourceLocation: sourceLocation)
      #expect(!error.localizedDescription.isEmpty, sourceLocation: sourceLocation)
    } catch let error as PredicateFormatError {
      #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
    }
  }

  @Test("200 conditions that are all true, and 2,000 conditions of which one is true")
  func wide() throws {
    let store = try NoteStore()
    try store.fill(3)
    let and = (0..<200).map { "rank != \($0 + 5)" }.joined(separator: " AND ")
    #expect(try store.ranks(NSPredicate(format: and)) == [0, 1, 2])
    let or = (0..<2_000).map { "rank == \($0 + 2)" }.joined(separator: " OR ")
    #expect(try store.ranks(NSPredicate(format: or)) == [2])
    let mixed = (0..<2_000).map { $0 % 2 == 0 ? "rank == \($0 + 2)" : "price > \($0)" }
    #expect(try store.ranks(NSPredicate(format: mixed.joined(separator: " OR "))) == [2])
    let built = NSCompoundPredicate(
      orPredicateWithSubpredicates: (0..<2_000).map {
        NSPredicate(format: "body == %@", "body \($0 + 1)")
      })
    #expect(try store.ranks(built) == [1, 2])
    let both = NSCompoundPredicate(
      andPredicateWithSubpredicates: (0..<2_000).map {
        NSPredicate(format: "body != %@", "\($0)")
      })
    #expect(try store.ranks(both) == [0, 1, 2])
  }

  @Test("5,000 alternatives return rows or an error")
  func veryWide() throws {
    let store = try NoteStore()
    try store.fill(3)
    let or = NSCompoundPredicate(
      orPredicateWithSubpredicates: (0..<5_000).map {
        NSPredicate(format: "rank == %ld", $0 + 2)
      })
    try expectRows(store, or, [2])
    let literals = (0..<5_000).map { "rank == \($0 + 2)" }.joined(separator: " OR ")
    try expectRows(store, NSPredicate(format: literals), [2])
  }

  @Test("predicates nested as deeply as the parser allows, and deeper ones built in code")
  func deep() throws {
    let store = try NoteStore()
    try store.fill(3)
    let nots = String(repeating: "NOT (", count: 96) + "rank == 1"
    #expect(
      try store.ranks(NSPredicate(format: nots + String(repeating: ")", count: 96))) == [1])
    for (levels, mustWork) in [(20, true), (90, false)] {
      var nested = "rank == 1"
      for level in 0..<levels {
        nested = "(\(nested) \(level % 2 == 0 ? "OR rank == 77" : "AND rank < 50"))"
      }
      try expectRows(store, NSPredicate(format: nested), [1])
      if mustWork { #expect(try store.ranks(NSPredicate(format: nested)) == [1]) }
    }
    var sum = "rank"
    for _ in 0..<90 { sum = "(\(sum) + 1)" }
    #expect(try store.ranks(NSPredicate(format: "\(sum) == 91")) == [1])
    var built = NSPredicate(format: "rank == 1")
    for _ in 0..<5_000 { built = NSCompoundPredicate(notPredicateWithSubpredicate: built) }
    try expectRows(store, built, [1])
  }

  @Test("a path over 100 relationships returns rows or an error")
  func manyJoins() throws {
    let store = try NoteStore()
    try store.fill(2)
    let path = "owner." + String(repeating: "parent.", count: 100) + "name"
    try expectRows(store, NSPredicate(format: "\(path) == 'x'"), [])
    let wide = (1..<80).map { count in
      "owner." + String(repeating: "parent.", count: count) + "name == 'x'"
    }
    try expectRows(store, NSPredicate(format: wide.joined(separator: " OR ")), [])
    let some = "owner." + String(repeating: "parent.", count: 40) + "name"
    #expect(try store.ranks(NSPredicate(format: "\(some) == nil")) == [0, 1])
    var exists = "TRUEPREDICATE"
    for level in 0..<60 {
      exists = "SUBQUERY($v\(level).children, $v\(level + 1), \(exists)).@count > 0"
    }
    try expectRows(
      store, NSPredicate(format: "SUBQUERY(owner.children, $v0, \(exists)).@count > 0"), [])
  }

  @Test("an entity that exceeds SQLite's column limit is rejected with a message")
  func manyColumns() throws {
    for (count, isRefused) in [(1_500, false), (2_500, true)] {
      let wide = NoteModel.entity("Wide", (0..<count).map { ("a\($0)", .integer16AttributeType) })
      let model = NSManagedObjectModel()
      model.entities = [wide]
      do {
        let store = try NoteStore(model: model)
        #expect(!isRefused)
        try store.context.performAndWait {
          let object = NSEntityDescription.insertNewObject(
            forEntityName: "Wide", into: store.context)
          object.setValue(5, forKey: "a\(count - 1)")
          try store.context.save()
          let request = NSFetchRequest<NSManagedObject>(entityName: "Wide")
          request.predicate = NSPredicate(format: "a\(count - 1) == 5")
          #expect(try store.context.fetch(request).count == 1)
        }
      } catch let error as CocoaError {
        #expect(isRefused)
        #expect(error.localizedDescription.contains("olumns"))
      }
    }
  }
}
