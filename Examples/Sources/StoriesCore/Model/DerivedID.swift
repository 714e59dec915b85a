public import Foundation

extension UUID {
  /// Returns an id derived from this id and a name.
  ///
  /// Two programs that create the same object at the same time give it the same id, so a unique attribute keeps one object.
  public func derived(for name: String) -> UUID {
    // FNV-1a over the name, once for each half of the id.
    var bytes = withUnsafeBytes(of: uuid) { Array($0) }
    for half in 0..<2 {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(half)
      for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      for index in 0..<8 {
        bytes[half * 8 + index] ^= UInt8(truncatingIfNeeded: hash >> (8 * index))
      }
    }
    return NSUUID(uuidBytes: bytes) as UUID
  }

  /// Returns an id for one of several values that have this id: this id if it is free, and otherwise the first derived id that is free.
  ///
  /// The same values always get the same ids.
  ///
  /// - Parameters:
  ///   - known: The ids of all values. A new id must not be the id of a later value.
  ///   - isFree: Returns whether the value can have an id.
  func distinct(from known: Set<UUID>, where isFree: (UUID) -> Bool) -> UUID {
    var candidate = self
    var number = 1
    while !isFree(candidate) {
      repeat {
        number += 1
        candidate = derived(for: "copy \(number)")
      } while known.contains(candidate)
    }
    return candidate
  }
}
