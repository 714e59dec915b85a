public import Foundation
internal import OpenCoreData
public import OpenObjectGraph
internal import OpenObjectModel

/// Fetches models, tracks their changes, and saves them in one step.
///
/// A context has one instance for each row, and does not retain unchanged models. It merges saves of other contexts
/// of the container when it is used next; the main context merges them immediately.
///
/// > Concurrency: Confined to the actor or task that uses it; never Sendable.
/// > Reference: Apple, ModelContext.
public final class ModelContext: Equatable, CustomDebugStringConvertible {
  /// The container.
  public let container: ModelContainer
  let graph: GraphContext
  /// Whether changes are saved automatically; true by default for a main context, false for other contexts.
  ///
  /// Only a main context supports this, at the end of the current turn of the main event loop; save other contexts explicitly.
  ///
  /// > Reference: Apple, autosaveEnabled. Differs: D-390.
  public var autosaveEnabled = false {
    didSet {
      guard graph.concurrencyType == .mainQueueConcurrencyType else { return }
      if autosaveEnabled { autosave.start() } else { autosave.stop() }
    }
  }
  /// Identifies the editor to custom stores and in histories.
  ///
  /// > Reference: Apple, editingState.
  public var editingState = EditingState(author: nil) {
    didSet { editingStateDidChange(from: oldValue) }
  }
  private lazy var autosave = Autosave(of: self)
  /// Models that were inserted and not saved, which the context keeps.
  @exclusivity(unchecked) private var kept: [__ModelObject] = []
  /// Objects that were inserted and whose neighbors were not inserted yet.
  private var waiting: [__ModelObject] = []
  @exclusivity(unchecked) private var isInserting = false
  /// Turns identifiers that predicates have captured into ids of objects.
  let graphValue: (Any) -> Any?
  /// The model that was fetched last.
  @exclusivity(unchecked) private var lastModel: KnownModel?

  /// What a fetch has to know of a model.
  struct KnownModel {
    let type: any PersistentModel.Type
    let name: String
    /// The token of its entity; nil where the schema has none.
    let token: UInt32?
  }

  func known(_ type: any PersistentModel.Type) -> KnownModel {
    if let lastModel, lastModel.type == type { return lastModel }
    let name = Schema.entityName(forType: type)
    let token = container.entity(of: type, named: name)?.token
    let model = KnownModel(type: type, name: name, token: token)
    lastModel = model
    return model
  }

  /// Creates a context of a container.
  ///
  /// > Concurrency: Use it in the task or actor that creates it.
  public convenience init(_ container: ModelContainer) {
    let graph = GraphContext(.confinementConcurrencyType, container.remoteChanges)
    graph.becomeVisited()
    self.init(container, graph)
  }

  init(_ container: ModelContainer, _ graph: GraphContext) {
    self.container = container
    self.graph = graph
    graphValue = { UnknownIdentifier.graphValue(of: $0, in: container) }
    graph.persistentStoreCoordinator = container.coordinator
    graph.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    graph.automaticallyMergesChangesFromParent = true
    graph.attach(to: self)
    container.remoteChanges.add(graph)
    for store in container.customStores { store.initializeState(for: editingState) }
  }

  deinit {
    for object in kept { object.keptModel = nil }
    for store in container.customStores { store.invalidateState(for: editingState) }
  }

  public static func == (one: ModelContext, other: ModelContext) -> Bool { one === other }

  public var debugDescription: String { "ModelContext of \(container.debugDescription)" }

  /// The author of the changes, recorded in the history.
  public var author: String? {
    get { graph.transactionAuthor }
    set { editingState.author = newValue }
  }

  private func editingStateDidChange(from former: EditingState) {
    graph.transactionAuthor = editingState.author
    guard editingState.id != former.id else { return }
    for store in container.customStores {
      store.invalidateState(for: former)
      store.initializeState(for: editingState)
    }
  }

  /// The undo manager that registers changes; nil by default.
  public var undoManager: UndoManager? {
    get { graph.undoManager }
    set { graph.undoManager = newValue }
  }

  // MARK: Changes

  /// Whether there are unsaved insertions, changes or deletions.
  public var hasChanges: Bool { graph.hasChanges }
  /// Models inserted since the last save, in the order in which they were inserted.
  public var insertedModelsArray: [any PersistentModel] { models(graph.unsavedObjects.inserted) }
  /// Saved models with unsaved changes.
  public var changedModelsArray: [any PersistentModel] { models(graph.unsavedObjects.updated) }
  /// Models that the next save deletes.
  public var deletedModelsArray: [any PersistentModel] { models(graph.unsavedObjects.deleted) }

  private func models(_ objects: [NSManagedObject]) -> [any PersistentModel] {
    objects.compactMap { ($0 as? __ModelObject)?.anyModel }
  }

  /// Inserts a model, and all models in its relationships.
  ///
  /// Inserting a model again changes nothing, and inserting a deleted model undoes its unsaved deletion. For a model
  /// of another context, or of a class that is not in the container's schema, the call changes nothing and the next
  /// save throws.
  ///
  /// > Reference: Apple, insert(_:). Differs: D-370.
  public func insert<Model: PersistentModel>(_ model: Model) {
    graph.takeOverChanges()
    let object = model.__object
    if object.isDetached {
      if !object.isOfModel(of: graph) {
        guard let entity = container.entity(of: Model.self, named: object.modelEntity.name) else {
          return graph.deferError(SwiftDataError.modelsOutsideSchema([object.modelEntity.name]))
        }
        DetachedGraph(around: object).move(to: entity.model, in: graph)
      }
      model.__bind()
      object.keptModel = model
    } else if object.managedObjectContext === graph, object.knownModel !== model {
      // Its initializer related it to a model of the context, which inserted the object and could not know the model.
      model.__bind()
      if object.isInserted { keep(model, of: object) }
    }
    graph.insert(object)
  }

