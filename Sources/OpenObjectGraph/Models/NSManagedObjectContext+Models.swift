internal import OpenObjectModel
internal import OpenStoreContract

// The interface of a context for OpenSwiftData and other targets of the package.

extension NSManagedObjectContext {
  // MARK: Queue

  /// Restricts the context to one task or actor at a time, on any thread.
  ///
  /// Call this method before the context is used. Changes saved by other contexts wait until the
  /// task or actor calls ``runWaitingWork()``. A later call passes the context and the waiting
  /// changes to another task or actor.
  ///
  /// - Parameters:
  ///   - isUser: A closure that returns whether the calling code may use the context; nil if no
  ///     such check is possible. Queue checks call the closure.
  ///   - wake: A closure that is called on any thread when the first change starts to wait; nil if
  ///     the task or actor checks for waiting work itself.
  package final func becomeVisited(
    by isUser: (@Sendable () -> Bool)? = nil, wake: (@Sendable () -> Void)? = nil
  ) {
    queue.becomeVisited(by: isUser, wake: wake)
  }

  /// Allows the main thread to call ``runWaitingWork()``, which merges the saves of other contexts
  /// before the main queue merges them.
  ///
  /// Call this method once, before the main-queue context is used.
  package final func allowEarlyWork() { queue.allowEarlyWork() }

  /// Runs the work that other threads have added to a context restricted by
  /// ``becomeVisited(by:wake:)``, or to a context that allows early work.
  @inline(__always)
  package final func runWaitingWork() { queue.runWaitingWork() }

  // MARK: Deferred errors

  /// Whether the next save throws a deferred error.
  package final var hasDeferredErrors: Bool { !deferredErrors.isEmpty }

  /// Logs an error, and makes the next save throw the error.
  package final func deferError(_ error: any Error) { deferredErrors.note(error) }

  /// Makes every save throw the error of a failed read, until the context is rolled back or reset.
  ///
  /// - Parameters:
  ///   - error: The error of a read in a call that could not throw.
  ///   - object: The object that the call returned instead of an object in the store.
  /// > Concurrency: Call on the context's queue.
  package final func deferFailedRead(_ error: any Error, of object: NSManagedObject) {
    GraphLog.error("\(error)")
    deferredErrors.noteFailedRead(of: object, error)
  }

  /// Runs work that uses properties of objects, and throws if a read failed during the work.
  ///
  /// The context forgets the read errors of the work if the method throws one of them, so later
  /// saves do not throw these errors. If `work` throws, its failed reads remain deferred.
  ///
  /// - Parameter work: The work to run.
  /// - Returns: The result of the work.
  /// - Throws: Any error that `work` throws, or the error of the first read that failed.
  /// > Concurrency: Call on the context's queue.
  package final func throwingFailedReads<Result>(_ work: () throws -> Result) throws -> Result {
    try deferredErrors.throwingFailedReads(work)
  }

  /// Throws the deferred errors of the context, as a save does.
  ///
  /// - Throws: The error of the first misuse since the last call of this method or the last save.
  ///   The errors of any later misuse are discarded. If there is no misuse, the method throws a
  ///   `CocoaError` with the code of the first failed read.
  /// > Concurrency: Call on the context's queue.
  package final func throwDeferredErrors() throws { try deferredErrors.throwNext() }

  // MARK: Objects

  /// Turns all saved objects without unsaved changes into faults, and refreshes saved objects with
  /// unsaved changes. When a fault fires, the context reads the row from the store, not from the
  /// row cache.
  ///
  /// Call this method after other contexts or processes have changed rows, if the ids of these rows
  /// are unknown.
  package final func rereadAllObjects() {
    refreshStores()
    for object in registry.identityMap.all() where object.registration == .persistent {
      // A cached row may be older than the row in the store.
      let key = ObjectKey(entityIndex: object.compiledEntity.index, key: object.key)
      object.store?.rowCache.remove([key])
    }
    refreshAllObjects()
  }

  /// The objects with unsaved insertions, updates and deletions.
  ///
  /// Each list has the order in which its objects changed.
  package final var unsavedObjects:
    (inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject])
  {
    (unitOfWork.inserted, unitOfWork.updated, unitOfWork.deleted)
  }
}
