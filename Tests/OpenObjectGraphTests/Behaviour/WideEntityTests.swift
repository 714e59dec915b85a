import Foundation
import OpenCoreData
import Testing

/// Entities with more attributes than a word has bits.
@Suite("Wide entities")
struct WideEntityTests {
  private static let names = (0..<150).map { "a\($0 + 1000)" }

  private func context(_ type: String) throws -> NSManagedObjectContext {
    let entity = NSEntityDescription()
    entity.name = "Wide"
    entity.properties = Self.names.map { attribute($0, .string) }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return try NSPersistentContainer.loaded(
      "Wide", model, [NSPersistentStoreDescription(type: type)]
    )
    .newBackgroundContext()
  }

  private func values(of object: NSManagedObject) -> [String: String] {
    var values: [String: String] = [:]
    for name in Self.names { values[name] = object.value(forKey: name) as? String }
    return values
  }

  /// Apple, changedValues(): the properties changed since the last save, by name.
  @Test("unsaved values are set, undone, reported and saved", arguments: StoreTypes.both)
  func unsavedValues(type: String) throws {
    let context = try context(type)
    try context.performAndWait { () throws in
      context.undoManager = UndoManager()
      let object = NSEntityDescription.insertNewObject(forEntityName: "Wide", into: context)
      try context.save()
      var random = SeededNumbers(seed: 62_63_64)
      var expected: [String: String] = [:]
      for round in 0..<12 {
        var unsaved: [String: String] = [:]
        var steps: [[String: String]] = []
        for step in 0..<40 {
          if !steps.isEmpty, random.below(3) == 0 {
            context.undo()
            unsaved = steps.removeLast()
          } else {
            steps.append(unsaved)
            let name = random.pick(Self.names)
            unsaved[name] = "\(round) \(step)"
            object.setValue(unsaved[name], forKey: name)
            context.processPendingChanges()
          }
          #expect(object.changedValues() as? [String: String] == unsaved)
          #expect(values(of: object) == expected.merging(unsaved) { $1 })
          #expect(object.hasChanges == !unsaved.isEmpty)
        }
        expected.merge(unsaved) { $1 }
        try context.save()
        context.undoManager?.removeAllActions()
      }
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Wide")
      let saved = try #require(try context.fetch(request).first)
      #expect(values(of: saved) == expected)
    }
  }

  /// Apple, save(): commits unsaved changes to registered objects.
  @Test("values and missing values of many objects are saved together", arguments: StoreTypes.both)
  func manyObjects(type: String) throws {
    let context = try context(type)
    try context.performAndWait { () throws in
      var random = SeededNumbers(seed: 150_20)
      let objects = (0..<20).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Wide", into: context)
      }
      var expected = objects.map { _ in [String: String]() }
      for round in 0..<4 {
        let names = Self.names.filter { _ in random.below(3) > 0 }
        for (position, object) in objects.enumerated() {
          for name in names {
            expected[position][name] = random.below(4) == 0 ? nil : "\(round) \(position) \(name)"
            object.setValue(expected[position][name], forKey: name)
          }
        }
        try context.save()
        for (object, expected) in zip(objects, expected) {
          context.refresh(object, mergeChanges: false)
          #expect(values(of: object) == expected)
        }
      }
    }
  }
}
