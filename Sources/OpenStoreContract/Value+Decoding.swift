internal import Foundation
public import OpenObjectModel
public import OpenPredicates

extension Value {
  /// Returns the value converted to an attribute's type, or the value itself if no conversion is
  /// possible.
  ///
  /// Computed results need this conversion, because a store may return an integer for a Boolean, a
  /// number for a date, or bytes for a UUID.
  public func decoded(as type: AttributeType) -> Value {
    if self == .null { return self }
    switch type {
    case .integer16, .integer32, .integer64, .objectID: return wholeForm ?? self
    case .boolean: return number.map { .bool($0 != 0) } ?? self
    case .double, .float: return number.map(Value.double) ?? self
    case .date: return number.map(Value.date) ?? self
    case .string: return textual ?? self
    case .uri:
      guard case .string(let text) = self else { return self }
      return URL(string: text).map(Value.url) ?? self
    case .uuid:
      guard case .data(let data) = self, data.count == 16 else { return self }
      return .uuid(UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    case .decimal: return decimalForm ?? self
    case .binaryData, .transformable, .composite, .undefined: return self
    }
  }

  private var wholeForm: Value? {
    switch self {
    case .int: self
    case .bool(let flag): .int(flag ? 1 : 0)
    case .decimal(let box): AttributeType.whole(box.decimal).map(Value.int)
    default: number.flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map(Value.int)
    }
  }

  private var decimalForm: Value? {
    switch self {
    case .decimal: self
    case .int(let integer): .decimal(DecimalValue(Decimal(integer)))
    case .double(let real): Decimal(string: "\(real)").map { .decimal(DecimalValue($0)) }
    case .string(let text): Decimal(string: text).map { .decimal(DecimalValue($0)) }
    default: nil
    }
  }

  private var textual: Value? {
    switch self {
    case .bool(let flag): .string(flag ? "1" : "0")
    case .int(let integer): .string(String(integer))
    case .double(let real): .string(real.description)
    case .decimal(let box): .string(box.decimal.description)
    case .url(let url): .string(url.absoluteString)
    default: nil
    }
  }
}
