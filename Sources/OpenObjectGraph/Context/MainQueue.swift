internal import Dispatch
internal import Foundation

/// Whether code runs where main-queue contexts may be used.
package enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()
  private static let marking: Void = DispatchQueue.main.setSpecific(key: key, value: true)
  /// Marks a thread that the main queue waits for.
  private static let lentKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whether the caller runs on the main thread, on the main queue, or while the main queue waits for it.
  ///
  /// Not the same on Linux: a program with an asynchronous main function serves the main queue on other threads.
  package static var isCurrent: Bool {
    marking
    return Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true
      || pthread_getspecific(lentKey) != nil
  }

  /// Runs work that waits for another queue; on that queue the main one still counts as current.
  ///
  /// - Parameter work: Runs a block of another queue on this thread.
  static func lending(_ work: () -> Void) {
    guard !Thread.isMainThread, isCurrent, pthread_getspecific(lentKey) == nil else {
      return work()
    }
    pthread_setspecific(lentKey, UnsafeRawPointer(bitPattern: 1))
    work()
    pthread_setspecific(lentKey, nil)
  }
}
