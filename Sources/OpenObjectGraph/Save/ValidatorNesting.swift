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
        .coreData, "Validators called one another \(Self.limit) times; the validation was given up."
      )
    }
    depth += 1
  }

  mutating func end() { depth -= 1 }
}
