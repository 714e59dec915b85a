internal import Foundation

/// The nesting depth of validators that call other validators. Confined to the context's queue.
struct ValidatorNesting {
  private var depth = 0
  private static let limit = 64

  /// Records that a validator begins.
  ///
  /// - Throws: `CocoaError` with code 134060 if 64 validators are already running.
  mutating func begin() throws {
    guard depth < Self.limit else {
      throw CocoaError.make(
        .coreData,
        "Validation was canceled because validators called each other more than \(Self.limit) levels deep."
      )
    }
    depth += 1
  }

  mutating func end() { depth -= 1 }
}
