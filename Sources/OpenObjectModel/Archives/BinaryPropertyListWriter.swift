internal import Foundation

/// Writes the objects of a property list in the binary format.
///
/// Offsets and references have the smallest possible width, and integers are as short as Apple
/// writes them.
struct BinaryPropertyListWriter {
  private let list: BinaryPropertyList
  private var bytes: [UInt8] = Array("bplist00".utf8)

  init(_ list: BinaryPropertyList) { self.list = list }

  func data() -> Data {
    var writer = self
    return writer.write()
  }

  private mutating func write() -> Data {
    let referenceWidth = Self.width(of: UInt64(max(list.nodes.count - 1, 0)))
    var offsets: [Int] = []
    for node in list.nodes {
      offsets.append(bytes.count)
      append(node, referenceWidth)
    }
    let table = bytes.count
    let offsetWidth = Self.width(of: UInt64(table))
    for offset in offsets { append(UInt64(offset), offsetWidth) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    append(UInt64(offsets.count), 8)
    append(UInt64(list.root), 8)
    append(UInt64(table), 8)
    return Data(bytes)
  }

  private mutating func append(_ node: PropertyListNode, _ referenceWidth: Int) {
    switch node {
    case .null: bytes.append(0x00)
    case .bool(let flag): bytes.append(flag ? 0x09 : 0x08)
    case .int(let value): append(value)
    case .unsigned(let value):
      bytes.append(0x14)
      append(0, 8)
      append(value, 8)
    case .real(let value):
      bytes.append(0x23)
      append(value.bitPattern, 8)
    case .date(let value):
      bytes.append(0x33)
      append(value.bitPattern, 8)
    case .data(let data):
      appendMarker(0x40, data.count)
      bytes += data
    case .string(let text): append(text)
    case .uid(let value):
      let width = Self.width(of: value)
      bytes.append(0x80 | UInt8(width - 1))
      append(value, width)
    case .array(let members):
      appendMarker(0xA0, members.count)
      append(members, referenceWidth)
    case .dictionary(let keys, let values):
      appendMarker(0xD0, keys.count)
      append(keys, referenceWidth)
      append(values, referenceWidth)
    }
  }

  private mutating func append(_ references: [Int], _ width: Int) {
    for reference in references { append(UInt64(max(reference, 0)), width) }
  }

  private mutating func append(_ value: Int64) {
    let width = value < 0 ? 8 : Self.width(of: UInt64(value))
    bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
    append(UInt64(bitPattern: value), width)
  }

  private mutating func append(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      appendMarker(0x50, text.utf8.count)
      bytes += Array(text.utf8)
    } else {
      appendMarker(0x60, text.utf16.count)
      for unit in text.utf16 { append(UInt64(unit), 2) }
    }
  }

  private mutating func appendMarker(_ kind: UInt8, _ count: Int) {
    if count < 15 {
      bytes.append(kind | UInt8(count))
    } else {
      bytes.append(kind | 0x0F)
      append(Int64(count))
    }
  }

  private mutating func append(_ value: UInt64, _ width: Int) {
    for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// Returns the smallest width for a number: 1, 2, 4 or 8 bytes.
  private static func width(of value: UInt64) -> Int {
    switch value {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
