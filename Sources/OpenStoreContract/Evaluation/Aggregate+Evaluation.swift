internal import Foundation
public import OpenPredicates

extension Aggregate {
  /// Returns the aggregate of values, ignoring nulls. A sum of integers that does not fit into 64
  /// bits is returned as a double.
  ///
  /// - Parameter values: The values to aggregate.
  /// - Returns: The aggregate. If all values are null, a count is 0, and any other aggregate is
  ///   null.
  public func value(of values: [Value]) -> Value {
    let values = values.filter { $0 != .null }
    if self == .count { return .int(Int64(values.count)) }
    guard let first = values.first else { return .null }
    switch self {
    case .minimum:
      return values.dropFirst().reduce(first) {
        Value.order($1, $0) == .orderedAscending ? $1 : $0
      }
    case .maximum:
      return values.dropFirst().reduce(first) {
        Value.order($1, $0) == .orderedDescending ? $1 : $0
      }
    case .sum:
      let numbers = values.map(\.leadingNumber)
      return numbers.dropFirst().reduce(first.leadingNumber) {
        ValueFunction.apply("add:to:", [$0, $1])
      }
    case .average:
      let sum = values.compactMap(\.leadingNumber.number).reduce(0, +)
      return .double(sum / Double(values.count))
    case .count: return .int(Int64(values.count))
    }
  }

  /// Returns the aggregate of values, like ``value(of:)``.
  ///
  /// - Throws: `StoreError` for a sum of integers that does not fit into 64 bits.
  @usableFromInline
  func checkedValue(of values: [Value]) throws(StoreError) -> Value {
    let result = value(of: values)
    guard self == .sum, case .double = result, values.allSatisfy(\.isWholeOrNull) else {
      return result
    }
    throw .sumOverflow()
  }

  /// Returns the aggregate of the values of a group; the sum of no values is 0.
  ///
  /// - Throws: `StoreError` for a sum of integers that does not fit into 64 bits.
  @usableFromInline
  func total(of values: [Value]) throws(StoreError) -> Value {
    let result = try checkedValue(of: values)
    return self == .sum && result == .null ? .int(0) : result
  }
}

extension StoreError {
  /// Returns the error for a sum of integers that does not fit into 64 bits.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file; nil for a store without a file.
  ///   - statement: The statement that failed; nil if no statement failed.
  ///   - nativeCode: The error code of the store's database library; 0 if the library did not
  ///     report an error.
  /// - Returns: A `StoreError` with code `.unsupportedPredicate`.
  package static func sumOverflow(
    path: String? = nil, statement: String? = nil, nativeCode: Int32 = 0
  ) -> StoreError {
    StoreError(
      .unsupportedPredicate,
      "A sum of integers does not fit into 64 bits. To add real numbers instead, multiply the values by 1.0, as in "
        + "sum:(amount * 1.0).", path: path, statement: statement, nativeCode: nativeCode)
  }
}

extension Value {
  /// Whether the value is an integer, a Boolean value or null.
  fileprivate var isWholeOrNull: Bool {
    switch self {
    case .null, .int, .bool: true
    default: false
    }
  }

  /// For a string, the number at the beginning of the string, or 0 if there is no number, as in
  /// SQLite; for any other value, the value itself.
  fileprivate var leadingNumber: Value {
    guard case .string(let text) = self else { return self }
    var rest = text.utf8.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let start = rest.startIndex
    func skipDigits() -> Bool {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[digits.endIndex...]
      return !digits.isEmpty
    }
    func skip(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = skip("+-")
    let hasWhole = skipDigits()
    let hasFraction = skip(".") && skipDigits()
    guard hasWhole || hasFraction else { return .double(0) }
    var end = rest.startIndex
    if skip("eE") {
      _ = skip("+-")
      if skipDigits() { end = rest.startIndex }
    }
    return .double(Self.real(String(decoding: text.utf8[start..<end], as: UTF8.self)))
  }

  /// Reads digits that may end with a decimal point.
  private static func real(_ digits: String) -> Double {
    Double(digits.hasSuffix(".") ? String(digits.dropLast()) : digits) ?? 0
  }
}
