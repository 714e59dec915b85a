import OpenObjectModel

/// The numbers by which a store's rows name their entities.
///
/// In Apple's layout they are places in the model, counted from 1. A PostgreSQL store gives
/// each entity a permanent number.
package struct EntityNumbers: Sendable, Hashable {
  /// By position in the model; positions that are not there follow the layout.
  private let values: [Int64]?
  private let indexes: [Int64: Int]

  /// The numbers of Apple's layout.
  package init() {
    values = nil
    indexes = [:]
  }

  /// Numbers of a store's own.
  ///
  /// - Parameter values: By position in the model.
  package init(_ values: [Int64]) {
    let isPlain = values.enumerated().allSatisfy { $1 == Int64($0) + 1 }
    self.values = isPlain ? nil : values
    indexes = Dictionary(values.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// Whether the numbers are those of Apple's layout.
  package var isPlain: Bool { values == nil }

  /// The number of the entity at a position in the model.
  package func number(of index: Int) -> Int64 { values?[index] ?? Int64(index) + 1 }

  /// The position of the entity with a number; one that the model does not have is negative or too great.
  package func index(of number: Int64) -> Int {
    values == nil ? Int(truncatingIfNeeded: number) - 1 : indexes[number] ?? -1
  }

  /// That a row is of one of the entities in a range of positions.
  func condition(_ column: SQLExpression, in range: Range<Int>) -> SQLExpression {
    guard values != nil else {
      return .between(
        column, .integer(Int64(range.lowerBound) + 1), .integer(Int64(range.upperBound)))
    }
    return .isIn(column, range.map { .integer(number(of: $0)) })
  }
}
