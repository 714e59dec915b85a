import Foundation
import OpenCoreData
import Testing

@Suite("Values that attributes do not support")
struct HostileRoundTripTests {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  /// Checks that the store contains the value that objects show, or that the error names the property.
  ///
  /// - Parameter save: Stores the value in a new row, and returns the value that an object shows.
  private func check(
    _ stack: ThingStack, _ key: String, _ name: String,
    _ save: (NSManagedObjectContext) throws -> Any?
  ) throws {
    let shown: Any?
    do { shown = try stack.run(save) } catch {
      let isNamed = HostileTable.names(error, key)
      #expect(isNamed, "\(key): \(name): \(error.localizedDescription)")
      // A row that was inserted before the error must not be read for the next value.
      _ = try stack.takeValue(key)
      return
    }
    let read = try stack.takeValue(key)
    let isSame = HostileTable.isSame(read, shown)
    #expect(
      isSame,
      "\(key): \(name): read \(HostileTable.text(read)), shown \(HostileTable.text(shown))")
  }

  /// Checks the save of a new object.
  private func checkObject(
    _ stack: ThingStack, _ key: String, _ name: String,
    _ set: (HostileThing) throws -> Void
  ) throws {
    try check(stack, key, name) { context in
      let thing = HostileThing(context: context)
      try set(thing)
      let shown = thing.value(forKey: key)
      try context.save()
      return shown
    }
  }

  @Test(
    "a value set by name is read back as shown, or rejected with the names of entity and property",
    arguments: stores, ThingStack.keys)
  func byName(type: String, key: String) throws {
    let stack = try ThingStack(type)
    for (name, value) in HostileTable.values() {
      try checkObject(stack, key, name) { $0.setValue(value, forKey: key) }
      try checkObject(stack, key, "\(name), checked") { try $0.setCheckedValue(value, forKey: key) }
    }
  }

  @Test(
    "a SQLite store reads a negative zero back as zero; a store in memory keeps its sign",
    arguments: stores)
  func negativeZero(type: String) throws {
    let stack = try ThingStack(type)
    try stack.run { context in
      HostileThing(context: context).setValue(-0.0, forKey: "real")
      try context.save()
    }
    let real = try stack.takeValue("real") as? Double
    #expect(real == 0 && (real?.sign == .minus) == (type == NSInMemoryStoreType))
  }

  @Test(
    "values of their attribute's type are shown unchanged",
    arguments: stores)
  func unchanged(type: String) throws {
    let stack = try ThingStack(type)
    let date = Date(timeIntervalSinceReferenceDate: 1.25)
    let values: [(String, Any)] = [
      ("small", Int16.min), ("middle", Int32.max), ("large", Int64.min), ("real", -Double.infinity),
      ("single", Float.greatestFiniteMagnitude), ("text", "a\u{0}b"), ("flag", true),
      ("moment", date), ("bytes", Data([0, 255])), ("code", UUID()),
      ("amount", NSDecimalNumber(string: "-0.25")), ("blob", Locale(identifier: "de_DE")),
    ]
    for (key, value) in values {
      try stack.run { context in
        let thing = HostileThing(context: context)
        try thing.setCheckedValue(value, forKey: key)
        try context.save()
      }
      let read = try stack.takeValue(key)
      let isSame = HostileTable.isSame(read, value)
      #expect(isSame, "\(key): \(HostileTable.text(read))")
    }
  }

  @Test(
    "values that memory accepts are read back unchanged from XML and binary files",
    arguments: [NSXMLStoreType, NSBinaryStoreType], ThingStack.keys)
  func inFiles(type: String, key: String) throws {
    let memory = try ThingStack(NSInMemoryStoreType)
    let values = try HostileTable.values().filter { entry in
      try memory.run { context -> Bool in
        HostileThing(context: context).setValue(entry.value, forKey: key)
        do { try context.save() } catch { return false }
        return true
      }
    }
    let stack = try ThingStack(type)
    let written = try stack.run { context -> [(id: URL, shown: Any?)] in
      let things = values.map { entry in
        let thing = HostileThing(context: context)
        thing.setValue(entry.value, forKey: key)
        return (thing: thing, shown: thing.value(forKey: key))
      }
      try context.save()
      return things.map { (id: $0.thing.objectID.uriRepresentation(), shown: $0.shown) }
    }
    #expect(!written.isEmpty)
    let context = try stack.reader()
    try context.performAndWait { () throws in
      let coordinator = try #require(context.persistentStoreCoordinator)
      for ((name, _), (uri, shown)) in zip(values, written) {
        let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
        let read = try context.existingObject(with: id).value(forKey: key)
        let isSame = HostileTable.isSame(read, shown)
        #expect(
          isSame,
          "\(key): \(name): read \(HostileTable.text(read)), shown \(HostileTable.text(shown))")
      }
    }
  }

  @Test("in batch requests, values are stored unchanged or rejected", arguments: stores)
  func inBatches(type: String) throws {
    let stack = try ThingStack(type)
    for key in ThingStack.keys {
      for (name, value) in HostileTable.values() {
        let shown = try stack.run { context in
          let thing = HostileThing(context: context)
          thing.setValue(value, forKey: key)
          return thing.value(forKey: key)
        }
        try check(stack, key, "inserted \(name)") { context in
          let insertion = NSBatchInsertRequest(entityName: "Thing", objects: [[key: value]])
          _ = try context.execute(insertion)
          return shown
        }
        try check(stack, key, "updated \(name)") { context in
          _ = try context.execute(NSBatchInsertRequest(entityName: "Thing", objects: [[:]]))
          let update = NSBatchUpdateRequest(entityName: "Thing")
          update.propertiesToUpdate = [key: value]
          _ = try context.execute(update)
          return shown
        }
      }
    }
  }

  @Test("as constants of predicates, values return rows or an error", arguments: stores)
  func inPredicates(type: String) throws {
    try ThingStack(type).run { context in
      let thing = HostileThing(context: context)
      thing.setValue(1, forKey: "amount")
      try context.save()
      for key in ThingStack.keys {
        for (name, value) in HostileTable.values() {
          for format in ["%K == %@", "%K < %@", "%K IN %@", "%K == NIL OR %K > %@"] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            let keys: [Any] = format.contains("OR") ? [key, key] : [key]
            request.predicate = NSPredicate(format: format, argumentArray: keys + [value])
            do { #expect(try context.fetch(request).count <= 1) } catch {
              #expect(!error.localizedDescription.isEmpty, "\(key) \(name)")
            }
          }
        }
      }
    }
  }

  @Test("infinity is above and below every decimal number", arguments: stores)
  func infinityBesideDecimals(type: String) throws {
    try ThingStack(type).run { context in
      let thing = HostileThing(context: context)
      thing.setValue(1.5, forKey: "amount")
      try context.save()
      for (format, value, count) in [
        ("amount < %@", Double.infinity, 1), ("amount > %@", Double.infinity, 0),
        ("amount > %@", -Double.infinity, 1), ("amount < %@", 1e300, 1),
      ] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format, argumentArray: [value])
        #expect(try context.count(for: request) == count, "\(format) \(value)")
      }
    }
  }

  @Test("with typed accessors, numbers are read back or rejected", arguments: stores)
  func typed(type: String) throws {
    let stack = try ThingStack(type)
    func each(_ key: String, _ set: (HostileThing) -> Void) throws {
      try checkObject(stack, key, "typed", set)
    }
    for number in [Int16.min, -1, 0, Int16.max] { try each("small") { $0.small = number } }
    for number in [Int32.min, 0, Int32.max] { try each("middle") { $0.middle = number } }
    for number in [Int64.min, 0, Int64.max] { try each("large") { $0.large = number } }
    for real in [Double.nan, .infinity, -0.0, 1e300] { try each("real") { $0.real = real } }
    for real in [Float.nan, .infinity, 1e30] { try each("single") { $0.single = real } }
    for amount in [Decimal.nan, 0, Decimal.greatestFiniteMagnitude] {
      try each("amount") { $0.amount = amount }
    }
    for seconds in [Double.nan, .infinity, 1e300] {
      try each("moment") { $0.moment = Date(timeIntervalSinceReferenceDate: seconds) }
    }
  }

  @Test("collections nested 20,000 levels deep are rejected", arguments: stores)
  func deeplyNested(type: String) throws {
    let stack = try ThingStack(type)
    defer { withExtendedLifetime(stack) {} }
    let outcome = LargeStack.run { () -> [String] in
      var failures: [String] = []
      for key in ["blob", "text", "amount"] {
        let context = stack.makeContext()
        context.performAndWait {
          var array: [Any] = []
          var dictionary: [String: Any] = [:]
          for _ in 0..<20_000 { (array, dictionary) = ([array], ["inner": dictionary]) }
          for value in [array, dictionary] as [Any] {
            let thing = HostileThing(context: context)
            thing.setValue(value, forKey: key)
            do {
              try context.save()
              failures.append("\(key) was saved")
            } catch {
              if !HostileTable.names(error, key) {
                failures.append("\(key): \(error.localizedDescription)")
              }
            }
            context.rollback()
          }
        }
      }
      return failures
    }
    #expect(outcome == [])
  }
}

/// Runs code with a large stack, because releasing deeply nested values recurses.
enum LargeStack {
  private final class Outcome<Value>: @unchecked Sendable {
    var value: Value?
  }

  static func run<Value>(_ work: @escaping () -> Value) -> Value? {
    let outcome = Outcome<Value>()
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let work = work
    let thread = Thread {
      outcome.value = work()
      done.signal()
    }
    thread.stackSize = 256 << 20
    thread.start()
    done.wait()
    return outcome.value
  }
}
