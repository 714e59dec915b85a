import OpenObjectModel

/// The numbers that identify entities in the rows of a store.
///
/// In Apple's layout, the number of an entity is its index in the model plus 1. A PostgreSQL store
/// assigns a permanent number to each entity.
package struct EntityNumbers: Sendable, Hashable {
  /// The numbers by index in the model; nil for the numbers of Apple's layout.
  private let values: [Int64]?
  private let indexes: [Int64: Int]

  /// Creates the numbers of Apple's layout.
  package init() {
    values = nil
    indexes = [:]
  }

  /// Creates numbers that a store has assigned.
  ///
  /// - Parameter values: The numbers of the entities, by index in the model.
  package init(_ values: [Int64]) {
    let isPlain = values.enumerated().allSatisfy { $1 == Int64($0) + 1 }
    self.values = isPlain ? nil : values
    indexes = Dictionary(values.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// Whether the numbers are the numbers of Apple's layout.
  package var isPlain: Bool { values == nil }

  /// Returns the number of the entity at an index in the model.
  package func number(of index: Int) -> Int64 { values?[index] ?? Int64(index) + 1 }

  /// Returns the index of the entity with the given number. For an unknown number, the result is
  /// negative or greater than any index of the model.
  package func index(of number: Int64) -> Int {
    values == nil ? Int(truncatingIfNeeded: number &- 1) : indexes[number] ?? -1
  }

  /// Returns the condition that a row belongs to one of the entities in a range of indexes.
  func condition(_ column: SQLExpression, in range: Range<Int>) -> SQLExpression {
    guard values != nil else {
      return .between(
        column, .integer(Int64(range.lowerBound) + 1), .integer(Int64(range.upperBound)))
    }
    return .isIn(column, range.map { .integer(number(of: $0)) })
  }
}
