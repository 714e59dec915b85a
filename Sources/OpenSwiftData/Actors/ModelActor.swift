internal import OpenObjectGraph

/// An actor with its own context; `@ModelActor` adds the conformance.
///
/// > Reference: Apple, ModelActor.
public protocol ModelActor: Actor {
  nonisolated var modelContainer: ModelContainer { get }
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    guard let executor = modelExecutor as? any SerialModelExecutor else {
      preconditionFailure(
        "A model actor needs a serial executor; make it with DefaultSerialModelExecutor(modelContext:)."
      )
    }
    return executor.asUnownedSerialExecutor()
  }

  /// The actor's context.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The model with an identifier; nil when no store has its row, or it is of another type.
  ///
  /// > Reference: Apple, subscript(_:as:). Differs: D-376.
  public subscript<Model: PersistentModel>(
    id: PersistentIdentifier, as type: Model.Type
  ) -> Model? {
    modelContext.existingModel(for: id, as: type)
  }
}

/// Makes an actor work with its own context.
///
/// ```swift
/// @ModelActor
/// actor Importer {
///   func add(_ titles: [String]) throws {
///     for title in titles { modelContext.insert(Story(title: title)) }
///     try modelContext.save()
///   }
/// }
/// ```
///
/// > Reference: Apple, ModelActor().
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "OpenMacros", type: "ModelActorMacro")
