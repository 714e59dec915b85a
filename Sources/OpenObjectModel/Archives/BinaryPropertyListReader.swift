internal import Foundation

/// Reads the objects of a binary property list.
///
/// The file consists of a header of 8 bytes, the objects, a table of their offsets, and a trailer
/// of 32 bytes. The trailer contains the widths of offsets and references and the position of the
/// table. All numbers are big-endian.
struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let objectCount: Int
  private let tableOffset: Int
  /// The number of the outermost object.
  let root: Int
  /// The number of bytes that objects may still use; overlapping objects exceed this number.
  private var budget: Int

  init(_ data: Data) throws(ModelError) {
    bytes = [UInt8](data)
    guard bytes.starts(with: Array("bplist0".utf8)), bytes.count >= 41 else {
      throw .damaged("it is not a binary property list")
    }
    let trailer = bytes.count - 32
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    let count = Self.number(bytes[(trailer + 8)..<(trailer + 16)])
    let top = Self.number(bytes[(trailer + 16)..<(trailer + 24)])
    let table = Self.number(bytes[(trailer + 24)..<(trailer + 32)])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw .damaged("its offsets have an invalid width")
    }
    guard count > 0, table >= 8, table < UInt64(trailer),
      count <= (UInt64(trailer) - table) / UInt64(offsetWidth), top < count
    else { throw .damaged("its offset table does not fit in the file") }
    objectCount = Int(count)
    tableOffset = Int(table)
    root = Int(top)
    budget = bytes.count
  }

  /// Returns all objects.
  mutating func nodes() throws(ModelError) -> [PropertyListNode] {
    var nodes: [PropertyListNode] = []
    nodes.reserveCapacity(objectCount)
    for number in 0..<objectCount {
      let place = tableOffset + number * offsetWidth
      let offset = Self.number(bytes[place..<(place + offsetWidth)])
      guard offset >= 8, offset < UInt64(tableOffset) else {
        throw .damaged("object \(number) is outside the file")
      }
      nodes.append(try node(at: Int(offset)))
    }
    return nodes
  }

  private mutating func node(at offset: Int) throws(ModelError) -> PropertyListNode {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    let body = offset + 1
    switch marker >> 4 {
    case 0x0: return try singleton(marker)
    case 0x1: return try integer(take(body, low < 5 ? 1 << low : 0))
    case 0x2: return try real(take(body, low < 4 ? 1 << low : 0))
    case 0x3: return .date(Double(bitPattern: Self.number(try take(body, 8))))
    case 0x4: return .data(Data(try counted(low, body, width: 1)))
    case 0x5: return .string(String(decoding: try counted(low, body, width: 1), as: UTF8.self))
    case 0x6: return .string(text16(try counted(low, body, width: 2)))
    case 0x8:
      guard low < 8 else { throw .damaged("it contains a reference with an invalid width") }
      return .uid(Self.number(try take(body, low + 1)))
    case 0xA, 0xB, 0xC:
      return .array(try references(counted(low, body, width: referenceWidth)))
    case 0xD:
      let all = try references(counted(low, body, width: 2 * referenceWidth))
      return .dictionary(
        keys: Array(all.prefix(all.count / 2)), values: Array(all.suffix(all.count / 2)))
    default: throw .damaged("it contains an object of an unknown type")
    }
  }

  private mutating func singleton(_ marker: UInt8) throws(ModelError) -> PropertyListNode {
    budget -= 1
    guard budget >= 0 else { throw .damaged("its objects overlap") }
    switch marker {
    case 0x00: return .null
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    default: throw .damaged("it contains an object of an unknown type")
    }
  }

  /// Returns the bytes of an object and subtracts them from the budget.
  private mutating func take(_ start: Int, _ count: Int) throws(ModelError) -> ArraySlice<UInt8> {
    guard count > 0 || start <= tableOffset, start <= tableOffset, count <= tableOffset - start
    else { throw .damaged("an object is longer than the file") }
    budget -= count + 1
    guard budget >= 0 else { throw .damaged("its objects overlap") }
    return bytes[start..<(start + count)]
  }

  /// Returns the contents of an object that states its length in units of the given width.
  private mutating func counted(
    _ low: Int, _ start: Int, width: Int
  ) throws(ModelError) -> ArraySlice<UInt8> {
    guard low == 15 else { return try take(start, low * width) }
    guard start < tableOffset, bytes[start] >> 4 == 1, bytes[start] & 0x0F < 4 else {
      throw .damaged("an object has no length")
    }
    let lengthWidth = 1 << Int(bytes[start] & 0x0F)
    let length = Self.number(try take(start + 1, lengthWidth))
    guard length <= UInt64(bytes.count / width) else {
      throw .damaged("an object is longer than the file")
    }
    return try take(start + 1 + lengthWidth, Int(length) * width)
  }

  private func integer(_ body: ArraySlice<UInt8>) throws(ModelError) -> PropertyListNode {
    switch body.count {
    case 1, 2, 4: return .int(Int64(Self.number(body)))
    case 8: return .int(Int64(bitPattern: Self.number(body)))
    case 16:
      let high = Self.number(body.prefix(8))
      let low = Self.number(body.suffix(8))
      if high == 0 { return low > UInt64(Int64.max) ? .unsigned(low) : .int(Int64(low)) }
      guard high == .max, low > UInt64(Int64.max) else {
        throw .damaged("it contains an integer with more than 64 bits")
      }
      return .int(Int64(bitPattern: low))
    default: throw .damaged("it contains an integer with an invalid width")
    }
  }

  private func real(_ body: ArraySlice<UInt8>) throws(ModelError) -> PropertyListNode {
    switch body.count {
    case 4: return .real(Double(Float(bitPattern: UInt32(Self.number(body)))))
    case 8: return .real(Double(bitPattern: Self.number(body)))
    default: throw .damaged("it contains a floating-point number with an invalid width")
    }
  }

  private func text16(_ body: ArraySlice<UInt8>) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(body.count / 2)
    var place = body.startIndex
    while place + 1 < body.endIndex {
      units.append(UInt16(body[place]) << 8 | UInt16(body[place + 1]))
      place += 2
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Returns the numbers of objects, each of which must be in the table.
  private func references(_ body: ArraySlice<UInt8>) throws(ModelError) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(body.count / referenceWidth)
    var place = body.startIndex
    while place < body.endIndex {
      let number = Self.number(body[place..<(place + referenceWidth)])
      guard number < UInt64(objectCount) else {
        throw .damaged("a collection refers to an object that does not exist")
      }
      numbers.append(Int(number))
      place += referenceWidth
    }
    return numbers
  }

  /// Returns up to eight bytes as one number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
