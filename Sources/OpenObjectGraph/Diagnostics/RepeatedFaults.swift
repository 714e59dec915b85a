internal import Foundation
internal import Synchronization

/// Objects that were read one at a time although one statement could have read all of them.
///
/// A value; an addition to Apple's API.
public struct RepeatedFaults: Sendable, Hashable, CustomStringConvertible {
  /// The entity that has the relationship, or that of the objects themselves.
  public let entityName: String
  /// The relationship that was followed; nil for objects reached in another way, such as by their ids.
  public let relationshipName: String?
  /// The number of statements that one block of work ran for them.
  public let count: Int
  /// The statement, without its values; nil for a store without statements.
  public let statement: String?

  /// The remedy.
  public var suggestion: String {
    if let relationshipName {
      return
        "Set relationshipKeyPathsForPrefetching to [\"\(relationshipName)\"] in the request that fetches "
        + "\(entityName)."
    }
    return
      "Fetch the objects by one request before they are used, with a predicate such as \"SELF IN %@\" and "
      + "returnsObjectsAsFaults = false, or with a fetchBatchSize."
  }

  /// The report in one line, as in the log.
  public var description: String {
    let what = relationshipName.map { "the relationship \($0) of \(entityName)" } ?? entityName
    return "Repeated faults: \(count) statements read \(what) one object at a time. \(suggestion)"
      + (statement.map { " Statement: \($0)" } ?? "")
  }
}

/// Whether contexts look for repeated faults.
enum RepeatedFaultCheck {
  private static let flag = "-OpenCoreData.FaultDebug"
  private static let state = Atomic<Bool>(isAskedFor)

  @inline(__always)
  static var isOn: Bool {
    get { state.load(ordering: .relaxed) }
    set { state.store(newValue, ordering: .relaxed) }
  }

  private static var isAskedFor: Bool {
    let arguments = ProcessInfo.processInfo.arguments
    guard let place = arguments.firstIndex(of: flag), place + 1 < arguments.count else {
      return false
    }
    return arguments[place + 1] != "0"
  }
}

extension NSManagedObjectContext {
  /// Whether contexts report faults and relationships that are repeatedly read one object at a time.
  ///
  /// A report is logged when one block of `perform` or `performAndWait`, or all the work outside of blocks, has made
  /// ten statements of one kind, and again at a hundred, a thousand and so on. Set at the start by the argument
  /// `-OpenCoreData.FaultDebug 1`.
  ///
  /// > Concurrency: Usable on any thread; applies to all contexts of the process.
  /// > Reference: An addition to Apple's API.
  public static var reportsRepeatedFaults: Bool {
    get { RepeatedFaultCheck.isOn }
    set { RepeatedFaultCheck.isOn = newValue }
  }

  /// The reports of this context, with the highest count of one block; most statements first.
  ///
  /// > Concurrency: On the context's queue.
  /// > Reference: An addition to Apple's API.
  public var repeatedFaults: [RepeatedFaults] { counters.singleReads?.reports ?? [] }
}
