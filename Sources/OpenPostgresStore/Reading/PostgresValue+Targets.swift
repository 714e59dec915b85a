import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

extension PostgresValue {
  /// Creates the value to bind for a target. NaN becomes null, as in SQLite.
  init(_ content: SlotContent, for target: SQLTarget) {
    let type = Self.type(of: content, for: target)
    switch content {
    case .null: self.init(type: type.rawValue, bytes: nil)
    case .text(let text) where type == .numeric:
      self.init(type: type.rawValue, bytes: Array(text.utf8), isText: true)
    default: self.init(type: type.rawValue, bytes: Self.bytes(of: content))
    }
  }

  private static func type(of content: SlotContent, for target: SQLTarget) -> PostgresType {
    switch content {
    case .integer: .bigint
    case .real: .real
    case .text: if case .slot(.decimal) = target { .numeric } else { .text }
    case .data: target == .uuid ? .uuid : .data
    case .null: type(of: target)
    }
  }

  static func type(of target: SQLTarget) -> PostgresType {
    switch target {
    case .slot(.integer): .bigint
    case .slot(.real): .real
    case .slot(.decimal): .numeric
    case .slot(.blob), .taggedData: .data
    case .uuid: .uuid
    case .slot(.text), .untyped: .text
    }
  }
}
