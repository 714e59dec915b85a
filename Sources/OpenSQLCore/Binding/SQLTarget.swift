import Foundation
package import OpenObjectModel
package import OpenPredicates
package import OpenStoreContract

/// The operand that a bound value is compared with. The target determines the form in which the
/// value is bound.
package enum SQLTarget: Sendable, Hashable {
  /// An expression without a type. The value is bound without conversion.
  case untyped
  /// A column of the given kind.
  case slot(SlotKind)
  /// A column that contains UUIDs.
  case uuid
  /// A column that contains data after a tag byte; see ``SlotColumn/isTagged``.
  case taggedData

  /// Returns the form in which a statement binds a value. A value that cannot be converted for the
  /// target is bound in the form that corresponds to its own type.
  @inline(__always)
  package func content(of value: Value) -> SlotContent {
    switch self {
    case .untyped: return SQLTarget.natural(value)
    case .slot(let kind): return SlotContent(value, as: kind) ?? SQLTarget.natural(value)
    case .uuid: return SlotContent(value, as: .blob) ?? SQLTarget.natural(value)
    case .taggedData:
      guard case .data(let data) = value else { return SQLTarget.natural(value) }
      return .data(Data([1]) + data)
    }
  }

  private static func natural(_ value: Value) -> SlotContent {
    switch value {
    case .null, .list: .null
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .int(let integer): .integer(integer)
    case .double(let real), .date(let real): .real(real)
    case .string(let text): .text(text)
    case .data(let data): .data(data)
    case .uuid(let uuid): .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case .decimal(let decimal): number(decimal.decimal)
    case .url(let url): .text(url.absoluteString)
    case .object(let reference): .integer(reference.key)
    }
  }

  private static func number(_ decimal: Decimal) -> SlotContent {
    let text = decimal.description
    if let integer = Int64(text) { return .integer(integer) }
    return Double(text).map { .real($0) } ?? .text(text)
  }
}
