internal import OpenObjectGraph

/// A context's reference to its container.
///
/// A container retains its main context, so a main context does not retain its container. If the
/// container was deallocated, the reference creates an equal container with the same stores. The
/// context itself does not use its container.
///
/// > Concurrency: Confined to the context.
final class ContainerReference {
  private let parts: ModelContainer.Parts
  private let retained: ModelContainer?
  private weak var known: ModelContainer?

  init(to container: ModelContainer, retains: Bool) {
    parts = container.parts
    retained = retains ? container : nil
    // A weak reference slows down reference counting.
    if !retains { known = container }
  }

  var container: ModelContainer {
    if let container = retained ?? known { return container }
    let container = ModelContainer(parts)
    known = container
    return container
  }
}

extension ModelContainer {
  /// The contents of a container, except for its main context.
  struct Parts {
    let schema: Schema
    let migrationPlan: (any SchemaMigrationPlan.Type)?
    let configurations: Set<ModelConfiguration>
    let coordinator: NSPersistentStoreCoordinator
    let customStores: [any DataStore]
    let remoteChanges: RemoteChanges
  }

  var parts: Parts {
    Parts(
      schema: schema, migrationPlan: migrationPlan, configurations: configurations,
      coordinator: coordinator, customStores: customStores, remoteChanges: remoteChanges)
  }
}
