internal import Foundation
internal import OpenObjectGraph

/// The observers of a migration manager's progress.
///
/// > Concurrency: Confined to the thread of the manager.
final class ProgressObservers {
  private var handlers: [Int: (NSMigrationManager, Float) -> Void] = [:]
  private var lastNumber = 0

  func progressDidChange(_ manager: NSMigrationManager, from old: Float) {
    guard old != manager.migrationProgress else { return }
    for (_, handler) in handlers.sorted(by: { $0.key < $1.key }) { handler(manager, old) }
  }

  func add<Value>(
    to manager: NSMigrationManager, _ keyPath: KeyPath<NSMigrationManager, Value>,
    _ options: NSKeyValueObservingOptions,
    _ handler: @escaping (NSMigrationManager, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    func change(_ old: Value?, _ new: Value?) -> NSKeyValueObservedChange<Value> {
      NSKeyValueObservedChange(
        kind: .setting, newValue: options.contains(.new) ? new : nil,
        oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: false)
    }
    if options.contains(.initial) { handler(manager, change(nil, manager[keyPath: keyPath])) }
    guard keyPath == \NSMigrationManager.migrationProgress else {
      return NSKeyValueObservation {}
    }
    lastNumber += 1
    let number = lastNumber
    handlers[number] = { manager, old in
      handler(manager, change(old as? Value, manager[keyPath: keyPath]))
    }
    return NSKeyValueObservation { [weak self] in self?.handlers[number] = nil }
  }
}
