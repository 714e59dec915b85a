import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Constraints on composite attributes, their required elements, and changes of one element.
@Suite("Rules of composite attributes")
struct CompositeRuleTests {
  /// Parcels with an optional address: a required zip code, a required country with a default
  /// value, a city, and an optional contact with a required name.
  private static func makeModel(constraints: [[String]] = []) -> NSManagedObjectModel {
    let (zip, country, name) = (
      attribute("zip", .integer32), attribute("country", .string), attribute("name", .string)
    )
    for required in [zip, country, name] { required.isOptional = false }
    country.defaultValue = "DE"
    let contact = NSCompositeAttributeDescription()
    (contact.name, contact.elements) = ("contact", [name, attribute("phone", .string)])
    let address = NSCompositeAttributeDescription()
    (address.name, address.elements) = (
      "address", [zip, country, attribute("city", .string), contact]
    )
    let place = NSCompositeAttributeDescription()
    (place.name, place.elements) = ("place", [attribute("x", .integer32), attribute("y", .string)])
    let parcel = NSEntityDescription()
    parcel.name = "Parcel"
    parcel.properties = [attribute("label", .string), address, place]
    parcel.uniquenessConstraints = constraints
    let model = NSManagedObjectModel()
    model.entities = [parcel]
    return model
  }

  private func context(
    _ type: String, constraints: [[String]] = [], _ policy: NSMergePolicy = .error
  ) throws -> NSManagedObjectContext {
    let description = NSPersistentStoreDescription(type: type)
    try ServedStores.place(description, ofType: type)
    let model = Self.makeModel(constraints: constraints)
    let context = try NSPersistentContainer.loaded("Parcels", model, [description])
      .newBackgroundContext()
    context.mergePolicy = policy
    return context
  }

  private func insert(
    _ values: [String: Any], in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let parcel = NSEntityDescription.insertNewObject(forEntityName: "Parcel", into: context)
    parcel.setValue(nil, forKey: "address")
    for (key, value) in values { parcel.setValue(value, forKey: key) }
    return parcel
  }

  private static let types = StoreTypes.both + ServedStores.types

  // MARK: Constraints

