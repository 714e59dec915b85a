public import Foundation
internal import OpenCoreData
public import OpenObjectGraph
internal import OpenObjectModel

/// An object that fetches models, tracks changes to models, and saves the changes.
///
/// A context has at most one model instance for each row, and does not retain unchanged models.
/// When a context of the container saves, the other contexts merge the changes. The main context
/// merges the changes in a block on the main queue. The context of a model actor merges the changes
/// on the queue of the actor's executor. Any other context merges the changes at its next use.
///
/// > Concurrency: Confined to the actor or task that uses the context. A context is never
/// > `Sendable`.
/// > Reference: Apple, ModelContext.
public final class ModelContext: Equatable, CustomDebugStringConvertible {
  /// The container whose stores the context uses.
  public var container: ModelContainer { reference.container }
  private let reference: ContainerReference
  private let coordinator: NSPersistentStoreCoordinator
  let customStores: [any DataStore]
  let graph: GraphContext
  /// Whether the context saves changes automatically. The default is `true` for a main context and
  /// `false` for other contexts.
  ///
  /// Only a main context supports automatic saves; in other contexts, the value has no effect. The
  /// main context saves at the end of each turn of the main event loop in which models change. If
  /// the main context has unsaved changes when the value becomes `true`, the context also saves at
  /// the end of the turn. If an automatic save fails, the context writes the error to the log, and
  /// the changes remain pending.
  ///
  /// > Reference: Apple, autosaveEnabled. Differs: D-390.
  public var autosaveEnabled = false {
    didSet {
      guard graph.concurrencyType == .mainQueueConcurrencyType else { return }
      if autosaveEnabled { autosave.start() } else { autosave.stop() }
    }
  }
  /// The identity and the author of the context's edits, for custom stores and for the history.
  ///
  /// > Reference: Apple, editingState.
  public var editingState = EditingState(author: nil) {
    didSet { editingStateDidChange(from: oldValue) }
  }
  private lazy var autosave = Autosave(of: self)
  private let retained = RetainedModels()
  /// Inserted objects whose related objects are not inserted yet.
  private var waiting: [__ModelObject] = []
  @exclusivity(unchecked) private var isInserting = false
  /// Converts the captured persistent identifiers of predicates to object identifiers.
  let graphValue: (Any) -> Any?
  /// The model type that was fetched last.
  @exclusivity(unchecked) private var lastModel: KnownModel?

  /// The information about a model type that a fetch needs.
  struct KnownModel {
    let type: any PersistentModel.Type
    let name: String
    /// The token of the model's entity; `nil` if the schema lacks the class.
    let token: UInt32?
  }

  func known(_ type: any PersistentModel.Type) -> KnownModel {
    if let lastModel, lastModel.type == type { return lastModel }
    let entity = ModelTypes.entity(of: type, in: coordinator.model)
    let model = KnownModel(
      type: type, name: entity?.name ?? String(reflecting: type), token: entity?.token)
    lastModel = model
    return model
  }

  /// Creates a context for a container.
  ///
  /// - Parameter container: The container whose stores the context uses.
  ///
  /// > Concurrency: Use the context only in the task or actor that creates it.
  public convenience init(_ container: ModelContainer) {
    let graph = GraphContext(.confinementConcurrencyType, container.remoteChanges)
    graph.becomeVisited()
    self.init(container, graph)
  }

  init(_ container: ModelContainer, _ graph: GraphContext) {
    let coordinator = container.coordinator
    self.coordinator = coordinator
    let isMain = graph.concurrencyType == .mainQueueConcurrencyType
    reference = ContainerReference(to: container, retains: !isMain)
    customStores = container.customStores
    self.graph = graph
    graphValue = { [weak graph] value in
      guard let identifier = value as? PersistentIdentifier else { return value }
      let id = graph?.unsavedID(of: identifier) ?? coordinator.objectID(of: identifier)
      return id ?? UnknownIdentifier()
    }
    graph.persistentStoreCoordinator = coordinator
    graph.mergePolicy = ModelMergePolicy.shared
    graph.automaticallyMergesChangesFromParent = true
    graph.attach(to: self)
    graph.remoteChanges.add(graph)
    for store in customStores { store.initializeState(for: editingState) }
  }

