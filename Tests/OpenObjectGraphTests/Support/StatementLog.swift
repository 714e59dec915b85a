import OpenCoreData
import Synchronization

/// The statements that a store ran.
final class StatementLog: Sendable {
  private let statements = Mutex<[String]>([])

  var observer: StatementObserver {
    StatementObserver { [self] sql in statements.withLock { $0.append(sql) } }
  }

  var all: [String] { statements.withLock { $0 } }

  func removeAll() { statements.withLock { $0.removeAll() } }
}
