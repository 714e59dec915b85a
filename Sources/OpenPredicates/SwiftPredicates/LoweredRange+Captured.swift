internal import Foundation

/// A range that a predicate captures.
protocol LowerableRange {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredRange
}

extension SwiftPredicateLowering {
  /// Returns the bound of a captured range.
  mutating func bound(_ value: Any) throws(PredicateFormatError) -> ExpressionNode? {
    if case .value(let node) = try self.value(value) { return node }
    return nil
  }
}

extension Range: LowerableRange {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredRange {
    let lower = try lowering.bound(lowerBound)
    return LoweredRange(lower: lower, upper: try lowering.bound(upperBound), isClosed: false)
  }
}

extension ClosedRange: LowerableRange {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredRange {
    let lower = try lowering.bound(lowerBound)
    return LoweredRange(lower: lower, upper: try lowering.bound(upperBound), isClosed: true)
  }
}

extension PartialRangeFrom: LowerableRange {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredRange {
    LoweredRange(lower: try lowering.bound(lowerBound), upper: nil, isClosed: false)
  }
}

extension PartialRangeUpTo: LowerableRange {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredRange {
    LoweredRange(lower: nil, upper: try lowering.bound(upperBound), isClosed: false)
  }
}

extension PartialRangeThrough: LowerableRange {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredRange {
    LoweredRange(lower: nil, upper: try lowering.bound(upperBound), isClosed: true)
  }
}
