import Foundation
import OpenObjectModel
import Testing

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  static let sample: [PropertyListNode] = [
    .dictionary(keys: [1, 2, 3], values: [4, 5, 6]),
    .string("a"), .string("größe"), .string(String(repeating: "long ", count: 70)),
    .array([7, 8, 9, 10, 11, 12, 13]), .array([14, 15, 16, 17, 18, 19]), .array([]),
    .int(0), .int(255), .int(256), .int(65_536), .int(.max), .int(-1), .int(.min),
    .unsigned(.max), .real(1.5), .date(-978_307_200), .data(Data(0..<200)), .bool(true),
    .uid(70_000),
  ]

  private func error(_ data: Data) -> ModelError? {
    do {
      _ = try BinaryPropertyList(data)
      return nil
    } catch {
      return error
    }
  }

  @Test("the dictionary of a damaged list is read or rejected")
  func damagedDictionaries() throws {
    let values: [String: Any] = [
      "text": "größe", "list": [1, 2.5, true], "date": Date(timeIntervalSinceReferenceDate: 7),
      "data": Data([1, 2]), "inner": ["a": -1],
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: values, format: .binary, options: 0)
    let read = try #require(PropertyListDictionary.read(data))
    #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: values))
    for place in data.indices {
      for mask: UInt8 in [0x01, 0x15, 0x60, 0xFF] {
        var damaged = data
        damaged[place] ^= mask
        _ = PropertyListDictionary.read(damaged)
      }
    }
    let xml = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
    #expect(PropertyListDictionary.read(xml)?.count == values.count)
    #expect(PropertyListDictionary.read(Data("<plist><array/></plist>".utf8)) == nil)
  }

  @Test("written lists are read back")
  func roundTrip() throws {
    let list = BinaryPropertyList(of: Self.sample, root: 0)
    let read = try BinaryPropertyList(list.encoded())
    #expect(read.nodes == Self.sample)
    #expect(read.root == 0)
    #expect(read.encoded() == list.encoded())
  }

  @Test("more than 255 objects need wider references")
  func wideReferences() throws {
    let nodes: [PropertyListNode] =
      [.array(Array(1...400))] + (1...400).map { .string("text number \($0)") }
    let read = try BinaryPropertyList(BinaryPropertyList(of: nodes, root: 0).encoded())
    #expect(read.nodes == nodes)
  }

  @Test("Foundation reads written lists")
  func foundation() throws {
    let nodes: [PropertyListNode] = [
      .dictionary(keys: [1, 3], values: [2, 4]), .string("n"), .int(-7), .string("t"),
      .array([5, 6]), .string("größe"), .bool(true),
    ]
    let data = BinaryPropertyList(of: nodes, root: 0).encoded()
    let plist =
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    #expect(plist?["n"] as? Int == -7)
    #expect((plist?["t"] as? [Any])?.first as? String == "größe")
  }

  @Test("lists written by Foundation are read")
  func fromFoundation() throws {
    let plist: [String: Any] = ["number": 5, "list": ["x", 2.5, Data([1, 2])]]
    let data = try PropertyListSerialization.data(
      fromPropertyList: plist, format: .binary, options: 0)
    let list = try BinaryPropertyList(data)
    #expect(list.value("number", in: list.root).flatMap { list[$0] } == .int(5))
    let members = list.value("list", in: list.root).flatMap { list[$0] }
    guard case .array(let numbers)? = members else {
      Issue.record("the list is missing")
      return
    }
    #expect(numbers.map { list[$0] } == [.string("x"), .real(2.5), .data(Data([1, 2]))])
  }

  @Test("an archived ordered set is read if its class follows more than 256 members")
  func largeOrderedSet() throws {
    let numbers = (0..<600).map { NSNumber(value: $0) }
    let list = try BinaryPropertyList(ValueArchive.data(of: NSOrderedSet(array: numbers)))
    let nodes = list.nodes.map { node -> PropertyListNode in
      guard case .dictionary(var keys, var values) = node,
        let place = keys.firstIndex(where: { list[$0] == .string("$class") })
      else { return node }
      keys.append(keys.remove(at: place))
      values.append(values.remove(at: place))
      return .dictionary(keys: keys, values: values)
    }
    let data = BinaryPropertyList(of: nodes, root: list.root).encoded()
    let set = try #require(try ValueArchive.value(in: data) as? NSOrderedSet)
    #expect(set.count == 600)
    #expect(set.array as? [NSNumber] == numbers)
  }

  @Test(
    "an archived calendar with an impossible week is rejected", arguments: [0, 8, -1, Int64.max])
  func impossibleWeek(_ number: Int64) throws {
    let calendar = Calendar(identifier: .hebrew)
    let list = try BinaryPropertyList(ValueArchive.data(of: calendar))
    #expect(try ValueArchive.value(in: list.encoded()) is Calendar)
    for key in ["NS.firstwkdy", "NS.mindays"] {
      let nodes = list.nodes.map { node -> PropertyListNode in
        guard case .dictionary(let keys, var values) = node,
          let place = keys.firstIndex(where: { list[$0] == .string(key) })
        else { return node }
        values[place] = list.nodes.count
        return .dictionary(keys: keys, values: values)
      }
      let data = BinaryPropertyList(of: nodes + [.int(number)], root: list.root).encoded()
      let error = #expect(throws: ModelError.self) { try ValueArchive.value(in: data) }
      #expect(error?.code == .malformed)
    }
  }

  @Test("an archive keeps the characters of equivalent strings and the sign of zero")
  func equalScalars() throws {
    let texts = ["caf\u{E9}", "cafe\u{301}"]
    let readTexts = try ValueArchive.value(in: ValueArchive.data(of: texts)) as? [String]
    #expect(readTexts?.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    let readNumbers = try ValueArchive.value(in: ValueArchive.data(of: [0.0, -0.0]))
    let signs = (readNumbers as? [NSNumber])?.map(\.doubleValue.sign)
    #expect(signs == [FloatingPointSign.plus, .minus])
  }

  @Test("a list that contains itself is read as what it is")
  func circle() throws {
    let nodes: [PropertyListNode] = [
      .array([0, 1]), .dictionary(keys: [2], values: [0]), .string("k"),
    ]
    #expect(try BinaryPropertyList(BinaryPropertyList(of: nodes, root: 0).encoded()).nodes == nodes)
  }

  @Test("a list truncated at any byte is rejected")
  func truncation() {
    let data = BinaryPropertyList(of: Self.sample, root: 0).encoded()
    for length in 0..<data.count {
      #expect(error(data.prefix(length))?.code == .malformed, "\(length) bytes")
    }
  }

  @Test("a list with any changed byte is read or rejected, without a trap")
  func corruption() {
    let data = BinaryPropertyList(of: Self.sample, root: 0).encoded()
    for place in data.indices {
      for value in [UInt8(0), 0x0F, 0x1F, 0x4F, 0x80, 0xAF, 0xDF, 0xFF] {
        var changed = data
        changed[place] = value
        if let error = error(changed) { #expect(error.code == .malformed) }
      }
    }
  }

  @Test(
    "impossible lengths and references are rejected",
    arguments: [
      // One object of ten billion bytes, of 2^63 members, of references to nothing, without length.
      [0x4F, 0x13, 0, 0, 0, 2, 0x54, 0x0B, 0xE4, 0x00],
      [0xAF, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0],
      [0xDF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0xA1, 0x05], [0xD1, 0x00, 0x09], [0x4F], [0x4F, 0x51, 0x20], [0xF0], [0x05], [0x15, 0],
      [0x24, 0],
      [0x14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], [0x88, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0x51],
    ] as [[UInt8]])
  func hostileObjects(_ object: [UInt8]) {
    #expect(error(Self.file(object, offsets: [8]))?.code == .malformed)
  }

  @Test("overlapping objects are rejected, so that a small file cannot expand")
  func overlap() {
    let array: [UInt8] = [0xAF, 0x10, 100] + [UInt8](repeating: 0, count: 100)
    #expect(error(Self.file(array, offsets: [8])) == nil)
    let many = [UInt8](repeating: 8, count: 200)
    #expect(error(Self.file(array, offsets: many))?.code == .malformed)
  }

  @Test("impossible trailers are rejected")
  func trailers() {
    for (place, value) in [
      (6, 0), (6, 9), (7, 0), (7, 255), (8, 255), (15, 200), (23, 1), (24, 255),
    ] {
      var data = Self.file([0x09], offsets: [8])
      data[data.count - 32 + place] = UInt8(value)
      #expect(error(data)?.code == .malformed, "byte \(place) is \(value)")
    }
    #expect(error(Data())?.code == .malformed)
    #expect(error(Data("<?xml version=\"1.0\"?>".utf8))?.code == .malformed)
    #expect(error(Data(count: 100))?.code == .malformed)
  }

  /// A file of objects given as bytes, with offsets of one byte.
  static func file(_ objects: [UInt8], offsets: [UInt8]) -> Data {
    var bytes = Array("bplist00".utf8) + objects
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(offsets.count)]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 0, 0, table]
    return Data(bytes)
  }
}
