public import CoreData
import Foundation
import OpenPersistenceKit

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

  /// The number of actions that can be undone.
  static let levelsOfUndo = 200

  /// Creates the desk of a library.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - now: The clock.
  public init(_ store: KanoraStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
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
      undoName: manager.canUndo ? manager.undoActionName : nil,
      redoName: manager.canRedo ? manager.redoActionName : nil)
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
    let (store, context) = (store, store.viewContext)
    return try await context.perform {
      let child = store.newChildContext()
      let result = try work(child)
      try Self.save(child, as: name, into: context)
      return result
    }
  }

  /// Saves a child of the main context as one undo step. Call on the main queue.
  static func save(
    _ child: NSManagedObjectContext, as name: String, into context: NSManagedObjectContext
  ) throws {
    guard child.hasChanges else { return }
    guard let manager = context.undoManager else {
      try child.save()
      return try context.save()
    }
    context.processPendingChanges()
    manager.levelsOfUndo = levelsOfUndo
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
    manager.setActionName(name)
    manager.endUndoGrouping()
    do { try context.save() } catch {
      manager.undo()
      context.processPendingChanges()
      throw error
    }
  }

  // MARK: Undo

  /// Undoes the last action, and saves.
  ///
  /// - Returns: The action's name.
  /// - Throws: `KanoraError` with code `.nothingToUndo`; any error the save throws, in which case the action is not undone.
  @discardableResult
  public func undo() async throws -> String {
    try await step(
      "There is nothing to undo.", { $0.canUndo ? $0.undoActionName : nil }, { $0.undo() },
      back: { $0.redo() })
  }

  /// Repeats the action that was undone last, and saves.
  ///
  /// - Returns: The action's name.
  /// - Throws: `KanoraError` with code `.nothingToUndo`; any error the save throws, in which case the action remains undone.
  @discardableResult
  public func redo() async throws -> String {
    try await step(
      "There is nothing to redo.", { $0.canRedo ? $0.redoActionName : nil }, { $0.redo() },
      back: { $0.undo() })
  }

  private func step(
    _ refusal: String, _ name: @escaping @Sendable (UndoManager) -> String?,
    _ step: @escaping @Sendable (UndoManager) -> Void,
    back: @escaping @Sendable (UndoManager) -> Void
  ) async throws -> String {
    let context = store.viewContext
    return try await context.perform {
      context.processPendingChanges()
      guard let manager = context.undoManager, let name = name(manager) else {
        throw KanoraError(.nothingToUndo, refusal)
      }
      step(manager)
      context.processPendingChanges()
      do { if context.hasChanges { try context.save() } } catch {
        back(manager)
        context.processPendingChanges()
        throw error
      }
      return name
    }
  }

  // MARK: Finding

  /// Returns the objects with the given ids, in the order of the ids.
  ///
  /// - Throws: `KanoraError` with code `.notFound` for the first id without an object.
  static func objects<Object: NSManagedObject>(
    _ type: Object.Type, _ ids: [UUID], in context: NSManagedObjectContext
  ) throws -> [Object] {
    let name = "\(type)"
    var found: [UUID: Object] = [:]
    // SQLite limits the number of values in a statement.
    for start in stride(from: 0, to: ids.count, by: 500) {
      let request = NSFetchRequest<Object>(entityName: name)
      let piece = Array(ids[start..<min(start + 500, ids.count)])
      request.predicate = NSPredicate(format: "id IN %@", argumentArray: [piece])
      for object in try context.fetch(request) {
        if let id = object.value(forKey: "id") as? UUID { found[id] = object }
      }
    }
    return try ids.map { id in
      guard let object = found[id] else {
        throw KanoraError(
          .notFound, "There is no \(name.lowercased()) with the id \(id.uuidString).")
      }
      return object
    }
  }

  /// Returns the object with the given id.
  static func object<Object: NSManagedObject>(
    _ type: Object.Type, _ id: UUID, in context: NSManagedObjectContext
  ) throws -> Object {
    try objects(type, [id], in: context)[0]
  }
}
