internal import Dispatch
internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// Saves a main context at the end of the turn of the main event loop in which something changed.
///
/// A save that fails leaves the changes pending and is written to the log; the next change tries again.
///
/// > Concurrency: Confined to the main actor.
final class Autosave {
  private unowned let context: ModelContext
  private var isScheduled = false
  private var observation: NotificationToken?
  /// The way to this object for what is called later.
  private let weakReference = WeakReference<Autosave>()

  init(of context: ModelContext) {
    self.context = context
    weakReference.begin(self)
  }

  deinit { weakReference.end() }

  /// Saves whenever pending changes are announced, which a main context does once in a turn.
  func start() {
    guard observation == nil else { return }
    // The notification comes on the context's queue, which is the main one.
    observation = NotificationToken(.NSManagedObjectContextObjectsDidChange, context.graph) {
      [weakReference] _ in weakReference.target?.schedule()
    }
  }

  func stop() { observation = nil }

  private func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    DispatchQueue.main.async { [weakReference] in weakReference.target?.run() }
  }

  private func run() {
    isScheduled = false
    guard observation != nil, context.hasChanges else { return }
    do {
      try context.save()
    } catch {
      GraphLog.error("An automatic save failed; the changes are still pending: \(error)")
    }
  }
}