  deinit {
    retained.releaseAll()
    for store in customStores { store.invalidateState(for: editingState) }
  }

  public static func == (one: ModelContext, other: ModelContext) -> Bool { one === other }

  public var debugDescription: String { "ModelContext of \(container.debugDescription)" }

  /// The author that the stores' histories record for the context's changes; `nil` for no author.
  public var author: String? {
    get { graph.transactionAuthor }
    set { editingState.author = newValue }
  }

  private func editingStateDidChange(from former: EditingState) {
    graph.transactionAuthor = editingState.author
    guard editingState.id != former.id else { return }
    for store in customStores {
      store.invalidateState(for: former)
      store.initializeState(for: editingState)
    }
  }

  /// The undo manager that registers the context's changes; `nil` by default.
  public var undoManager: UndoManager? {
    get { graph.undoManager }
    set { graph.undoManager = newValue }
  }

  // MARK: Changes

  /// Whether the context has unsaved insertions, changes or deletions.
  public var hasChanges: Bool { graph.hasChanges }
  /// The models inserted since the last save, in order of insertion.
  public var insertedModelsArray: [any PersistentModel] { models(graph.unsavedObjects.inserted) }
  /// The models with unsaved changes to properties, except inserted and deleted models.
  public var changedModelsArray: [any PersistentModel] { models(graph.unsavedObjects.updated) }
  /// The models that the next save deletes.
  public var deletedModelsArray: [any PersistentModel] { models(graph.unsavedObjects.deleted) }

  private func models(_ objects: [NSManagedObject]) -> [any PersistentModel] {
    objects.compactMap { ($0 as? __ModelObject)?.anyModel }
  }

  /// Inserts a model and all models that can be reached through its relationships.
  ///
  /// A second insertion of a model has no effect. Inserting a model that is marked for deletion
  /// cancels the deletion. The method does not insert a model of another context; the next save
  /// throws `ObjectError`. The method does not insert a model whose class is not in the container's
  /// schema; the next save throws `SwiftDataError.unknownSchema`.
  ///
  /// - Parameter model: The model to insert.
  /// > Reference: Apple, insert(_:). Differs: D-370.
  public func insert<Model: PersistentModel>(_ model: Model) {
    graph.takeOverChanges()
    let object = model.__object
    if object.isDetached {
      if !object.isOfModel(of: graph) {
        let type = ModelTypes.type(of: object) ?? Model.self
        guard let entity = ModelTypes.entity(of: type, in: coordinator.model) else {
          return graph.deferError(SwiftDataError.modelsOutsideSchema([String(reflecting: type)]))
        }
        DetachedGraph(around: object).move(to: entity.model, in: graph)
      }
      model.__bind()
      object.keptModel = model
    } else if object.managedObjectContext === graph, object.knownModel !== model {
      // An initializer related the model to a model of the context, which inserted the object
      // before its model was known.
      model.__bind()
      if object.isInserted { keep(model, of: object) }
    }
    graph.insert(object)
  }

  /// Retains a model until the next save.
  func keep(_ model: AnyObject, of object: __ModelObject) {
    retained.add(model, of: object)
  }

  /// Inserts the related objects of an inserted object, and makes the next save throw the errors of
  /// failed writes to the object. The context calls this method for each inserted object.
  func didInsert(_ object: __ModelObject) {
    for error in FailedWrites.take(from: object) { graph.deferError(error) }
    if let model = object.keptModel ?? object.knownModel { keep(model, of: object) }
    if !isInserting, ModelRelationship.knownNeighbors(of: object).isEmpty { return }
    waiting.append(object)
    guard !isInserting else { return }
    isInserting = true
    defer {
      isInserting = false
      waiting.removeAll(keepingCapacity: true)
    }
    // The list grows during the loop, because each insertion calls this method.
    var position = 0
    while position < waiting.count {
      let neighbors = ModelRelationship.knownNeighbors(of: waiting[position])
      for case let neighbor as __ModelObject in neighbors where neighbor.isDetached {
        graph.insert(neighbor)
      }
      position += 1
    }
  }

