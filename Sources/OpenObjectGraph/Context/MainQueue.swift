internal import Dispatch
internal import Foundation

/// Whether code runs where main-queue contexts may be used.
package enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()
  private static let marking: Void = DispatchQueue.main.setSpecific(key: key, value: true)

  /// Whether the caller runs on the main thread, or on the main queue.
  ///
  /// Not the same on Linux: a program with an asynchronous main function serves the main queue on other threads.
  package static var isCurrent: Bool {
    marking
    return Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true
  }
}
