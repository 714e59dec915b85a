internal import Dispatch
internal import Foundation

/// Checks whether code runs where main-queue contexts may be used.
package enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()
  private static let marking: Void = DispatchQueue.main.setSpecific(key: key, value: true)

  /// Whether the caller runs on the main thread or on the main queue.
  ///
  /// The two differ on Linux: in a program with an asynchronous main function, other threads run
  /// the main queue's work.
  package static var isCurrent: Bool {
    marking
    return Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true
  }
}
