/// An optional inside an `Any`, opened without knowing its type.
package protocol OptionalWrapping {
  /// The type of the value inside.
  static var wrappedType: Any.Type { get }
  /// The value inside, or nil.
  var wrapped: Any? { get }
}

extension Optional: OptionalWrapping {
  package static var wrappedType: Any.Type { Wrapped.self }
  package var wrapped: Any? { map { $0 as Any } }
}
