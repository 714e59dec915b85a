internal import Dispatch
internal import Foundation

/// Determines whether the calling code may use main-queue contexts.
package enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()
  private static let marking: Void = DispatchQueue.main.setSpecific(key: key, value: true)

  /// Whether the caller runs on the main thread or on the main queue.
  ///
  /// On Linux, the main thread does not always run the work of the main queue: in a program with an
  /// asynchronous main function, other threads run this work.
  package static var isCurrent: Bool {
    marking
    return Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true
  }
}
