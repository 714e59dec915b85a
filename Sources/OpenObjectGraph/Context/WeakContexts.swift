internal import OpenObjectModel
internal import Synchronization

/// Weak references to contexts.
final class WeakContexts: Sendable {
  private let references = Mutex<[ObjectIdentifier: WeakReference<NSManagedObjectContext>]>([:])

  // The list reads no target while it holds the lock, because the reader of a target may release
  // its last reference. The context's deinit then calls observers, which may use this list.
  var all: [NSManagedObjectContext] {
    let known = references.withLock { Array($0.values) }
    return known.compactMap(\.target)
  }

  func insert(_ context: NSManagedObjectContext) {
    let weakReference = context.weakReference
    let known = references.withLock { references in
      references[ObjectIdentifier(weakReference)] = weakReference
      return Array(references.values)
    }
    let ended = known.filter { $0.target == nil }
    guard !ended.isEmpty else { return }
    references.withLock { references in
      for reference in ended { references[ObjectIdentifier(reference)] = nil }
    }
  }

  func remove(_ context: NSManagedObjectContext) {
    let weakReference = ObjectIdentifier(context.weakReference)
    references.withLock { $0[weakReference] = nil }
  }

  /// Passes changes to the contexts for which a closure returns true; each of these contexts merges
  /// the changes on its queue.
  ///
  /// - Parameter changes: The changes, which are created only if a context receives them.
  func send(
    _ changes: @autoclosure () -> ForeignChanges, where receives: (NSManagedObjectContext) -> Bool
  ) {
    let receivers = all.filter(receives)
    guard !receivers.isEmpty else { return }
    let changes = changes()
    for context in receivers {
      context.perform { [reference = context.weakReference] in reference.target?.merge(changes) }
    }
  }
}

// MARK: Children of a context

extension WeakContexts {
  /// Passes new changes of the parent to the child contexts that merge automatically.
  func announce(
    inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject],
    except source: NSManagedObjectContext? = nil
  ) {
    send(ForeignChanges(inserted: inserted, updated: updated, deleted: deleted)) {
      $0 !== source && $0.automaticallyMergesChangesFromParent
    }
  }

  /// Announces to child contexts the permanent keys that replaced temporary keys, and the stores to
  /// which unsaved objects were moved.
  ///
  /// A child first renames its registered objects, and then announces these renames to its own
  /// children. This method announces the other renames to them immediately.
  ///
  /// - Parameter renames: The renames, which are created only if there are children.
  func announce(_ renames: @autoclosure () -> [ObjectRename]) {
    let children = all
    guard !children.isEmpty else { return }
    let renames = renames()
    guard !renames.isEmpty else { return }
    for child in children {
      let unregistered = child.registry.note(renames)
      child.children.announce(unregistered)
      child.removeUnneededRenames()
    }
  }
}
