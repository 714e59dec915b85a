import CoreData
import Foundation
import SwiftData

/// A model beside the managed objects, for what a migration to SwiftData begins with: settings.
@Model
final class Setting {
  @Attribute(.unique) var key: String
  var value: String

  init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

// Future SwiftData implementation
@available(iOS 17.0, *)
struct SwiftDataLayer: DataLayerProtocol {
  typealias Context = ModelContext

  let container: ModelContainer
  private let main: ModelContext

  /// The main context belongs to the main actor, so that the layer takes it there; the protocol's function belongs to no actor.
  @MainActor
  init(container: ModelContainer) {
    self.container = container
    main = container.mainContext
  }

  func mainContext() -> ModelContext {
    return main
  }

  func backgroundContext() -> ModelContext {
    return ModelContext(container)
  }

  func save(_ context: ModelContext) async throws {
    // An asynchronous function without actor runs on no actor: the main context is saved on the main one.
    if context === main {
      try await MainActor.run { try main.save() }
    } else {
      try context.save()
    }
  }
}

/// Saves with any layer.
struct LayerClient<Layer: DataLayerProtocol> {
  let layer: Layer

  @MainActor
  func change(_ change: (Layer.Context) -> Void) async throws {
    let context = layer.mainContext()
    change(context)
    try await layer.save(context)
  }
}
