public import Foundation

// Types that predicates accept as arguments and that conform to `CVarArg` only on Apple platforms.
// An object is encoded as a pointer. The encoding of a value is a placeholder that predicates never
// read.

extension NSObject: @retroactive CVarArg {
  /// The address of the object, for C code that reads the argument.
  public var _cVarArgEncoding: [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
  }
}

extension Date: @retroactive CVarArg {
  /// A null pointer that serves as a placeholder.
  ///
  /// Predicate formats use the Swift value itself and never read the placeholder.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension UUID: @retroactive CVarArg {
  /// A null pointer that serves as a placeholder.
  ///
  /// Predicate formats use the Swift value itself and never read the placeholder.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension URL: @retroactive CVarArg {
  /// A null pointer that serves as a placeholder.
  ///
  /// Predicate formats use the Swift value itself and never read the placeholder.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Data: @retroactive CVarArg {
  /// A null pointer that serves as a placeholder.
  ///
  /// Predicate formats use the Swift value itself and never read the placeholder.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Decimal: @retroactive CVarArg {
  /// A null pointer that serves as a placeholder.
  ///
  /// Predicate formats use the Swift value itself and never read the placeholder.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Array: @retroactive CVarArg {
  /// A null pointer that serves as a placeholder.
  ///
  /// Predicate formats use the Swift value itself and never read the placeholder.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Set: @retroactive CVarArg {
  /// A null pointer that serves as a placeholder.
  ///
  /// Predicate formats use the Swift value itself and never read the placeholder.
  public var _cVarArgEncoding: [Int] { [0] }
}

extension Dictionary: @retroactive CVarArg {
  /// A null pointer that serves as a placeholder.
  ///
  /// Predicate formats use the Swift value itself and never read the placeholder.
  public var _cVarArgEncoding: [Int] { [0] }
}
