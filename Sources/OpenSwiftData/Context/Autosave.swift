internal import Dispatch
internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// Saves a main context at the end of each turn of the main event loop in which models change.
///
/// If a save fails, the changes stay pending and the error is written to the log. The next change
/// starts another save.
///
/// > Concurrency: Confined to the main actor.
final class Autosave {
  /// The context, which may be deallocated on another thread while this object is used.
  private weak let context: ModelContext?
  private var isScheduled = false
  private var observation: NotificationToken?
  /// A weak reference to this object, for closures that run later.
  private let weakReference = WeakReference<Autosave>()

  init(of context: ModelContext) {
    self.context = context
    weakReference.begin(self)
  }

  deinit { weakReference.end() }

  /// Starts to save after each notification about pending changes, which a main context posts once
  /// in a turn. Changes that are already pending are saved too.
  func start() {
    guard observation == nil, let context else { return }
    // The notification is posted on the context's queue, which is the main queue.
    observation = NotificationToken(.NSManagedObjectContextObjectsDidChange, context.graph) {
      [weakReference] _ in weakReference.target?.schedule()
    }
    if context.hasChanges { schedule() }
  }

  func stop() { observation = nil }

  private func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    DispatchQueue.main.async { [weakReference] in weakReference.target?.run() }
  }

  private func run() {
    isScheduled = false
    guard observation != nil, let context, context.hasChanges else { return }
    do {
      try context.save()
    } catch {
      GraphLog.error("An automatic save failed, and the changes are still pending: \(error)")
    }
  }
}
