/// An optional inside an `Any`, opened without knowing its type.
protocol OptionalWrapping {
  /// The value inside, or nil.
  var wrapped: Any? { get }
}

extension Optional: OptionalWrapping {
  var wrapped: Any? { map { $0 as Any } }
}
