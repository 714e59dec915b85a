/// The properties and subscripts that a key path applies, in their order.
///
/// `==` compares complete key paths. It cannot show that `\Player.guitar?.name` contains the
/// property of `\Instrument.name`, because no key path can be appended behind an optional value.
/// The type therefore reads the key path object, whose layout is part of Swift's stable ABI and is
/// described in the toolchain's header `shims/KeyPath.h`.
///
/// > Concurrency: Any thread.
struct KeyPathSteps {
  /// A property or a subscript.
  struct Step {
    /// The address of the getter, or the position of the property in a type or a method table.
    fileprivate let identifier: UInt
    /// The bits of the component's header that state what the identifier is.
    fileprivate let kind: UInt32
    /// Whether the step contains the operands of a subscript, or the types of generic code.
    let hasArguments: Bool

    /// Returns whether two steps apply the same property, of a class or of its superclass.
    func isSameProperty(as other: Step) -> Bool {
      identifier == other.identifier && kind == other.kind
    }
  }

  /// What the steps of a key path show about the properties that it leads to.
  enum Comparison {
    /// The key path starts with the properties.
    case same
    /// The key path contains another property, such as a computed one.
    case different
    /// Generic code created the key path with the requirement of a protocol, which may be any
    /// property of the class.
    case unknown
  }

  /// The steps, without optional chains.
  let steps: [Step]

  /// Reads the steps; the result is `nil` if key path objects have another layout in this version
  /// of Swift.
  ///
  /// - Parameter keyPath: The key path.
  init?(_ keyPath: AnyKeyPath) {
    guard Self.isLayoutKnown, let steps = Self.read(keyPath) else { return nil }
    self.steps = steps
  }

  /// Compares the first steps of a key path with properties.
  ///
  /// - Parameters:
  ///   - keyPath: A key path from the model with the first property.
  ///   - properties: The key paths of the properties. Each one starts at the model with the
  ///     property.
  static func comparison(of keyPath: AnyKeyPath, with properties: [AnyKeyPath]) -> Comparison {
    guard let steps = KeyPathSteps(keyPath)?.steps else { return .unknown }
    guard steps.count >= properties.count else { return .different }
    for (step, property) in zip(steps, properties) {
      guard let declared = KeyPathSteps(property)?.steps, declared.count == 1 else {
        return .unknown
      }
      guard step.isSameProperty(as: declared[0]) else {
        return step.hasArguments ? .unknown : .different
      }
    }
    return .same
  }

  // MARK: The layout

  private static func read(_ keyPath: AnyKeyPath) -> [Step]? {
    withExtendedLifetime(keyPath) {
      // The header of the object and an unused pointer precede the components. The size of the
      // components is in the lower bits of a number in front of them.
      let word = MemoryLayout<UInt>.size
      let size = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque()) + 3 * word
      var reader = KeyPathComponentReader(
        UnsafeRawBufferPointer(
          start: size + word, count: Int(size.load(as: UInt32.self) & 0x00FF_FFFF)))
      return reader.steps()
    }
  }

  /// Whether reading key paths of known properties gives the expected steps.
  private static let isLayoutKnown: Bool = {
    func keyPath<Value: SampleNaming>(_ type: Value.Type) -> AnyKeyPath { \Value.name }
    guard let name = read(\Sample.name), let number = read(\Sample.number),
      let chain = read(\Sample.next?.name), let requirement = read(keyPath(Sample.self)),
      name.count == 1, number.count == 1, chain.count == 2, requirement.count == 1
    else { return false }
    return !name[0].isSameProperty(as: number[0]) && !name[0].isSameProperty(as: chain[0])
      && name[0].isSameProperty(as: chain[1]) && !name[0].isSameProperty(as: requirement[0])
      && !name[0].hasArguments && !chain[1].hasArguments && requirement[0].hasArguments
  }()
}

/// Reads the components of a key path object.
private struct KeyPathComponentReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the properties and subscripts; `nil` if a component has an unknown form.
  mutating func steps() -> [KeyPathSteps.Step]? {
    var steps: [KeyPathSteps.Step] = []
    while position < bytes.count {
      guard let header = next(UInt32.self) else { return nil }
      switch header >> 24 & 0x7F {
      case 1, 3:
        guard let step = storedProperty(header) else { return nil }
        steps.append(step)
      case 2:
        guard let step = computedProperty(header) else { return nil }
        steps.append(step)
      case 4: break  // an optional chain, or an unwrapped or wrapped value
      default: return nil
      }
      // The type of the value follows, except behind the last component.
      if position < bytes.count, next(UInt.self) == nil { return nil }
    }
    return steps
  }

  private mutating func storedProperty(_ header: UInt32) -> KeyPathSteps.Step? {
    var offset = header & 0x007F_FFFF
    // An offset that does not fit into the header follows the header.
    if offset == 0x007F_FFFF {
      guard let long = next(UInt32.self) else { return nil }
      offset = long
    }
    return KeyPathSteps.Step(
      identifier: UInt(offset), kind: header & 0x7F00_0000, hasArguments: false)
  }

  /// Reads the identifier, the getter, the setter, and the size, witnesses and bytes of the
  /// arguments.
  private mutating func computedProperty(_ header: UInt32) -> KeyPathSteps.Step? {
    guard let identifier = next(UInt.self), next(UInt.self) != nil else { return nil }
    let isSettable = header & 0x0040_0000 != 0
    if isSettable, next(UInt.self) == nil { return nil }
    let hasArguments = header & 0x0008_0000 != 0
    if hasArguments {
      guard let size = next(UInt.self), size <= UInt(bytes.count), next(UInt.self) != nil else {
        return nil
      }
      let isOfOtherModule = header & 0x10 != 0
      position += Int(size) + (isOfOtherModule ? MemoryLayout<UInt>.size : 0)
    }
    return KeyPathSteps.Step(
      identifier: identifier, kind: header & 0x7F30_0000, hasArguments: hasArguments)
  }

  /// Reads a number at the next position with the number's alignment; the result is `nil` behind
  /// the last byte.
  private mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    let start = (position + size - 1) / size * size
    guard start + size <= bytes.count else { return nil }
    position = start + size
    return bytes.load(fromByteOffset: start, as: type)
  }
}

/// A protocol whose requirement generic code reads to check the layout of key paths.
private protocol SampleNaming {
  var name: String { get }
}

/// A class whose key paths show the layout of key paths.
private final class Sample: SampleNaming {
  var name: String { "name" }
  var number: Int { 1 }
  var next: Sample? { nil }
}
