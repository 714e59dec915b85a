internal import Foundation

/// How deep validators call one another; confined to the context's queue.
struct ValidatorNesting {
  private var depth = 0
  private static let limit = 64

  /// Notes that a validator begins.
  ///
  /// - Throws: `CocoaError` 134060 when validators called one another too often.
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
