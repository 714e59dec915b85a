internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenObjectModel

/// The steps that open a stack.
enum StackOpening {
  /// Returns a container for a model, or for the model with the container's name if `model` is nil.
  static func container(
    named name: String, model: NSManagedObjectModel?
  ) -> NSPersistentContainer {
    model.map { NSPersistentContainer(name: name, managedObjectModel: $0) }
      ?? NSPersistentContainer(name: name)
  }

  /// Returns the container of a configuration, with its stores described but not yet loaded.
  ///
  /// If the model cannot be created, the model of the container is empty. Do not load the stores of
  /// this container.
  static func container(
    of configuration: PersistenceController.Configuration
  ) -> (container: NSPersistentContainer, failure: Failure?) {
    var failure: Failure?
    var model: NSManagedObjectModel?
    if let makeModel = configuration.makeModel {
      do {
        model = try makeModel()
      } catch {
        failure = Failure(error: error)
        model = NSManagedObjectModel()
      }
    }
    let container = container(named: configuration.name, model: model)
    describe(configuration.storage, of: container)
    for description in container.persistentStoreDescriptions {
      setOptions(of: description, configuration)
      configuration.prepareStore?(description)
      // The stack can report only errors that occur before its initializer returns.
      description.shouldAddStoreAsynchronously = false
    }
    return (container, failure)
  }

  /// Replaces the container's store descriptions if the store is not in the default folder.
  static func describe(
    _ storage: PersistenceController.Storage, of container: NSPersistentContainer
  ) {
    switch storage {
    case .standard: break
    case .file(let url):
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    case .inMemory:
      let description = NSPersistentStoreDescription()
      description.type = NSInMemoryStoreType
      description.url = nil
      container.persistentStoreDescriptions = [description]
    }
  }

  private static func setOptions(
    of description: NSPersistentStoreDescription,
    _ configuration: PersistenceController.Configuration
  ) {
    description.shouldMigrateStoreAutomatically = configuration.migratesAutomatically
    description.shouldInferMappingModelAutomatically = configuration.migratesAutomatically
    guard description.type != NSInMemoryStoreType else { return }
    if configuration.tracksHistory {
      description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    }
    if configuration.announcesRemoteChanges {
      description.setOption(
        NSNumber(value: true), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
  }

  /// A store that could not be opened.
  struct Failure {
    var url: URL?
    var error: any Error

    /// The failure as several lines of text for the console.
    var text: String {
      let bridged = error as NSError
      let place = url?.withoutPasswords.absoluteString ?? "none"
      return """
        ❌ Core Data error: Error Domain=\(bridged.domain) Code=\(bridged.code) \
        "\(bridged.localizedDescription)"
           Store: \(place)
           User info: \(bridged.userInfo)
        """
    }
  }

  /// Loads the stores.
  ///
  /// - Returns: The stores that could not be opened, with their errors.
  static func loadStores(of container: NSPersistentContainer) -> [Failure] {
    var failures: [Failure] = []
    container.loadPersistentStores { description, error in
      if let error { failures.append(Failure(url: description.url, error: error)) }
    }
    return failures
  }

  /// Configures the main context.
  static func configure(_ context: NSManagedObjectContext) {
    context.name = "ViewContext"
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    context.undoManager = UndoManager()
  }
}
