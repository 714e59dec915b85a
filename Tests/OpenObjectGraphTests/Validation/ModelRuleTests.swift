import Foundation
import OpenCoreData
import Testing

/// The model's rules for values, checked by a save.
@Suite("Validation by the model")
struct ModelRuleTests {
  /// Returns the errors of saving a valid thing after a change.
  private func failures(
    of change: (RuledThing) -> Void
  ) throws -> [(code: Int, key: String?, hasPredicate: Bool)] {
    let context = try ValidationModel.makeContext()
    return context.performAndWait {
      let thing = RuledThing(context: context)
      thing.name = "Valid"
      change(thing)
      return context.failuresOfSave().map { error in
        #expect(error.validationObject as? RuledThing === thing)
        #expect(!error.localizedDescription.isEmpty)
        return (error.code.rawValue, error.validationKey, error.validationPredicate != nil)
      }
    }
  }

  private func expect(
    _ code: Int, _ key: String, byPredicate: Bool = true, _ change: (RuledThing) -> Void
  ) throws {
    let found = try failures(of: change)
    #expect(found.map(\.code) == [code])
    #expect(found.map(\.key) == [key])
    #expect(found.map(\.hasPredicate) == [byPredicate])
  }

  @Test("a valid object is saved, even at the limits of every rule")
  func valid() throws {
    #expect(try failures { _ in }.isEmpty)
    #expect(
      try failures { thing in
        thing.name = "ab"
        thing.code = "XY"
        thing.rank = 9
        thing.date = Date(timeIntervalSinceReferenceDate: 20)
      }.isEmpty)
  }

  @Test("every rule has Apple's code, the property, and the predicate that failed")
  func codes() throws {
    try expect(1570, "name", byPredicate: false) { $0.name = nil }
    try expect(1670, "name") { $0.name = "a" }
    try expect(1660, "name") { $0.name = "abcdefg" }
    // One character of eight UTF-16 code units.
    try expect(1660, "name") { $0.name = "👨‍👩‍👧" }
    try expect(1680, "code") { $0.code = "xy" }
    try expect(1610, "rank") { $0.rank = 10 }
    try expect(1620, "rank") { $0.rank = 0 }
    try expect(1630, "date") { $0.date = Date(timeIntervalSinceReferenceDate: 21) }
    try expect(1640, "date") { $0.date = Date(timeIntervalSinceReferenceDate: 9) }
  }

  @Test("errors take names and warnings from the model's localization dictionary")
  func localizedTexts() throws {
    let context = try ValidationModel.makeContext { model in
      model.localizationDictionary = [
        "Property/name/Entity/RuledThing": "Der Name", "Property/rank": "Der Rang",
        "Property/rank/Entity/Other": "another", "ErrorString/two big letters": "zwei Buchstaben",
      ]
      let code = model.entitiesByName["RuledThing"]?.attributesByName["code"]
      code?.setValidationPredicates(
        [NSPredicate(format: "SELF MATCHES '[A-Z]{2}'")],
        withValidationWarnings: ["two big letters"])
    }
    let texts = context.performAndWait {
      let thing = RuledThing(context: context)
      thing.name = nil
      thing.rank = 11
      thing.code = "x"
      return context.failuresOfSave().map(\.localizedDescription).sorted()
    }
    #expect(
      texts == ["Der Name is a required value.", "Der Rang is too large.", "code: zwei Buchstaben"])
  }

  @Test("several failures are one error, which contains each failure with its value")
  func several() throws {
    let context = try ValidationModel.makeContext()
    context.performAndWait {
      for name in ["a", nil, "fine"] {
        let thing = RuledThing(context: context)
        thing.name = name
        thing.rank = name == "fine" ? 5 : 11
      }
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .validationMultipleErrors)
      #expect(error?.validationObject == nil)
      let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(details.map(\.code).sorted() == [1570, 1610, 1610, 1670])
      #expect(details.allSatisfy { $0.domain == NSCocoaErrorDomain })
      let values = details.compactMap { $0.userInfo[NSValidationValueErrorKey] }
      #expect(values.compactMap { $0 as? String } == ["a"])
      #expect(values.compactMap { $0 as? Int } == [11, 11])
      #expect(context.insertedObjects.count == 3)
    }
  }

  @Test("an optional relationship with a count can be empty, and is otherwise checked")
  func counts() throws {
    let context = try ValidationModel.makeContext()
    context.performAndWait {
      let shelf = RuledShelf(context: context)
      #expect(context.failuresOfSave().isEmpty)
      func add() {
        let thing = RuledThing(context: context)
        thing.name = "Thing"
        thing.shelf = shelf
      }
      add()
      let tooFew = context.failuresOfSave()
      #expect(tooFew.map(\.code) == [.validationRelationshipLacksMinimumCount])
      #expect(tooFew.first?.validationKey == "things")
      add()
      #expect(context.failuresOfSave().isEmpty)
      add()
      add()
      let tooMany = context.failuresOfSave()
      #expect(tooMany.map(\.code) == [.validationRelationshipExceedsMaximumCount])
      #expect(tooMany.first?.validationValue as? Int == 4)
    }
  }

  @Test("the count of an object that loses a member is checked, even if it was not registered")
  func countsOfUnregisteredObject() throws {
    let context = try ValidationModel.makeContext()
    try context.performAndWait { () throws in
      let shelf = RuledShelf(context: context)
      for _ in 0..<2 {
        let thing = RuledThing(context: context)
        thing.name = "Thing"
        thing.shelf = shelf
      }
      try context.save()
    }
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    try other.performAndWait { () throws in
      let request = NSFetchRequest<RuledThing>(entityName: "RuledThing")
      let thing = try #require(try other.fetch(request).first)
      thing.shelf = nil
      let failures = other.failuresOfSave()
      #expect(failures.map(\.code) == [.validationRelationshipLacksMinimumCount])
      #expect(failures.first?.validationObject is RuledShelf)
    }
  }

  @Test("a deny rule prevents a deletion while destinations remain, and names them")
  func deny() throws {
    let context = try ValidationModel.makeContext()
    context.performAndWait {
      let shelf = RuledShelf(context: context)
      let things = (0..<2).map { _ in RuledThing(context: context) }
      for thing in things {
        thing.name = "Thing"
        thing.shelf = shelf
      }
      #expect(context.failuresOfSave().isEmpty)
      context.delete(shelf)
      let failures = context.failuresOfSave()
      #expect(failures.map(\.code) == [.validationRelationshipDeniedDelete])
      #expect(failures.first?.validationObject as? RuledShelf === shelf)
      #expect((failures.first?.validationValue as? NSSet)?.count == 2)
      for thing in things { context.delete(thing) }
      #expect(context.failuresOfSave().isEmpty)
    }
  }

  @Test("predicates of a model made in code give 1550 with their message, also on relationships")
  func messages() throws {
    let thing = NSEntityDescription()
    thing.name = "RuledThing"
    let name = NSAttributeDescription()
    name.name = "name"
    name.type = .string
    name.setValidationPredicates(
      [NSPredicate(format: "length >= 3"), NSPredicate(format: "SELF BEGINSWITH 'T'")],
      withValidationWarnings: ["too short", "another letter"])
    let parts = NSRelationshipDescription()
    parts.name = "parts"
    parts.destinationEntity = thing
    parts.setValidationPredicates(
      [NSPredicate(format: "@count != 1")], withValidationWarnings: ["not one"])
    let whole = NSRelationshipDescription()
    whole.name = "whole"
    whole.destinationEntity = thing
    whole.maxCount = 1
    (parts.inverseRelationship, whole.inverseRelationship) = (whole, parts)
    thing.properties = [name, parts, whole]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    let context = try ValidationModel.context(of: model)
    context.performAndWait {
      let object = NSEntityDescription.insertNewObject(forEntityName: "RuledThing", into: context)
      object.setValue("x", forKey: "name")
      let texts = context.failuresOfSave()
      #expect(texts.map(\.code) == [.managedObjectValidation, .managedObjectValidation])
      #expect(
        texts.map(\.localizedDescription) == ["name: too short", "name: another letter"])
      object.setValue("Tea", forKey: "name")
      let part = NSEntityDescription.insertNewObject(forEntityName: "RuledThing", into: context)
      part.setValue(object, forKey: "whole")
      #expect(context.failuresOfSave().map(\.localizedDescription) == ["parts: not one"])
    }
  }
}
