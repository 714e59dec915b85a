internal import Foundation
public import OpenObjectGraph

extension PersistenceController {
  /// Saves the main context if the context has changes or deferred errors.
  ///
  /// Call this method on the main queue.
  ///
  /// - Throws: Any error that the save throws, or the deferred error of an earlier call that could
  ///   not throw. After an error, the changes remain pending.
  public func saveViewContext() throws { try save(context: viewContext) }

  /// Saves a context if the context has changes or deferred errors.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter context: Any context of the stack. Saving a child context changes only its parent
  ///   context, not the store.
  /// - Throws: Any error that the save throws, or the deferred error of an earlier call that could
  ///   not throw. After an error, the changes remain pending.
  public func save(context: NSManagedObjectContext) throws { try context.saveIfNeeded() }

  /// Creates a main-queue child of the main context, for edits that may be discarded.
  ///
  /// The merge policy of the new context is `NSMergeByPropertyObjectTrumpMergePolicy`.
  ///
  /// - Returns: The new context.
  public func newChildContext() -> NSManagedObjectContext { newChildContext(of: viewContext) }

  /// Creates a child of any context.
  ///
  /// The merge policy of the new context is `NSMergeByPropertyObjectTrumpMergePolicy`.
  ///
  /// - Parameters:
  ///   - parent: The parent context, which receives the changes when the child context is saved.
  ///   - concurrencyType: The type of queue that the child context uses.
  /// - Returns: The new context.
  public func newChildContext(
    of parent: NSManagedObjectContext,
    concurrencyType: NSManagedObjectContextConcurrencyType = .mainQueueConcurrencyType
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: concurrencyType)
    context.parent = parent
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    context.name = "ChildContext"
    return context
  }

  /// Saves a context and then each of its ancestors, up to the store.
  ///
  /// Call this method on the context's queue.
  ///
  /// The method saves each ancestor on the ancestor's queue, while the caller waits.
  ///
  /// - Parameter context: The context to start with.
  /// - Throws: The error that the first failing save throws. No changes are lost: the changes that
  ///   child contexts have already saved are pending in the context that could not be saved.
  public func saveWithParent(context: NSManagedObjectContext) throws {
    try save(context: context)
    var next = context.parent
    while let parent = next {
      try parent.performAndWait { try save(context: parent) }
      next = parent.parent
    }
  }
}

extension NSManagedObjectContext {
  /// Saves the context if the context has changes or deferred errors.
  func saveIfNeeded() throws {
    if hasChanges || hasDeferredErrors { try save() }
  }

  /// Saves the context, on the context's queue, if the context has changes or deferred errors.
  ///
  /// - Throws: Any error that the save throws, or the deferred error of an earlier call that could
  ///   not throw. After an error, the changes remain pending.
  public func asyncSave() async throws { try await perform { try self.saveIfNeeded() } }

  /// Runs a closure on the context's queue while the caller waits.
  ///
  /// - Parameter block: The closure to run.
  /// - Throws: Any error that the closure throws.
  public func performSafely(_ block: () throws -> Void) rethrows { try performAndWait(block) }

  /// Throws an error if this is a main-queue context and the current thread is not the main thread.
  ///
  /// The method does not check contexts with other concurrency types.
  ///
  /// - Throws: `CocoaError` with code 132000 if the current thread is not the main thread.
  public func checkThreading() throws {
    guard concurrencyType == .mainQueueConcurrencyType, !MainQueue.isCurrent else { return }
    throw CocoaError(
      .managedObjectContextLocking,
      userInfo: [
        NSLocalizedDescriptionKey:
          "A main-queue context is used on another thread. Use perform or performAndWait."
      ])
  }
}
