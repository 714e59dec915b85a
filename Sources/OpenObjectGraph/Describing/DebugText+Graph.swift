internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

extension NSManagedObjectContextConcurrencyType {
  /// The kind of the queue, as one word.
  var debugText: DebugText.Verbatim {
    switch self {
    case .confinementConcurrencyType: DebugText.Verbatim("none")
    case .privateQueueConcurrencyType: DebugText.Verbatim("private")
    case .mainQueueConcurrencyType: DebugText.Verbatim("main")
    }
  }
}

extension NSSortDescriptor {
  /// A description with the key and the direction.
  var debugText: DebugText.Verbatim {
    DebugText.Verbatim("\(key ?? "?") \(ascending ? "ascending" : "descending")")
  }
}
