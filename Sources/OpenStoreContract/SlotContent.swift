public import Foundation
public import OpenObjectModel
public import OpenPredicates

/// A new value for one slot, the position of a stored column in a packed row.
public struct SlotValue: Sendable {
  public var slot: Int
  public var content: SlotContent

  public init(slot: Int, content: SlotContent) {
    self.slot = slot
    self.content = content
  }
}

/// The content of a slot.
public enum SlotContent: Sendable {
  /// No value.
  case null
  /// An integer, a Boolean value as 0 or 1, or the key of a destination.
  case integer(Int64)
  /// A floating-point number, or a date in seconds since 2001-01-01 UTC.
  case real(Double)
  /// A string, the absolute string of a URL, or the text of a decimal number.
  case text(String)
  /// Binary data, or the 16 bytes of a UUID.
  case data(Data)

  /// The number of bytes of a string or data; 0 for other content. A row stores these bytes after
  /// all slots.
  @inline(__always)
  public var byteCount: Int {
    switch self {
    case .null, .integer, .real: 0
    case .text(let text): text.utf8.count
    case .data(let data): data.count
    }
  }

  /// Converts a value to the content of a slot; the result is nil if the slot cannot contain the
  /// value.
  ///
  /// - Parameters:
  ///   - value: The value to convert.
  ///   - kind: The kind of content that the slot can contain.
  public init?(_ value: Value, as kind: SlotKind) {
    switch (kind, value) {
    case (_, .null): self = .null
    case (.integer, .int(let integer)): self = .integer(integer)
    case (.integer, .bool(let flag)): self = .integer(flag ? 1 : 0)
    case (.integer, .object(let reference)): self = .integer(reference.key)
    case (.real, .double(let real)), (.real, .date(let real)): self = .real(real)
    case (.real, .int(let integer)): self = .real(Double(integer))
    case (.text, .string(let text)): self = .text(text)
    case (.text, .url(let url)): self = .text(url.absoluteString)
    case (.blob, .data(let data)): self = .data(data)
    case (.blob, .uuid(let uuid)): self = .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case (.decimal, .decimal(let decimal)) where !decimal.decimal.isNaN:
      self = .text(decimal.decimal.description)
    case (.decimal, .int(let integer)): self = .text(String(integer))
    case (.decimal, .double(let real)) where real.isFinite: self = .text("\(real)")
    default: return nil
    }
  }
}

extension SlotKind {
  /// Whether a row stores content of this kind after all slots: strings, decimal numbers and data.
  @inline(__always)
  public var isVariable: Bool {
    switch self {
    case .integer, .real: false
    case .text, .blob, .decimal: true
    }
  }
}
