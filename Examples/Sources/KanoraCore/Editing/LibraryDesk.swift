public import CoreData
import Foundation
import OpenPersistenceKit
import StoreSharing

/// Carries out the user's changes to the library. Each action is one named undo step and is saved immediately.
///
/// Actions run in a child of the main context. An action that fails leaves no changes. An action whose save fails is undone; ``redo()`` can
/// repeat it once the cause is resolved.
///
/// > Concurrency: Usable anywhere; works on the main queue, which must be free.
public struct LibraryDesk: Sendable {
  /// The library.
  public let store: KanoraStore
  /// The clock.
  let now: @Sendable () -> Date
  /// Receives the names of actions that are too large for the record.
  let reportUnrecorded: @Sendable (String) -> Void

  /// The number of actions that can be undone.
  static let levelsOfUndo = 200

  /// Creates the desk of a library.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - now: The clock.
  ///   - reportUnrecorded: A closure that receives the name of each saved action that changed too many objects for the record of all
  ///     programs, so that ``undoRecorded()`` cannot undo it. It is called on the main queue.
  public init(
    _ store: KanoraStore, now: @escaping @Sendable () -> Date = { Date() },
    reportUnrecorded: @escaping @Sendable (_ name: String) -> Void = { _ in }
  ) {
    self.store = store
    self.now = now
    self.reportUnrecorded = reportUnrecorded
  }

  /// The names of the actions that can be undone and redone, each nil if there is none.
  public struct Steps: Sendable, Hashable {
    /// The action that ``LibraryDesk/undo()`` undoes.
    public let undoName: String?
    /// The action that ``LibraryDesk/redo()`` repeats.
    public let redoName: String?
  }

  /// Returns the actions that can be undone and redone.
  public func steps() async -> Steps {
    let context = store.viewContext
    return await context.perform { Self.steps(of: context) }
  }

  private static func steps(of context: NSManagedObjectContext) -> Steps {
    guard let manager = context.undoManager else { return Steps(undoName: nil, redoName: nil) }
    return Steps(
      undoName: StepDirection.undo.name(in: manager),
      redoName: StepDirection.redo.name(in: manager))
  }

  // MARK: Actions

  /// Carries out an action as one undo step, and saves it.
  ///
  /// - Parameters:
  ///   - name: The action's name, as shown in menus: "Edit 3 Tracks".
  ///   - work: A closure that changes objects of the context it receives, and does not save.
  /// - Returns: The result of the closure.
  /// - Throws: Any error the closure or the save throws; the library is then unchanged.
  @discardableResult
  public func perform<Result: Sendable>(
    _ name: String, _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let desk = self
    return try await inTurn {
      try await desk.store.viewContext.perform {
        let child = desk.store.newChildContext()
        let result = try work(child)
        try desk.save(child, as: name)
        return result
      }
    }
  }

  /// Runs an action while no other action and no scan, of this or another program, changes the library.
  ///
  /// The main context first merges what other programs have saved.
  ///
  /// - Parameter work: The action, which must not call `inTurn` itself.
  func inTurn<Result: Sendable>(_ work: () async throws -> Result) async throws -> Result {
    let lock = try await StoreLock.editing.take(of: store.file)
    defer { withExtendedLifetime(lock) {} }
    try await mergeOthers()
    return try await work()
  }

  /// Merges what other programs have saved into the main context.
  func mergeOthers() async throws {
    try await store.viewContext.perform { [store] in try store.mergeOthers() }
  }

  /// Saves a child of the main context as one undo step. Call on the main queue.
  func save(_ child: NSManagedObjectContext, as name: String) throws {
    guard child.hasChanges else { return }
    let context = store.viewContext
    guard let manager = context.undoManager else {
      try child.save()
      return try context.save()
    }
    context.processPendingChanges()
    manager.levelsOfUndo = Self.levelsOfUndo
    manager.beginUndoGrouping()
    do {
      try child.save()
    } catch {
      context.processPendingChanges()
      manager.endUndoGrouping()
      throw error
    }
    context.processPendingChanges()
    // The name is set while the group is open. If the group has no changes, it is dropped, and the last undo step keeps its name.
    let record = StepRecord(.action)
    manager.setActionName(name)
    manager.setActionUserInfoValue(record, forKey: StepRecord.key)
    manager.endUndoGrouping()
    record.noteChanges(in: context)
    var changes = StepChanges()
    changes.note(in: context)
    var isRecorded = true
    do {
      if let journal { isRecorded = try journal.record(record, as: name, changes, at: now()) }
      try context.save()
    } catch {
      manager.undo()
      context.processPendingChanges()
      journal?.noteIfPossible(.undo, record.id)
      throw error
    }
    record.readValues()
    if !isRecorded { reportUnrecorded(name) }
  }

  /// The record of the steps of all programs; nil for an in-memory store.
  var journal: StepJournal? {
    let opened = store.container.persistentStoreCoordinator.persistentStores.first
    guard let file = store.file, let id = opened?.identifier else { return nil }
    return StepJournal(ofStoreAt: file, identifier: id)
  }

  // MARK: Undo

