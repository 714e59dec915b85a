import Foundation
import OpenCoreData
import OpenObjectModel
import OpenSQLiteStore

/// All operations of a program on an untrusted file. Errors are acceptable; crashes are not.
enum Exercise {
  /// Whether any operation threw an error.
  static func run(_ kind: FuzzSource.Kind, _ file: URL, original: FuzzSource) -> Bool {
    switch kind {
    case .compiledModel: read(model: file)
    case .document: read(model: file)
    case .store: read(store: file, original: original)
    }
  }

  private static func read(model file: URL) -> Bool {
    do {
      let model = try NSManagedObjectModel.reading(file)
      _ = model.entityVersionHashesByName
      _ = try ModelArchive.write(model, dialect: .cache)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil,
        at: URL(fileURLWithPath: "/dev/null"))
      return false
    } catch {
      return true
    }
  }

  private static func read(store file: URL, original: FuzzSource) -> Bool {
    var refused = false
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { refused = true }
    }
    attempt {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: file)
    }
    // Once with the model in the damaged file, once with the sound one.
    for source in [file, original.file] {
      attempt {
        guard let model = try ModelCache.model(inStoreAt: source) else { return }
        try visit(file, model, options: [NSReadOnlyPersistentStoreOption: true])
        try visit(
          file, model,
          options: [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 1,
          ])
      }
    }
    return refused
  }

  private static func visit(
    _ file: URL, _ model: NSManagedObjectModel, options: [String: Any]
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: options)
    defer { try? coordinator.remove(store) }  // nothing is left to lose
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.performAndWait {
      for entity in model.entities where entity.superentity == nil { visit(entity, context) }
      // A save may throw; nothing else may happen.
      if !store.isReadOnly { try? context.save() }
    }
  }

  private static func visit(_ entity: NSEntityDescription, _ context: NSManagedObjectContext) {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.fetchLimit = 30
    _ = try? context.count(for: request)
    guard let objects = try? context.fetch(request) else { return }
    for object in objects {
      for property in object.entity.properties where !(property is NSFetchedPropertyDescription) {
        _ = object.value(forKey: property.name)
      }
    }
    guard let first = objects.first else { return }
    let attribute = first.entity.attributesByName.values
      .filter { $0.type == .string && !($0 is NSDerivedAttributeDescription) }
      .min { $0.name < $1.name }
    if let attribute { first.setValue("changed", forKey: attribute.name) }
    if objects.count > 1, let last = objects.last { context.delete(last) }
  }
}
