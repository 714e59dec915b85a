internal import OpenObjectGraph

/// An actor that performs its work with its own model context.
///
/// The ``ModelActor()`` macro adds this conformance to an actor.
///
/// > Reference: Apple, ModelActor.
public protocol ModelActor: Actor {
  /// The container of the actor's context.
  nonisolated var modelContainer: ModelContainer { get }
  /// The executor that runs the actor's jobs.
  ///
  /// The executor must be a ``SerialModelExecutor``. An actor whose executor has a different type
  /// traps when the first job runs.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    guard let executor = modelExecutor as? any SerialModelExecutor else {
      preconditionFailure(
        "A model actor requires a serial executor. Create one with DefaultSerialModelExecutor(modelContext:)."
      )
    }
    return executor.asUnownedSerialExecutor()
  }

  /// The model context of the actor.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The model with the given identifier; `nil` if the model does not exist, is marked for
  /// deletion, cannot be read, or has a different type.
  ///
  /// If reading the model fails, the next save of the context throws the error.
  ///
  /// - Parameters:
  ///   - id: The identifier of the model.
  ///   - type: The type of the model.
  /// > Reference: Apple, subscript(_:as:). Differs: D-376.
  public subscript<Model: PersistentModel>(
    id: PersistentIdentifier, as type: Model.Type
  ) -> Model? {
    modelContext.existingModel(for: id, as: type)
  }
}

/// Adds an executor, a container and a model context to an actor.
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
