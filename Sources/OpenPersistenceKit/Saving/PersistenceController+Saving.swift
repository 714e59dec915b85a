internal import Foundation
public import OpenObjectGraph

extension PersistenceController {
  /// Saves the main context if it has changes; call on the main queue.
  ///
  /// - Throws: The error of the save; the changes stay pending.
  public func saveViewContext() throws { try save(context: viewContext) }

  /// Saves a context if it has changes; call on its queue.
  ///
  /// - Parameter context: Any context of the stack. A child's changes go to its parent only.
  /// - Throws: The error of the save; the changes stay pending.
  public func save(context: NSManagedObjectContext) throws {
    if context.hasChanges { try context.save() }
  }

  /// Creates a child of the main context, for edits that may be discarded.
  ///
  /// It works on the main queue and prefers its own edits.
  ///
  /// - Returns: The context.
  public func newChildContext() -> NSManagedObjectContext { newChildContext(of: viewContext) }

  /// Creates a child context.
  ///
  /// - Parameters:
  ///   - parent: The parent context, which receives the changes.
  ///   - concurrencyType: The kind of the child's queue.
  /// - Returns: The context.
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

  /// Saves a context, then its parent, and so on up to the store; call on the context's queue.
  ///
  /// Each parent is saved on its own queue while the caller waits.
  ///
  /// - Parameter context: The context to begin with.
  /// - Throws: The error of the first save that fails. Contexts below it are saved into their parents by then, so
  ///   that nothing is lost: it is pending there.
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
  /// Saves on the context's queue, if there are changes.
  ///
  /// - Throws: The error of the save; the changes stay pending.
  public func asyncSave() async throws {
    try await perform { if self.hasChanges { try self.save() } }
  }

  /// Runs a block on the context's queue while the caller waits.
  ///
  /// - Parameter block: The work.
  /// - Throws: The error of the block.
  public func performSafely(_ block: () throws -> Void) rethrows { try performAndWait(block) }

  /// Checks that a main-queue context is used on the main thread; other contexts are not checked.
  ///
  /// - Throws: `CocoaError` with code 132000 on another thread.
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
