import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Keys that are not in the model are errors at every position.
@Suite("Unknown keys in requests")
struct UnknownKeyTests {
  private static var block: NSPredicate { NSPredicate { _, _ in true } }

  private func run(_ body: (FetchingStack) throws -> Void) throws {
    for type in FetchingModel.stores {
      let stack = try FetchingStack(type)
      try stack.context.performAndWait {
        try stack.seed()
        try body(stack)
      }
    }
  }

  @Test("a predicate with an unknown key throws, also next to parts that run in memory")
  func predicates() throws {
    let unknown = NSPredicate(format: "nothing == 1")
    let parts: [NSPredicate] = [
      unknown, NSPredicate(format: "owner.nothing == 1"), NSPredicate(format: "name.nothing == 1"),
      NSPredicate(format: "NOT nothing == nil"), NSPredicate(format: "%@ IN nothing", NSNull()),
      NSPredicate(format: "owner.items.nothing.@count == 1"),
      NSPredicate(format: "ANY owner.items.nothing == nil"),
      NSPredicate(format: "SUBQUERY(owner.items, $x, $x.nothing == 1).@count > 0"),
      NSPredicate(format: "owner.items[0].nothing == 1"),
      NSPredicate(format: "owner.items[LAST].owner.nothing == 1"),
      NSPredicate(format: "owner.nothing[0] == 1"),
      NSCompoundPredicate(orPredicateWithSubpredicates: [Self.block, unknown]),
      NSCompoundPredicate(orPredicateWithSubpredicates: [unknown, Self.block]),
      NSCompoundPredicate(andPredicateWithSubpredicates: [Self.block, unknown]),
      NSCompoundPredicate(
        notPredicateWithSubpredicate: NSCompoundPredicate(
          orPredicateWithSubpredicates: [Self.block, unknown])),
    ]
    try run { stack throws in
      for part in parts {
        for isChanged in [false, true] {
          if isChanged { stack.insert("Item", ["name": "new"]) }
          let request = FetchingStack.request()
          request.predicate = part
          #expect(throws: CocoaError.self, "\(part)") { try stack.context.fetch(request) }
          #expect(throws: CocoaError.self, "\(part)") { try stack.context.count(for: request) }
          stack.context.rollback()
        }
      }
    }
  }

  @Test("a function that does not exist throws, also in an operand and after a key")
  func functions() throws {
    try run { stack throws in
      for format in [
        "FUNCTION(name, 'nothingForTests:') == 1", "NOT FUNCTION(name, 'nothingForTests:') == 1",
        "FUNCTION(owner.items, 'nothingForTests:') == 1",
        "FUNCTION(name, 'nothingForTests:').length == 1",
        "uppercase:(FUNCTION(name, 'nothingForTests:')) == 'A'",
        "FUNCTION(nothing, 'uppercase:') == 'A'",
      ] {
        #expect(throws: CocoaError.self, "\(format)") {
          try stack.names(FetchingStack.request(format))
        }
      }
      PredicateFunctions.register("initialOfUnknownKeyTests:") { operands in
        (operands.first as? String)?.first.map(String.init)
      }
      defer { PredicateFunctions.unregister("initialOfUnknownKeyTests:") }
      let request = FetchingStack.request("FUNCTION(name, 'initialOfUnknownKeyTests:') == 'a'")
      #expect(try stack.names(request) == "a")
    }
  }

  @Test("a number in place of a collection throws, and so does a sum of strings")
  func numbersAsCollections() throws {
    try run { stack throws in
      for (format, arguments) in [
        ("rank IN 9", []), ("9 IN rank", []), ("rank IN %@", [9]), ("NOT rank IN %@", [9]),
        ("SUBQUERY(rank, $x, $x == 1).@count > 0", []),
        ("owner.items.owner.items.@sum.name > 0", []),
      ] as [(String, [Any])] {
        #expect(throws: CocoaError.self, "\(format)") {
          try stack.names(FetchingStack.request(format, arguments))
        }
      }
    }
  }

  @Test("an unknown or to-many sort key throws, also next to a comparator")
  func sortDescriptors() throws {
    let comparator = NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }
    let bad: [[NSSortDescriptor]] = [
      [NSSortDescriptor(key: "nothing", ascending: true)],
      [NSSortDescriptor(key: "owner.nothing", ascending: true)],
      [NSSortDescriptor(key: "name.nothing", ascending: true)],
      [NSSortDescriptor(key: "owner.items", ascending: true)],
      [NSSortDescriptor(key: "owner.items.name", ascending: true)],
      [NSSortDescriptor(key: "owner", ascending: true)],
      [NSSortDescriptor(key: "owner.items.@nothing", ascending: true), comparator],
      [comparator, NSSortDescriptor(key: "nothing", ascending: true)],
      [comparator, NSSortDescriptor(key: "owner.items", ascending: true)],
      [NSSortDescriptor(key: "nothing", ascending: true) { _, _ in .orderedSame }],
    ]
    try run { stack throws in
      for descriptors in bad {
        for isChanged in [false, true] {
          if isChanged { stack.insert("Item", ["name": "new"]) }
          let request = FetchingStack.request(sort: descriptors)
          #expect(throws: CocoaError.self, "\(descriptors)") { try stack.context.fetch(request) }
          let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
          #expect(throws: CocoaError.self, "\(descriptors)") { try controller.performFetch() }
          stack.context.rollback()
        }
      }
    }
  }

  @Test("a comparator can order the destinations of a relationship")
  func comparatorOfObjects() throws {
    try run { stack throws in
      let byOwner = NSSortDescriptor(key: "owner", ascending: false) { one, other in
        let names = [one, other].map {
          ($0 as? NSManagedObject)?.value(forKey: "name") as? String ?? ""
        }
        return names[0] == names[1]
          ? .orderedSame : names[0] < names[1] ? .orderedAscending : .orderedDescending
      }
      let request = FetchingStack.request(
        sort: [byOwner, NSSortDescriptor(key: "name", ascending: true)])
      #expect(try stack.names(request) == "cdabe")
    }
  }
}
