// Uses of objects that another reference keeps alive. Retaining and releasing an object takes two
// atomic operations, as much as fifty instructions if the object is not in the cache. The paths
// that every object of an import takes avoid this cost.

/// Calls `body` with an object without retaining it.
///
/// Another reference must keep the object alive while `body` runs, and `body` must not change that
/// reference. An object passed as a plain parameter would be retained during the call.
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

/// Calls `body` with an object without retaining it; does nothing if there is no object.
///
/// Another reference must keep the object alive while `body` runs, and `body` must not change that
/// reference.
@inline(__always) @discardableResult
func borrowing<Object: AnyObject, Value>(
  _ object: @autoclosure () -> Object?, _ body: (Object) -> Value
) -> Value? {
  guard let borrowed = object().map(Unmanaged.passUnretained) else { return nil }
  return borrowed._withUnsafeGuaranteedRef(body)
}

extension Array where Element: AnyObject {
  /// Calls `body` with each object in order; only the array retains the objects.
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