  /// Keeps a model until the next save.
  private func keep(_ model: AnyObject, of object: __ModelObject) {
    object.keptModel = model
    kept.append(object)
  }

  /// Called for each object that comes into the context, also through a relationship.
  func didInsert(_ object: __ModelObject) {
    if let model = object.keptModel ?? object.knownModel { keep(model, of: object) }
    if !isInserting, object.knownNeighbors.isEmpty { return }
    waiting.append(object)
    guard !isInserting else { return }
    isInserting = true
    defer {
      isInserting = false
      waiting.removeAll(keepingCapacity: true)
    }
    // Each insertion calls this method, which lets the list grow.
    var position = 0
    while position < waiting.count {
      for case let neighbor as __ModelObject in waiting[position].knownNeighbors
      where neighbor.isDetached {
        graph.insert(neighbor)
      }
      position += 1
    }
  }

  /// Deletes a model with the next save, and applies the delete rules of its relationships.
  ///
  /// A model that was never saved is removed from the context.
  ///
  /// > Reference: Apple, delete(_:).
  public func delete<Model: PersistentModel>(_ model: Model) {
    graph.takeOverChanges()
    graph.delete(model.__object)
  }

  /// Deletes all models of a type that satisfy a predicate, following the delete rules; the next save writes the deletions.
  ///
  /// - Parameters:
  ///   - model: The type.
  ///   - predicate: The condition for the models to delete, evaluated with unsaved changes; nil for all.
  ///   - includeSubclasses: Whether models of subclasses are deleted too.
  /// - Throws: The same errors as ``fetch(_:)``.
  /// - Complexity: O(deleted models), which the context keeps until the save.
  /// > Reference: Apple, delete(model:where:includeSubclasses:). Differs: D-372.
  public func delete<Model: PersistentModel>(
    model: Model.Type, where predicate: Predicate<Model>? = nil, includeSubclasses: Bool = true
  ) throws {
    let request = try FetchDescriptor<Model>(predicate: predicate).managed(in: self)
    request.includesSubentities = includeSubclasses
    let found = try asking(.descriptor(FetchDescriptor<Model>(predicate: predicate))) {
      try objects(request)
    }
    for object in found { graph.delete(object) }
  }

  // MARK: Saving

  /// Writes the pending changes, in one transaction for each store.
  ///
  /// After an error, all changes are still pending.
  ///
  /// - Throws: `CocoaError` with Core Data's codes for validation and conflicts; ``SwiftDataError``, `ObjectError`
  ///   for a mistake since the last save, such as a value that could not be read.
  /// > Reference: Apple, save().
  public func save() throws {
    graph.takeOverChanges()
    guard graph.hasChanges || graph.hasDeferredErrors else { return }
    NotificationCenter.default.post(name: Self.willSave, object: self)
    let announcement = SaveAnnouncement(of: self)
    try container.remoteChanges.saving { try graph.save() }
    rereadReregistered()
    letGo()
    announcement.post()
  }

  private func letGo() {
    for object in kept { object.keptModel = nil }
    kept.removeAll()
  }

  /// Discards all unsaved changes: models have their stored values again, and inserted models leave the context.
  ///
  /// > Reference: Apple, rollback().
  public func rollback() {
    graph.takeOverChanges()
    graph.rollback()
    letGo()
  }

  /// Runs a block, then saves.
  ///
  /// When the block throws, nothing is saved, and its changes stay pending.
  ///
  /// - Throws: The error of the block or of the save.
  /// > Reference: Apple, transaction(block:).
  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }

  /// Applies delete rules, and registers the changes with the undo manager.
  ///
  /// > Reference: Apple, processPendingChanges().
  public func processPendingChanges() {
    graph.takeOverChanges()
    graph.processPendingChanges()
  }

  // MARK: Models by identifier

  /// The model with an identifier: the registered instance, or one whose values are read when it is used.
  ///
  /// Whether its row exists is not checked; without a row its properties are empty, and the next save throws.
  ///
  /// - Returns: The model.
  /// > Reference: Apple, model(for:). Differs: D-373.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    graph.takeOverChanges()
    if let id = container.objectID(persistentModelID),
      let model = (graph.object(with: id) as? __ModelObject)?.anyModel
    {
      return model
    }
    graph.deferError(
      SwiftDataError(
        .unknownSchema,
        "The container has no store or no model for the identifier \(persistentModelID.uriRepresentation)."
      ))
    return MissingModel(__object: MissingModel.emptyObject)
  }

  /// The registered instance for an identifier; does not read from a store.
  ///
  /// - Returns: The instance that the context has for an identifier; nil if there is none.
  /// > Reference: Apple, registeredModel(for:).
  public func registeredModel<Model: PersistentModel>(
    for persistentModelID: PersistentIdentifier
  ) -> Model? {
    graph.takeOverChanges()
    guard let id = container.objectID(persistentModelID),
      let object = graph.registeredObject(for: id) as? __ModelObject
    else { return nil }
    return object.knownModel as? Model ?? object.anyModel as? Model
  }

  /// The model with an identifier, with its values; nil when there is no such row.
  func existingModel<Model: PersistentModel>(
    for persistentModelID: PersistentIdentifier, as type: Model.Type
  ) -> Model? {
    graph.takeOverChanges()
    guard let id = container.objectID(persistentModelID),
      let object = try? graph.existingObject(with: id) as? __ModelObject
    else { return nil }
    return object.anyModel as? Model
  }

  // MARK: Requests

  func objects(_ request: NSFetchRequest<NSManagedObject>) throws -> [NSManagedObject] {
    graph.takeOverChanges()
    return try graph.fetch(request)
  }
}
