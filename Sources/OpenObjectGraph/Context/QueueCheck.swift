internal import Foundation
internal import Synchronization

/// The check that contexts are used only on their queues.
enum QueueCheck {
  /// The consequence of a violation.
  enum Level: Int {
    case nothing
    /// The violation is logged, once for each context.
    case log
    /// The violation is logged, and the context's next save throws it.
    case error
  }

  private static let current = Atomic<Int>(initialLevel.rawValue)
  private static let flag = "-com.apple.CoreData.ConcurrencyDebug"

  static var level: Level {
    get { Level(rawValue: current.load(ordering: .relaxed)) ?? .nothing }
    set { current.store(newValue.rawValue, ordering: .relaxed) }
  }

  @inline(__always)
  static var isOn: Bool { current.load(ordering: .relaxed) != Level.nothing.rawValue }

  private static var initialLevel: Level {
    let arguments = ProcessInfo.processInfo.arguments
    if let place = arguments.firstIndex(of: flag), place + 1 < arguments.count {
      return arguments[place + 1] == "0" ? .nothing : .error
    }
    #if DEBUG
      return .log
    #else
      return .nothing
    #endif
  }
}

extension NSManagedObjectContext {
  /// Whether a context's next save throws if the context or its objects were used off the context's
  /// queue.
  ///
  /// The check runs when a context fetches, saves, inserts or deletes, when a fault fires, and when
  /// an object is changed for the first time after the context posted a change notification. The
  /// launch argument `-com.apple.CoreData.ConcurrencyDebug 1` sets this property to true. If
  /// neither the launch argument nor the property is set, debug builds log the first violation of
  /// each context, and release builds do not check. Setting the property to false turns the check
  /// off.
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Usable on any thread; applies to all contexts of the process.
  public static var reportsConcurrencyViolations: Bool {
    get { QueueCheck.level == .error }
    set { QueueCheck.level = newValue ? .error : .nothing }
  }

  /// Notes a violation if the caller is not on the context's queue.
  @inline(__always)
  final func checkQueue(_ action: StaticString) {
    if QueueCheck.isOn, !queue.isCurrent { violations.note(action, in: self) }
  }
}
