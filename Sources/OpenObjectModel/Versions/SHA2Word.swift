/// The differences between SHA-256 and SHA-512: the word and the distances of its rotations.
protocol SHA2Word: FixedWidthInteger, UnsignedInteger {
  static var roundCount: Int { get }
  static func sum0(_ word: Self) -> Self
  static func sum1(_ word: Self) -> Self
  static func schedule0(_ word: Self) -> Self
  static func schedule1(_ word: Self) -> Self
  /// Creates a word from the leading bits of a 64-bit constant.
  init(leadingBitsOf constant: UInt64)
}

extension SHA2Word {
  static var wordSize: Int { bitWidth / 8 }

  fileprivate func rotated(_ distance: Int) -> Self {
    self &>> Self(distance) | self &<< Self(Self.bitWidth - distance)
  }
}

extension UInt32: SHA2Word {
  static var roundCount: Int { 64 }

  static func sum0(_ word: UInt32) -> UInt32 {
    word.rotated(2) ^ word.rotated(13) ^ word.rotated(22)
  }

  static func sum1(_ word: UInt32) -> UInt32 {
    word.rotated(6) ^ word.rotated(11) ^ word.rotated(25)
  }

  static func schedule0(_ word: UInt32) -> UInt32 {
    word.rotated(7) ^ word.rotated(18) ^ word >> 3
  }

  static func schedule1(_ word: UInt32) -> UInt32 {
    word.rotated(17) ^ word.rotated(19) ^ word >> 10
  }

  init(leadingBitsOf constant: UInt64) { self.init(truncatingIfNeeded: constant >> 32) }
}

extension UInt64: SHA2Word {
  static var roundCount: Int { 80 }

  static func sum0(_ word: UInt64) -> UInt64 {
    word.rotated(28) ^ word.rotated(34) ^ word.rotated(39)
  }

  static func sum1(_ word: UInt64) -> UInt64 {
    word.rotated(14) ^ word.rotated(18) ^ word.rotated(41)
  }

  static func schedule0(_ word: UInt64) -> UInt64 {
    word.rotated(1) ^ word.rotated(8) ^ word >> 7
  }

  static func schedule1(_ word: UInt64) -> UInt64 {
    word.rotated(19) ^ word.rotated(61) ^ word >> 6
  }

  init(leadingBitsOf constant: UInt64) { self = constant }
}
