internal import Foundation
internal import Synchronization

/// Checks that each context is used only on its queue.
enum QueueCheck {
  /// The consequence of a violation.
  enum Level: Int {
    case nothing
    /// The violation is logged, once for each context.
    case log
    /// The violation is logged, and the context's next save throws an error that describes it.
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
  /// Notes a violation if the caller is not on the context's queue.
  @inline(__always)
  final func checkQueue(_ action: StaticString) {
    if QueueCheck.isOn, !queue.isCurrent { violations.note(action, in: self) }
  }
}
