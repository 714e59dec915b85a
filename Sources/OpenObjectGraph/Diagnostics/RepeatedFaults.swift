internal import Foundation
internal import Synchronization

/// A report of objects that were read one at a time, although one statement could have read them
/// all.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct RepeatedFaults: Sendable, Hashable, CustomStringConvertible {
  /// The name of the entity that has the relationship; if ``relationshipName`` is nil, the name of
  /// the entity of the objects that were read.
  public let entityName: String
  /// The name of the relationship that was followed; nil for objects found in another way, such as
  /// by their ids.
  public let relationshipName: String?
  /// The number of statements that one block of `perform` or `performAndWait` executed to read the
  /// objects.
  public let count: Int
  /// The repeated SQL statement, without the bound values; nil if the store does not use SQL.
  public let statement: String?

  /// A suggestion for avoiding the repeated reads.
  public var suggestion: String {
    if let relationshipName {
      return
        "Set relationshipKeyPathsForPrefetching to [\"\(relationshipName)\"] in the request that fetches "
        + "\(entityName)."
    }
    return
      "Fetch the objects with one request before you use them. Use a predicate such as \"SELF IN %@\" and "
      + "returnsObjectsAsFaults = false, or set a fetchBatchSize."
  }

  /// The report as one line, as it appears in the log.
  public var description: String {
    let what = relationshipName.map { "the relationship \($0) of \(entityName)" } ?? entityName
    return "Repeated faults: \(count) statements read \(what) one object at a time. \(suggestion)"
      + (statement.map { " Statement: \($0)" } ?? "")
  }
}

/// The check for repeated faults.
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
