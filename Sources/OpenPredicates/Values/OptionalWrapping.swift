/// An optional inside an `Any`, whose value can be read although its type is unknown.
package protocol OptionalWrapping {
  /// The type of the wrapped value.
  static var wrappedType: Any.Type { get }
  /// The wrapped value; nil if there is none.
  var wrapped: Any? { get }
}

extension Optional: OptionalWrapping {
  package static var wrappedType: Any.Type { Wrapped.self }
  package var wrapped: Any? { map { $0 as Any } }
}
