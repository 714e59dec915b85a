@_spi(Reflection) internal import Swift

/// The stored properties of a struct or the cases of an enumeration, from the metadata of the type.
///
/// The initializer needs no value, because a schema is created before values exist. The metadata,
/// the nominal type descriptor and the field descriptor have a layout that is part of Swift's
/// stable ABI.
///
/// > Concurrency: Any thread.
struct TypeFields {
  enum Kind { case structure, enumeration }

  struct Field {
    let name: String
    /// The address of the name. The Swift runtime returns this address as the name of an
    /// enumeration value's case.
    let address: UnsafePointer<CChar>
    /// The type of the property or of the case's payload; `nil` for a case without a payload.
    let type: (any Any.Type)?
    /// The offset of the property in a value, in bytes; `nil` for a case.
    let offset: Int?
  }

  let kind: Kind
  let fields: [Field]

  /// Reads the fields of a type.
  ///
  /// The result is `nil` if the type is neither a struct nor an enumeration, or if the type has no
  /// field descriptions because of the compiler option `-disable-reflection-metadata`.
  ///
  /// - Parameter type: The type to read.
  init?(of type: any Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard let kind = Self.kind(metadata.load(as: UInt.self)) else { return nil }
    let descriptor = metadata.load(
      fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
    guard let table = Self.target(of: descriptor + 16) else { return nil }
    let stride = Int(table.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(table.load(fromByteOffset: 12, as: UInt32.self))
    let arguments = metadata + 2 * MemoryLayout<UInt>.size
    let offsets = kind == .structure ? Self.offsets(metadata, descriptor) : nil
    var fields: [Field] = []
    fields.reserveCapacity(count)
    for number in 0..<count {
      let record = table + 16 + number * stride
      guard let name = Self.target(of: record + 8) else { return nil }
      let payload = Self.target(of: record + 4)
      let type = payload.flatMap { Self.type(mangled: $0, descriptor, arguments) }
      if payload != nil, type == nil { return nil }
      let address = name.assumingMemoryBound(to: CChar.self)
      let offset = offsets.map { $0 + number * MemoryLayout<UInt32>.size }
      fields.append(
        Field(
          name: String(cString: address), address: address, type: type,
          offset: offset.map { Int($0.load(as: UInt32.self)) }))
    }
    self.kind = kind
    self.fields = fields
  }

  /// Returns the key path of a stored property of a struct; `nil` for other types and names.
  static func keyPath(to name: String, of type: any Any.Type) -> AnyKeyPath? {
    guard TypeFields(of: type)?.kind == .structure else { return nil }
    func open<Root>(_ type: Root.Type) -> AnyKeyPath? {
      var found: AnyKeyPath?
      _forEachFieldWithKeyPath(of: type) { field, keyPath in
        if String(cString: field) == name { found = keyPath }
        return found == nil
      }
      return found
    }
    return _openExistential(type, do: open)
  }

  /// Returns the kind of a type's metadata. The ABI defines 0x200 for structs and 0x201 for
  /// enumerations.
  private static func kind(_ number: UInt) -> Kind? {
    switch number {
    case 0x200: .structure
    case 0x201: .enumeration
    default: nil
    }
  }

  /// Returns the address of the offsets of a struct's properties; `nil` if the metadata has none.
  private static func offsets(
    _ metadata: UnsafeRawPointer, _ descriptor: UnsafeRawPointer
  ) -> UnsafeRawPointer? {
    let position = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    return position == 0 ? nil : metadata + position * MemoryLayout<UInt>.size
  }

  /// Returns the target of a reference that is relative to its own address; `nil` for a null
  /// reference.
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

  /// Returns the length of a mangled name, in which certain bytes precede an address.
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

/// Returns the runtime's name of an enumeration value's case; `nil` for values of other types.
@_silgen_name("swift_EnumCaseName")
func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