  /// Marks a model for deletion by the next save, and applies the delete rules of the model's
  /// relationships.
  ///
  /// If the model was never saved, the method removes the model from the context. If the model has
  /// no context, the method does nothing. If the model is in another context, the next save throws
  /// `ObjectError`.
  ///
  /// - Parameter model: The model to delete.
  /// > Reference: Apple, delete(_:).
  public func delete<Model: PersistentModel>(_ model: Model) {
    graph.takeOverChanges()
    graph.delete(model.__object)
  }

  /// Marks models of a type for deletion by the next save, if the models satisfy a predicate.
  ///
  /// The method considers unsaved changes, and applies the delete rules of the models'
  /// relationships.
  ///
  /// - Parameters:
  ///   - model: The type of the models.
  ///   - predicate: The condition that the models to delete satisfy; `nil` for all models.
  ///   - includeSubclasses: Whether to also delete models of subclasses.
  /// - Throws: The same errors as ``fetch(_:)``.
  /// - Complexity: O(*n*), where *n* is the number of deleted models. The context retains these
  ///   models until the save.
  /// > Reference: Apple, delete(model:where:includeSubclasses:). Differs: D-372.
  public func delete<Model: PersistentModel>(
    model: Model.Type, where predicate: Predicate<Model>? = nil, includeSubclasses: Bool = true
  ) throws {
    let request = try FetchDescriptor<Model>(predicate: predicate).managed(in: self)
    request.includesSubentities = includeSubclasses
    let found = try asking(.descriptor(FetchDescriptor<Model>(predicate: predicate))) {
      try executing(request) { try graph.fetch($0) }
    }
    for object in found { graph.delete(object) }
  }

  // MARK: Saving

  /// Writes the pending changes, in one transaction for each store.
  ///
  /// If a new model has the same unique values as a stored model, the save updates the stored model
  /// instead of inserting the new model. If the context does not have an instance of the stored
  /// model, the new model becomes the instance of the stored model. Otherwise, the new model leaves
  /// the context.
  ///
  /// If the method throws, all changes remain pending, with one exception. If a store fails after
  /// other stores were written, the method throws `CocoaError` 134040 and posts ``didSave`` with
  /// the saved models; only the other changes remain pending. A new model may already have been
  /// merged into a stored model, as a pending update; ``rollback()`` discards the update.
  ///
  /// - Throws: `CocoaError` 1550–1690 for invalid values, 133021 for equal unique values that
  ///   cannot be merged, 134030 if a store cannot be written, or another Core Data code; any error
  ///   that a custom store throws. This method also throws the deferred error of an earlier
  ///   operation that could not throw: for example, a ``SwiftDataError`` for an unsupported
  ///   predicate, or a ``ModelValueError`` for a value that could not be stored. If reading a
  ///   stored value failed, every call throws a `CocoaError` until you call ``rollback()``.
  /// > Reference: Apple, save(). Differs: D-428.
  public func save() throws {
    graph.takeOverChanges()
    guard graph.hasChanges || graph.hasDeferredErrors else { return }
    NotificationCenter.default.post(name: Self.willSave, object: self)
    let announcement = SaveAnnouncement(of: self)
    do {
      try graph.remoteChanges.saving { try graph.save() }
    } catch let error as CocoaError where error.code == .persistentStoreIncompleteSave {
      // The stores that were written before the failure have saved their models.
      endSave(announcement.ofSavedModels) { !$0.hasChanges }
      throw error
    }
    endSave(announcement) { _ in true }
  }

  private func endSave(_ announcement: SaveAnnouncement, isSaved: (NSManagedObject) -> Bool) {
    let survivors = graph.endMerges(isSaved)
    rereadReregistered()
    retained.handOver(to: announcement.saved)
    retained.releaseSaved()
    announcement.post(survivors)
  }

