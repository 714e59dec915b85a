/// The stored properties of a struct, or the cases of an enumeration, as the compiler describes
/// them in the program.
///
/// Reads the type alone, never a value: a schema is made before there is one. The layout that it
/// reads is part of Swift's stable binary interface: metadata, nominal type descriptor, field
/// descriptor.
///
/// > Concurrency: A value.
struct TypeFields {
  enum Kind { case structure, enumeration }

  struct Field {
    let name: String
    /// The address of the name; the runtime names the case of a value by the same address.
    let address: UnsafePointer<CChar>
    /// The type of the property or of the case's payload; nil for a case without payload.
    let type: (any Any.Type)?
  }

  let kind: Kind
  let fields: [Field]

  /// - Parameter type: Any type; nil is returned for what is neither, and for a type without
  ///   descriptions of its fields (compiled with `-disable-reflection-metadata`).
  init?(of type: any Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard let kind = Self.kind(metadata.load(as: UInt.self)) else { return nil }
    let descriptor = metadata.load(
      fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
    guard let table = Self.target(of: descriptor + 16) else { return nil }
    let stride = Int(table.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(table.load(fromByteOffset: 12, as: UInt32.self))
    let arguments = metadata + 2 * MemoryLayout<UInt>.size
    var fields: [Field] = []
    fields.reserveCapacity(count)
    for number in 0..<count {
      let record = table + 16 + number * stride
      guard let name = Self.target(of: record + 8) else { return nil }
      let payload = Self.target(of: record + 4)
      let type = payload.flatMap { Self.type(mangled: $0, descriptor, arguments) }
      if payload != nil, type == nil { return nil }
      let address = name.assumingMemoryBound(to: CChar.self)
      fields.append(Field(name: String(cString: address), address: address, type: type))
    }
    self.kind = kind
    self.fields = fields
  }

  /// The kinds of metadata of types with values of their own: 0x200 and 0x201 by the binary
  /// interface.
  private static func kind(_ number: UInt) -> Kind? {
    switch number {
    case 0x200: .structure
    case 0x201: .enumeration
    default: nil
    }
  }

  /// Where a reference leads that is relative to its own address; nil for none.
  private static func target(of reference: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = reference.load(as: Int32.self)
    return offset == 0 ? nil : reference + Int(offset)
  }

  private static func type(
    mangled name: UnsafeRawPointer, _ descriptor: UnsafeRawPointer, _ arguments: UnsafeRawPointer
  ) -> (any Any.Type)? {
    _getTypeByMangledNameInContext(
      name.assumingMemoryBound(to: UInt8.self), UInt(length(of: name)),
      genericContext: descriptor, genericArguments: arguments)
  }

  /// The length of a mangled name, which holds addresses after certain bytes.
  private static func length(of name: UnsafeRawPointer) -> Int {
    var length = 0
    while true {
      let byte = name.load(fromByteOffset: length, as: UInt8.self)
      switch byte {
      case 0: return length
      case 0x01...0x17: length += 1 + MemoryLayout<Int32>.size
      case 0x18...0x1F: length += 1 + MemoryLayout<UInt>.size
      default: length += 1
      }
    }
  }
}

/// The runtime's name of the case that an enumeration's value is; nil for values of other types.
@_silgen_name("swift_EnumCaseName")
func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
