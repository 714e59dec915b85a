// Uses of objects that another reference keeps alive. A counted reference is two atomic operations, as much as fifty
// instructions where the object is not near; the paths that every object of an import takes go without.

/// Calls `body` with an object that is kept alive, while it runs, by a place that it does not change.
// As a plain parameter the object would be counted as long as the call lasts.
@inline(__always)
func borrowing<Object: AnyObject, Value, Failure>(
  _ object: @autoclosure () -> Object, _ body: (Object) throws(Failure) -> Value
) throws(Failure) -> Value {
  let borrowed = Unmanaged.passUnretained(object())
  let outcome = borrowed._withUnsafeGuaranteedRef { object in
    Result { () throws(Failure) in try body(object) }
  }
  return try outcome.get()
}

/// Calls `body` with an object, if there is one, that is kept alive while it runs by a place that it does not change.
@inline(__always) @discardableResult
func borrowing<Object: AnyObject, Value>(
  _ object: @autoclosure () -> Object?, _ body: (Object) -> Value
) -> Value? {
  guard let borrowed = object().map(Unmanaged.passUnretained) else { return nil }
  return borrowed._withUnsafeGuaranteedRef(body)
}

extension Array where Element: AnyObject {
  /// Calls `body` with each object, in order; only the array keeps them.
  @inline(__always)
  func forEachBorrowed<Failure>(
    _ body: (Element) throws(Failure) -> Void
  ) throws(Failure) {
    defer { withExtendedLifetime(self) {} }
    let addresses = withUnsafeBytes { $0.baseAddress }
    guard let addresses else { return }
    for position in 0..<count {
      let address = addresses.load(
        fromByteOffset: position * MemoryLayout<UnsafeRawPointer>.stride, as: UnsafeRawPointer.self)
      var failure: Failure?
      Unmanaged<Element>.fromOpaque(address)._withUnsafeGuaranteedRef { element in
        do throws(Failure) { try body(element) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }
}