  /// Discards all unsaved changes.
  ///
  /// Changed and deleted models return to their stored values. Inserted models leave the context.
  ///
  /// > Reference: Apple, rollback().
  public func rollback() {
    graph.takeOverChanges()
    graph.rollback()
    graph.undoMerges()
    retained.releaseSaved()
  }

  /// Calls a closure, and then saves the context.
  ///
  /// If the closure throws, the method does not save, and the closure's changes remain pending.
  ///
  /// - Parameter block: The closure to call.
  /// - Throws: Any error that the closure throws; the same errors as ``save()``.
  /// > Reference: Apple, transaction(block:).
  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }

  /// Applies the delete rules, and registers the pending changes with the undo manager.
  ///
  /// > Reference: Apple, processPendingChanges().
  public func processPendingChanges() {
    graph.takeOverChanges()
    graph.processPendingChanges()
  }

  // MARK: Models by identifier

  /// Returns the model with the given identifier: the registered instance, or a new instance whose
  /// values are read on first use.
  ///
  /// The method does not check whether the row exists. The properties of a model without a row are
  /// empty. If the container does not have the identifier's store or model type, the properties are
  /// also empty, and the next save throws `SwiftDataError.unknownSchema`.
  ///
  /// - Parameter persistentModelID: The identifier of the model.
  /// > Reference: Apple, model(for:). Differs: D-373.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    graph.takeOverChanges()
    if let id = objectID(persistentModelID),
      let model = (ObjectLookup.knownOrFault(withID: id, in: graph) as? __ModelObject)?.anyModel
    {
      return model
    }
    graph.deferError(
      SwiftDataError(
        .unknownSchema,
        "The identifier \(persistentModelID.uriRepresentation) refers to a store or a model that is not in the container."
      ))
    return MissingModel(__object: MissingModel.emptyObject)
  }

  /// Returns the registered model with the given identifier, without reading from a store.
  ///
  /// - Parameter persistentModelID: The identifier of the model.
  /// - Returns: The model; `nil` if no model with the identifier is registered with the context, or
  ///   if the registered model has a different type.
  /// > Reference: Apple, registeredModel(for:).
  public func registeredModel<Model: PersistentModel>(
    for persistentModelID: PersistentIdentifier
  ) -> Model? {
    graph.takeOverChanges()
    guard let id = objectID(persistentModelID),
      let object = graph.registeredObject(for: id) as? __ModelObject
    else { return nil }
    return object.knownModel as? Model ?? object.anyModel as? Model
  }

  /// Returns the model with the given identifier after reading the values; `nil` if the row does
  /// not exist or cannot be read. If the row cannot be read, the next save throws the error.
  func existingModel<Model: PersistentModel>(
    for persistentModelID: PersistentIdentifier, as type: Model.Type
  ) -> Model? {
    graph.takeOverChanges()
    guard let id = objectID(persistentModelID), ObjectLookup.has(id, in: graph) else { return nil }
    do {
      let object = try graph.existingObject(with: id) as? __ModelObject
      return object?.anyModel as? Model
    } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
      return nil
    } catch {
      graph.deferError(error)
      return nil
    }
  }

  /// Returns the object identifier for a persistent identifier; `nil` if the container does not
  /// have the identifier's store.
  ///
  /// The identifier may be the decoded identifier of an unsaved model of the context, or an
  /// identifier that a model of a custom store had before it was saved.
  private func objectID(_ identifier: PersistentIdentifier) -> NSManagedObjectID? {
    guard case .named(store: nil, entity: _, key: _) = identifier.form else {
      return coordinator.objectID(of: identifier)
    }
    return graph.unsavedID(of: identifier) ?? coordinator.customObjectID(of: identifier)
  }

  // MARK: Requests

  func objects(_ request: NSFetchRequest<NSManagedObject>) throws -> [NSManagedObject] {
    graph.takeOverChanges()
    return try executing(request) { try graph.fetch($0) }
  }
}
