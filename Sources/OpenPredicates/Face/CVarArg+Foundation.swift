public import Foundation

// The types that predicates take as arguments and that Foundation makes arguments on Apple platforms
// only. Their encoding is a pointer for objects and nothing useful for values: predicates never
// read it.

extension NSObject: @retroactive CVarArg {
  /// The address of the object, as C code takes it.
  public var _cVarArgEncoding: [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
  }
}

extension Date: @retroactive CVarArg {
  /// A null pointer as a placeholder: formats receive the Swift value itself.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension UUID: @retroactive CVarArg {
  /// A null pointer as a placeholder: formats receive the Swift value itself.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension URL: @retroactive CVarArg {
  /// A null pointer as a placeholder: formats receive the Swift value itself.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Data: @retroactive CVarArg {
  /// A null pointer as a placeholder: formats receive the Swift value itself.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Decimal: @retroactive CVarArg {
  /// A null pointer as a placeholder: formats receive the Swift value itself.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Array: @retroactive CVarArg {
  /// A null pointer as a placeholder: formats receive the Swift value itself.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Set: @retroactive CVarArg {
  /// A null pointer as a placeholder: formats receive the Swift value itself.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Dictionary: @retroactive CVarArg {
  /// A null pointer as a placeholder: formats receive the Swift value itself.
  public var _cVarArgEncoding: [Int] { [0] }
}
