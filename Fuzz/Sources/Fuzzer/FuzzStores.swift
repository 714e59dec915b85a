import Foundation
import OpenBuiltInStores
import OpenObjectGraph
import OpenPredicates
import OpenStoreContract

/// The values from which inputs choose their arguments.
enum FuzzValues {
  nonisolated(unsafe) static let texts: [Any] = [
    "a", "A", "é", "E\u{301}", "", "ab", "a*", "?", "*b*", "[ab]+", "straße", "STRASSE", "日本",
    "x'y",
    "a\u{0}b", "10", "(a+)+$", "\u{FF21}", "i\u{307}", "😀", "ǅ",
  ]
  nonisolated(unsafe) static let numbers: [Any] = [
    0, 1, -1, 2, 10, 2.5, 0.1, -0.0, Int64.max, Int64.min, 1e300, true, Double.infinity, Double.nan,
    NSDecimalNumber(string: "1.5"),
  ]
  nonisolated(unsafe) static let all: [Any] =
    texts + numbers + [
      NSNull(), day, day + 0.5, code, Data([1, 2]), Data(), URL(fileURLWithPath: "/a b"),
      [1, 2, 3],
      ["a", "b"], [Any](), [1, "a", NSNull()] as [Any],
    ]
  static let day = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
  static let code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
}

/// The same objects in two stores.
enum FuzzStores {
  nonisolated(unsafe) static let sqlite = FuzzStore(NSSQLiteStoreType)
  nonisolated(unsafe) static let memory = FuzzStore(NSInMemoryStoreType)
}

/// Creates a store of a kind with the fixed objects; only the fuzzer's thread uses it.
final class FuzzStore {
  private let context = NSManagedObjectContext(.privateQueue)
  private var numberOfKey: [NSManagedObjectID: Int] = [:]

  init(_ type: String) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: FuzzModel.make())
    context.persistentStoreCoordinator = coordinator
    do {
      _ = try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
      try context.performAndWait {
        FuzzModel.fill(context)
        try context.save()
        for thing in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")) {
          numberOfKey[thing.objectID] = thing.value(forKey: "number") as? Int
        }
        context.reset()
      }
    } catch {
      preconditionFailure("The store of kind \(type) cannot be made: \(error)")
    }
  }

  /// Returns the numbers of the objects that a predicate selects, in order.
  func numbers(
    _ predicate: NSPredicate, _ sort: (key: String, isAscending: Bool)?
  ) -> Result<[Int], any Error> {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Thing")
    request.resultType = .managedObjectIDResultType
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    if let sort {
      request.sortDescriptors?.insert(
        NSSortDescriptor(key: sort.key, ascending: sort.isAscending), at: 0)
    }
    return context.performAndWait {
      Result { try context.fetch(request).compactMap { numberOfKey[$0] } }
    }
  }
}

extension Error {
  /// Returns whether a request exceeded a limit of SQLite.
  var isLimit: Bool { "\(self)".contains("larger than SQLite allows") }

  /// Returns whether a fetch failed because a condition cannot be evaluated in memory.
  var isEvaluation: Bool {
    let cause = (self as NSError).userInfo[OpenStoreErrorKey] as? StoreError
    return cause?.underlying is PredicateEvaluationError
  }
}

/// A model with an attribute of each type, both kinds of relationship, and a subentity.
enum FuzzModel {
  static func make() -> NSManagedObjectModel {
    let thing = entity(
      "Thing",
      [
        ("number", .integer32AttributeType), ("text", .stringAttributeType),
        ("more", .stringAttributeType), ("count", .integer64AttributeType),
        ("size", .integer16AttributeType), ("ratio", .doubleAttributeType),
        ("day", .dateAttributeType), ("flag", .booleanAttributeType), ("code", .UUIDAttributeType),
        ("data", .binaryDataAttributeType), ("link", .URIAttributeType),
        ("extra", .decimalAttributeType),
      ])
    let other = entity(
      "Other", [("name", .stringAttributeType), ("value", .integer32AttributeType)])
    let special = entity("Special", [("own", .stringAttributeType)])
    relate(thing, "other", 1, other, "things", 0)
    relate(thing, "others", 0, other, "users", 0)
    thing.subentities = [special]
    let model = NSManagedObjectModel()
    model.entities = [thing, other, special]
    return model
  }

  private static func entity(
    _ name: String, _ attributes: [(String, NSAttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      return attribute
    }
    return entity
  }

  private static func relate(
    _ entity: NSEntityDescription, _ name: String, _ count: Int, _ destination: NSEntityDescription,
    _ inverseName: String, _ inverseCount: Int
  ) {
    let relationship = NSRelationshipDescription()
    let inverse = NSRelationshipDescription()
    (relationship.name, relationship.maxCount) = (name, count)
    (inverse.name, inverse.maxCount) = (inverseName, inverseCount)
    (relationship.destinationEntity, inverse.destinationEntity) = (destination, entity)
    (relationship.inverseRelationship, inverse.inverseRelationship) = (inverse, relationship)
    (relationship.isOptional, inverse.isOptional) = (true, true)
    entity.properties += [relationship]
    destination.properties += [inverse]
  }

  static func fill(_ context: NSManagedObjectContext) {
    let others = (0..<4).map { number in
      let other = NSEntityDescription.insertNewObject(forEntityName: "Other", into: context)
      other.setValue([nil, "a", "Été", ""][number], forKey: "name")
      other.setValue([nil, 1, -5, 10][number], forKey: "value")
      return other
    }
    for number in 0..<24 {
      let name = number % 5 == 4 ? "Special" : "Thing"
      let thing = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      thing.setValue(number, forKey: "number")
      if number > 1 { fill(thing, number) }
      if number % 3 != 0 { thing.setValue(others[number % 4], forKey: "other") }
      thing.setValue(NSSet(array: Array(others.prefix(number % 5))), forKey: "others")
    }
  }

  private static func fill(_ thing: NSManagedObject, _ number: Int) {
    let texts = FuzzValues.texts
    thing.setValue(number % 4 == 0 ? nil : texts[number * 7 % texts.count], forKey: "more")
    thing.setValue(number % 11 == 2 ? nil : texts[number % texts.count], forKey: "text")
    thing.setValue([0, 1, -1, Int64.max, Int64.min, 10, 1 << 53][number % 7], forKey: "count")
    if number % 13 == 4 { thing.setValue(nil, forKey: "count") }
    thing.setValue(number % 6 == 0 ? nil : number % 4 - 1, forKey: "size")
    thing.setValue(
      number % 9 == 5 ? nil : [0.1, -0.0, 2.5, 1e300, -1.5, .infinity][number % 6], forKey: "ratio")
    thing.setValue(number % 3 == 0 ? nil : FuzzValues.day + Double(number % 2) / 2, forKey: "day")
    thing.setValue(number % 5 == 0 ? nil : number % 2 == 0, forKey: "flag")
    thing.setValue(number % 4 == 1 ? FuzzValues.code : nil, forKey: "code")
    thing.setValue(number % 3 == 1 ? Data([1, 2]) : nil, forKey: "data")
    thing.setValue(number % 7 == 3 ? URL(fileURLWithPath: "/a b") : nil, forKey: "link")
    thing.setValue(number % 3 == 2 ? Decimal(string: "1.5") : nil, forKey: "extra")
  }
}
