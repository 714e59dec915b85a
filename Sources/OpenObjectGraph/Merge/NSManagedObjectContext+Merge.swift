internal import Foundation

// Merging changes that another context saved.

extension NSManagedObjectContext {
  /// Implements `mergeChanges(fromContextDidSave:)`.
  final func mergeSave(_ notification: Notification) {
    let source = notification.object as? NSManagedObjectContext
    let isShared =
      source != nil && source?.persistentStoreCoordinator === persistentStoreCoordinator
    performAndWait {
      merge(
        ForeignChanges(
          notification.userInfo ?? [:], for: self, source: isShared ? .context : .stores))
    }
  }

  /// Merges changes into several contexts, for example changes that another process or a batch
  /// request has saved.
  ///
  /// A context without a parent reads the changed rows from the stores. A child context reads the
  /// rows from its parent.
  ///
  /// ```swift
  /// // `updatedIDs` contains the ids in the result of a batch update.
  /// NSManagedObjectContext.mergeChanges(
  ///   fromRemoteContextSave: [NSUpdatedObjectsKey: updatedIDs], into: [viewContext])
  /// ```
  ///
  /// - Parameters:
  ///   - changes: Arrays or sets of object ids, URIs or objects, under the keys of a save or change
  ///     notification. A context ignores other values, and objects in stores that its coordinator
  ///     does not have.
  ///   - contexts: The contexts that merge the changes. Each context merges the changes on its own
  ///     queue, and parents merge the changes before their children.
  /// > Concurrency: Call on any thread. The method returns after all contexts have merged the
  /// > changes.
  /// > Reference: Apple, mergeChanges(fromRemoteContextSave:into:).
  public class func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    // A child context reads the values that its parent has.
    for context in contexts.sorted(by: { $0.source.depth < $1.source.depth }) {
      context.performAndWait {
        context.merge(ForeignChanges(changes, for: context, source: .stores))
      }
    }
  }

  /// Merges changes by another context or process.
  func merge(_ changes: ForeignChanges) {
    loadingFreely {
      var merger = ChangeMerger(changes, into: self)
      merger.run()
    }
  }
}
