package import Foundation

/// A type whose captured values can add themselves to the shape of a predicate, with the facts on
/// which the predicate's tree depends, such as whether a value is nil.
package protocol ShapedValue: SendableMetatype {
  func note(in shape: inout SwiftPredicateShape)
  /// Adds the value at an address to a shape.
  ///
  /// - Parameters:
  ///   - address: The address of a value of this type.
  ///   - shape: The shape of the predicate that captures the value.
  static func note(at address: UnsafeRawPointer, in shape: inout SwiftPredicateShape)
  /// Adds the optional value at an address to a shape.
  ///
  /// - Parameters:
  ///   - address: The address of an optional value of this type.
  ///   - shape: The shape of the predicate that captures the value.
  static func note(optionalAt address: UnsafeRawPointer, in shape: inout SwiftPredicateShape)
}

extension ShapedValue {
  package static func note(at address: UnsafeRawPointer, in shape: inout SwiftPredicateShape) {
    address.assumingMemoryBound(to: Self.self).pointee.note(in: &shape)
  }

  // Not in the extension of Optional, whose code looks up the metadata of the optional type.
  package static func note(
    optionalAt address: UnsafeRawPointer, in shape: inout SwiftPredicateShape
  ) {
    let value = address.assumingMemoryBound(to: Self?.self).pointee
    shape.note(constant: value == nil)
    value?.note(in: &shape)
  }
}

extension String: ShapedValue {
  package func note(in shape: inout SwiftPredicateShape) {
    let isASCII =
      utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0x80 } }
      ?? utf8.allSatisfy { $0 < 0x80 }
    // Other strings may have several spellings, each of which is part of the tree.
    if isASCII { shape.note(value: self) } else { shape.noteParticular() }
  }
}

extension Bool: ShapedValue {
  package func note(in shape: inout SwiftPredicateShape) { shape.note(constant: self) }
}

extension Double: ShapedValue {
  package func note(in shape: inout SwiftPredicateShape) {
    if isNaN { shape.noteParticular() } else { shape.note(value: self) }
  }
}

extension ShapedValue {
  package func note(in shape: inout SwiftPredicateShape) { shape.note(value: self) }
}

extension Int: ShapedValue {}
extension Int16: ShapedValue {}
extension Int32: ShapedValue {}
extension Int64: ShapedValue {}
extension Date: ShapedValue {}
extension UUID: ShapedValue {}

extension Optional: ShapedValue where Wrapped: ShapedValue {
  package func note(in shape: inout SwiftPredicateShape) {
    shape.note(constant: self == nil)
    self?.note(in: &shape)
  }

  package static func note(at address: UnsafeRawPointer, in shape: inout SwiftPredicateShape) {
    Wrapped.note(optionalAt: address, in: &shape)
  }
}