  /// Apple, NSEntityDescription.uniquenessConstraints: the save fails, or the merge policy decides.
  @Test("a uniqueness constraint on a composite attribute compares all elements", arguments: types)
  func violation(type: String) throws {
    let context = try context(type, constraints: [["place"]])
    try context.performAndWait {
      let first = insert(["place": ["x": 1, "y": "a"]], in: context)
      _ = insert(["place": ["x": 1, "y": "b"]], in: context)
      // Like null in SQL, a missing value equals no other value.
      for _ in 1...2 { _ = insert(["place": ["x": 1]], in: context) }
      try context.save()
      let second = insert(["place": ["x": 1, "y": "a"]], in: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectConstraintMerge)
      let found = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey]
      let conflict = try #require((found as? [NSConstraintConflict])?.first)
      #expect(conflict.constraint == ["place.x", "place.y"])
      #expect(conflict.constraintValues["place.x"] as? Int == 1)
      #expect(conflict.constraintValues["place.y"] as? String == "a")
      #expect(conflict.databaseObject === first)
      #expect(conflict.conflictingObjects == [second])
    }
  }

  @Test(
    "a uniqueness constraint on a composite attribute and one of its elements names each element once",
    arguments: types)
  func overlappingNames(type: String) throws {
    let context = try context(type, constraints: [["place", "place.x", "label"]])
    try context.performAndWait {
      let first = insert(["label": "a", "place": ["x": 1, "y": "a"]], in: context)
      _ = insert(["label": "b", "place": ["x": 1, "y": "a"]], in: context)
      try context.save()
      let second = insert(["label": "a", "place": ["x": 1, "y": "a"]], in: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectConstraintMerge)
      let found = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey]
      let conflict = try #require((found as? [NSConstraintConflict])?.first)
      #expect(conflict.constraint == ["place.x", "place.y", "label"])
      #expect(conflict.databaseObject === first)
      #expect(conflict.conflictingObjects == [second])
      second.setValue("c", forKey: "label")
      try context.save()
    }
  }

  @Test("a merge policy resolves a conflict under a composite attribute", arguments: types)
  func resolution(type: String) throws {
    let context = try context(type, constraints: [["place"]], .mergeByPropertyObjectTrump)
    try context.performAndWait {
      _ = insert(["label": "old", "place": ["x": 1, "y": "a"]], in: context)
      try context.save()
      _ = insert(["label": "new", "place": ["x": 1, "y": "a"]], in: context)
      try context.save()
      context.reset()
      let parcels = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Parcel"))
      #expect(parcels.map { $0.value(forKey: "label") as? String } == ["new"])
      #expect(parcels.first?.value(forKeyPath: "place.y") as? String == "a")
    }
  }

  @Test("two objects exchange the values of a composite attribute in one save", arguments: types)
  func exchange(type: String) throws {
    let context = try context(type, constraints: [["place"]])
    try context.performAndWait {
      let places: [[String: Any]] = [["x": 1, "y": "a"], ["x": 1, "y": "b"]]
      let parcels = places.map { insert(["place": $0], in: context) }
      try context.save()
      for (parcel, place) in zip(parcels, places.reversed()) {
        parcel.setValue(place, forKey: "place")
      }
      try context.save()
      context.refreshAllObjects()
      #expect(parcels.map { $0.value(forKeyPath: "place.x") as? Int } == [1, 1])
      #expect(parcels.map { $0.value(forKeyPath: "place.y") as? String } == ["b", "a"])
    }
  }

  // MARK: Required elements

  /// The codes and keys of the errors of a save.
  private func failures(_ context: NSManagedObjectContext) -> [String] {
    context.failuresOfSave().map { "\($0.code.rawValue) \($0.validationKey ?? "-")" }
  }

  @Test("a required element must have a value if its composite attribute has a value")
  func requiredElements() throws {
    let context = try context(NSInMemoryStoreType)
    try context.performAndWait {
      let parcel = insert([:], in: context)
      #expect(failures(context) == [])
      parcel.setValue(["city": "Bonn"], forKey: "address")
      #expect(failures(context) == ["1570 address.zip"])
      parcel.setValue(["zip": 53111], forKey: "address")
      #expect(failures(context) == [])
      // The dictionary omits the country, which has a default value.
      #expect(parcel.value(forKeyPath: "address.country") as? String == "DE")
      parcel.setValue(["zip": 1, "contact": ["phone": "2"]], forKey: "address")
      #expect(failures(context) == ["1570 address.contact.name"])
      parcel.setValue(["zip": 1, "contact": ["name": "Ann"]], forKey: "address")
      #expect(failures(context) == [])
      parcel.setValue(nil, forKey: "address")
      try context.save()
      #expect(parcel.value(forKey: "address") == nil)
    }
  }

  @Test("a required element that is set to null does not receive its default value")
  func explicitNull() throws {
    let context = try context(NSInMemoryStoreType)
    try context.performAndWait {
      let parcel = insert(["address": ["zip": 1]], in: context)
      parcel.setValue(nil, forKeyPath: "address.country")
      #expect(failures(context) == ["1570 address.country"])
      // A change of another element keeps the null.
      parcel.setValue(2, forKeyPath: "address.zip")
      #expect(failures(context) == ["1570 address.country"])
      let address: [String: Any] = ["zip": 1, "country": NSNull()]
      parcel.setValue(["zip": 1], forKey: "address")
      #expect(failures(context) == [])
      parcel.setValue(address, forKey: "address")
      #expect(failures(context) == ["1570 address.country"])
      parcel.setValue("FR", forKeyPath: "address.country")
      try context.save()
      #expect(parcel.value(forKeyPath: "address.country") as? String == "FR")
    }
  }

  @Test("a batch insertion has the same rules for required elements", arguments: StoreTypes.both)
  func batch(type: String) throws {
    let context = try context(type)
    func insert(_ address: [String: Any]) throws {
      let request = NSBatchInsertRequest(entityName: "Parcel", objects: [["address": address]])
      try context.performAndWait { _ = try context.execute(request) }
    }
    try insert(["zip": 1])
    try insert(["zip": 1, "contact": ["name": "Ann"]])
    for address: [String: Any] in [
      ["city": "Bonn"], ["zip": 1, "contact": ["phone": "2"]], ["zip": 1, "country": NSNull()],
    ] {
      let error = #expect(throws: CocoaError.self) { try insert(address) }
      #expect(error?.code == .validationMissingMandatoryProperty)
    }
    // Without an address, its elements are not required.
    let request = NSBatchInsertRequest(entityName: "Parcel", objects: [["address": NSNull()]])
    try context.performAndWait { _ = try context.execute(request) }
  }

  @Test(
    "a batch insertion rejects a composite attribute that is set as a whole and by an element",
    arguments: StoreTypes.both)
  func repeatedElement(type: String) throws {
    let context = try context(type)
    let place: [String: Any] = ["x": 1]
    context.performAndWait {
      for whole in [place, NSNull()] as [Any] {
        let insertion = NSBatchInsertRequest(
          entityName: "Parcel", objects: [["place": whole, "place.x": 2]])
        let error = #expect(throws: CocoaError.self) { try context.execute(insertion) }
        #expect(error?.code == .coreData)
      }
    }
  }

  @Test(
    "a batch request rejects a value for a composite attribute that is not a dictionary",
    arguments: StoreTypes.both)
  func noDictionary(type: String) throws {
    let context = try context(type)
    func values() throws -> [Int?] {
      let parcels = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Parcel"))
      return parcels.map { $0.value(forKeyPath: "place.x") as? Int }
    }
    try context.performAndWait {
      let place: [String: Any] = ["x": 1]
      _ = try context.execute(
        NSBatchInsertRequest(
          entityName: "Parcel", objects: [["place": place, "address": NSNull()]]))
      let update = NSBatchUpdateRequest(entityName: "Parcel")
      for wrong in [5, "x", ["a"], Data()] as [Any] {
        let insertion = NSBatchInsertRequest(entityName: "Parcel", objects: [["place": wrong]])
        let inserting = #expect(throws: CocoaError.self) { try context.execute(insertion) }
        #expect(inserting?.code == .persistentStoreSave)
        update.propertiesToUpdate = ["place": wrong]
        let updating = #expect(throws: CocoaError.self) { try context.execute(update) }
        #expect(updating?.code == .persistentStoreSave)
      }
      update.propertiesToUpdate = ["place": ["z": 1]]
      let unknown = #expect(throws: CocoaError.self) { try context.execute(update) }
      #expect(unknown?.code == .coreData)
      #expect(try values() == [1])
      update.propertiesToUpdate = ["place": OpenPredicates.NSExpression(forConstantValue: nil)]
      _ = try context.execute(update)
      context.refreshAllObjects()
      #expect(try values() == [nil])
    }
  }

  // MARK: Key paths

  /// Apple, NSCompositeAttributeDescription: elements are accessed with key paths.
  @Test("setValue(_:forKeyPath:) sets one element and keeps the others", arguments: types)
  func element(type: String) throws {
    let context = try context(type)
    try context.performAndWait {
      let parcel = insert(["address": ["zip": 1, "city": "Bonn"]], in: context)
      parcel.setValue(2, forKeyPath: "address.zip")
      parcel.setValue("Ann", forKeyPath: "address.contact.name")
      try context.save()
      parcel.setValue(nil, forKeyPath: "address.city")
      parcel.setValue(7, forKeyPath: "place.x")
      #expect(parcel.changedValues().keys.sorted() == ["address", "place"])
      try context.save()
      context.refreshAllObjects()
      #expect(parcel.value(forKeyPath: "address.zip") as? Int == 2)
      #expect(parcel.value(forKeyPath: "address.contact.name") as? String == "Ann")
      #expect(parcel.value(forKeyPath: "address.city") == nil)
      #expect(parcel.value(forKeyPath: "place.x") as? Int == 7)
      parcel.setValue(1, forKeyPath: "address.street")
      #expect(throws: (any Error).self) { try context.save() }
      #expect(parcel.value(forKeyPath: "address.zip") as? Int == 2)
    }
  }

  @Test("the value of a transformable element can be a dictionary", arguments: StoreTypes.both)
  func dictionaryElement(type: String) throws {
    let place = NSCompositeAttributeDescription()
    (place.name, place.elements) = (
      "place", [attribute("name", .string), attribute("facts", .transformable)]
    )
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = ("Parcel", [place])
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let store = NSPersistentStoreDescription(type: type)
    let context = try NSPersistentContainer.loaded("Parcels", model, [store]).newBackgroundContext()
    try context.performAndWait { () throws in
      let parcel = NSEntityDescription.insertNewObject(forEntityName: "Parcel", into: context)
      let value: [String: Any] = ["name": "A", "facts": ["floors": 2]]
      parcel.setValue(value, forKey: "place")
      try context.save()
      context.refreshAllObjects()
      parcel.setValue("B", forKeyPath: "place.name")
      try context.save()
      context.refreshAllObjects()
      let read = parcel.value(forKey: "place") as? [String: Any]
      #expect(read?["name"] as? String == "B")
      #expect(read?["facts"] as? [String: Int] == ["floors": 2])
    }
  }
}
