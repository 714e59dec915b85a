import CoreData

// The migration listings of a forum reader as they are printed, beginning with its manager.

// Migration manager
class CoreDataMigrationManager {
  static let shared = CoreDataMigrationManager()

  private let modelName = "AwfulModel"

  func migrateStoreIfNeeded() -> Bool {
    guard let storeURL = storeURL,
      let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: storeURL, options: nil)
    else {
      return false
    }

    let currentModel = currentManagedObjectModel()

    if currentModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
      return true  // No migration needed
    }

    return performMigration(storeURL: storeURL, metadata: metadata)
  }

  private func performMigration(storeURL: URL, metadata: [String: Any]) -> Bool {
    let migrationSteps = getMigrationSteps(for: metadata)

    for step in migrationSteps {
      do {
        try performMigrationStep(step, storeURL: storeURL)
      } catch {
        print("Migration step failed: \(error)")
        return false
      }
    }

    return true
  }

  private func performMigrationStep(_ step: MigrationStep, storeURL: URL) throws {
    let migrationManager = NSMigrationManager(
      sourceModel: step.sourceModel, destinationModel: step.destinationModel)

    let mappingModel = try NSMappingModel.inferredMappingModel(
      forSourceModel: step.sourceModel, destinationModel: step.destinationModel)

    let tempURL = storeURL.appendingPathExtension("temp")

    try migrationManager.migrateStore(
      from: storeURL,
      sourceType: NSSQLiteStoreType,
      options: nil,
      to: tempURL,
      destinationType: NSSQLiteStoreType,
      destinationOptions: nil,
      mappingModel: mappingModel
    )

    // Replace original store with migrated store
    try FileManager.default.removeItem(at: storeURL)
    try FileManager.default.moveItem(at: tempURL, to: storeURL)
  }
}

struct MigrationStep {
  let sourceModel: NSManagedObjectModel
  let destinationModel: NSManagedObjectModel
}

class ThreadMigrationPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    // Custom migration logic for Thread entities
    let destinationThread = NSEntityDescription.entity(
      forEntityName: "Thread", in: manager.destinationContext)!
    let newThread = NSManagedObject(
      entity: destinationThread, insertInto: manager.destinationContext)

    // Migrate basic properties
    newThread.setValue(sInstance.value(forKey: "id"), forKey: "id")
    newThread.setValue(sInstance.value(forKey: "title"), forKey: "title")

    // Custom migration logic for new properties
    newThread.setValue(false, forKey: "hasUnreadPosts")  // Default value for new property

    manager.associate(sourceInstance: sInstance, withDestinationInstance: newThread, for: mapping)
  }
}