  /// Undoes the last action, and saves.
  ///
  /// - Returns: The action's name.
  /// - Throws: `KanoraError` with code `.nothingToUndo`, or `.changedElsewhere` if values that the action wrote have changed since; any
  ///   error the save throws. The action is then not undone.
  @discardableResult
  public func undo() async throws -> String { try await step(.undo) }

  /// Repeats the action that was undone last, and saves.
  ///
  /// - Returns: The action's name.
  /// - Throws: `KanoraError` with code `.nothingToUndo`, or `.changedElsewhere` if values that the undo wrote have changed since; any error
  ///   the save throws. The action then remains undone.
  @discardableResult
  public func redo() async throws -> String { try await step(.redo) }

  private func step(_ step: StepDirection) async throws -> String {
    let (context, journal) = (store.viewContext, journal)
    return try await inTurn {
      try await context.perform {
        context.processPendingChanges()
        guard let manager = context.undoManager, let name = step.name(in: manager) else {
          throw KanoraError(.nothingToUndo, "There is nothing to \(step.rawValue).")
        }
        let record = step.record(in: manager)
        try record?.requireUnchanged(name, in: context)
        let kind = record?.kind ?? .action
        let values = StepRecord(kind)
        Self.take(step, of: kind, with: manager, in: context)
        values.noteChanges(in: context)
        do { if context.hasChanges { try context.save() } } catch {
          Self.take(step.opposite, of: kind, with: manager, in: context)
          throw error
        }
        values.readValues()
        record?.update(from: values)
        if let record { journal?.noteIfPossible(step, record.id) }
        return name
      }
    }
  }

  /// Takes a step without saving. After an action, sums and positions include what other programs have changed since.
  private static func take(
    _ step: StepDirection, of kind: StepRecord.Kind, with manager: UndoManager,
    in context: NSManagedObjectContext
  ) {
    step.take(with: manager)
    context.processPendingChanges()
    if kind == .repair { return }
    // These changes are not part of the step. The next step calculates them again.
    manager.disableUndoRegistration()
    defer { manager.enableUndoRegistration() }
    updateDependentValues(in: context)
  }

  /// Calculates the totals and positions that depend on the pending changes of a context.
  static func updateDependentValues(in context: NSManagedObjectContext) {
    let changed = context.insertedObjects.union(context.updatedObjects)
    let albums = changed.compactMap { $0 as? Album ?? ($0 as? Track)?.album }
    for album in Set(albums) where !album.isDeleted { album.updateTotals() }
    let playlists = changed.compactMap { $0 as? Playlist ?? ($0 as? PlaylistItem)?.playlist }
    for playlist in Set(playlists) where !playlist.isDeleted { renumber(playlist.orderedItems) }
    context.processPendingChanges()
  }

  // MARK: Finding

  /// Returns the objects with the given ids, in the order of the ids.
  ///
  /// - Throws: `KanoraError` with code `.notFound` for the first id without an object.
  static func objects<Object: NSManagedObject>(
    _ type: Object.Type, _ ids: [UUID], in context: NSManagedObjectContext
  ) throws -> [Object] {
    let name = "\(type)"
    let found: [UUID: Object] = try existingObjects(name, ids, in: context)
    return try ids.map { id in
      guard let object = found[id] else {
        throw KanoraError(
          .notFound, "There is no \(name.lowercased()) with the id \(id.uuidString).")
      }
      return object
    }
  }

  /// Returns the existing objects of an entity with the given ids, by id.
  static func existingObjects<Object: NSManagedObject>(
    _ entity: String, _ ids: [UUID], in context: NSManagedObjectContext
  ) throws -> [UUID: Object] {
    var found: [UUID: Object] = [:]
    // SQLite limits the number of values in a statement.
    for start in stride(from: 0, to: ids.count, by: 500) {
      let request = NSFetchRequest<Object>(entityName: entity)
      let piece = Array(ids[start..<min(start + 500, ids.count)])
      request.predicate = NSPredicate(format: "id IN %@", argumentArray: [piece])
      for object in try context.fetch(request) {
        if let id = object.value(forKey: "id") as? UUID { found[id] = object }
      }
    }
    return found
  }

  /// Returns the object with the given id.
  static func object<Object: NSManagedObject>(
    _ type: Object.Type, _ id: UUID, in context: NSManagedObjectContext
  ) throws -> Object {
    try objects(type, [id], in: context)[0]
  }
}

/// Steps through the history of an undo manager.
extension StepDirection {
  fileprivate var opposite: StepDirection { self == .undo ? .redo : .undo }

  /// Returns the name of the action, or nil if there is none.
  fileprivate func name(in manager: UndoManager) -> String? {
    switch self {
    case .undo: manager.canUndo ? manager.undoActionName : nil
    case .redo: manager.canRedo ? manager.redoActionName : nil
    }
  }

  fileprivate func record(in manager: UndoManager) -> StepRecord? {
    let value =
      switch self {
      case .undo: manager.undoActionUserInfoValue(forKey: StepRecord.key)
      case .redo: manager.redoActionUserInfoValue(forKey: StepRecord.key)
      }
    return value as? StepRecord
  }

  fileprivate func take(with manager: UndoManager) {
    switch self {
    case .undo: manager.undo()
    case .redo: manager.redo()
    }
  }
}
