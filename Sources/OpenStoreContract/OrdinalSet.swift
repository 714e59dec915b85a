/// A set of ordinals or slots, stored as a bit set.
///
/// An ordinal is the position of a property among the properties of its entity. A slot is the
/// position of a stored column in a packed row.
///
/// The members below 64 are in one machine word. Only entities with more than 64 ordinals or slots
/// need additional words.
public struct OrdinalSet: Sendable, Hashable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: [UInt64] = []

  @inlinable @inline(__always)
  public init() {}

  public init(_ members: some Sequence<Int>) {
    for member in members { insert(member) }
  }

  @inlinable @inline(__always)
  public var isEmpty: Bool { low == 0 && high.isEmpty }

  public var count: Int { high.reduce(low.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }

  @inlinable @inline(__always)
  public func contains(_ member: Int) -> Bool {
    if member < 64 { return low & (1 &<< UInt64(member)) != 0 }
    return containsHigh(member)
  }

  @usableFromInline
  func containsHigh(_ member: Int) -> Bool {
    let word = (member >> 6) - 1
    return word < high.count && high[word] & (1 << UInt64(member & 63)) != 0
  }

  /// Returns the number of members smaller than `member`. If `member` is in the set, this number is
  /// the index of `member` in ``members``.
  @inlinable @inline(__always)
  public func rank(of member: Int) -> Int {
    if member < 64 { return (low & ((1 &<< UInt64(member)) &- 1)).nonzeroBitCount }
    return rankHigh(of: member)
  }

  @usableFromInline
  func rankHigh(of member: Int) -> Int {
    let word = (member >> 6) - 1
    var rank = low.nonzeroBitCount
    for index in 0..<min(word, high.count) { rank += high[index].nonzeroBitCount }
    if word < high.count {
      rank += (high[word] & ((1 << UInt64(member & 63)) - 1)).nonzeroBitCount
    }
    return rank
  }

  @inlinable @inline(__always)
  public mutating func insert(_ member: Int) {
    if member < 64 { low |= 1 &<< UInt64(member) } else { insertHigh(member) }
  }

  @usableFromInline
  mutating func insertHigh(_ member: Int) {
    let word = (member >> 6) - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(member & 63)
  }

  public mutating func remove(_ member: Int) {
    if member < 64 {
      low &= ~(1 << UInt64(member))
      return
    }
    let word = (member >> 6) - 1
    guard word < high.count else { return }
    high[word] &= ~(1 << UInt64(member & 63))
    while high.last == 0 { high.removeLast() }
  }

  /// Calls `body` with each member in ascending order.
  ///
  /// - Throws: The error that `body` throws.
  @inlinable @inline(__always)
  public func forEach<Failure>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
    var rest = low
    while rest != 0 {
      try body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
    for (index, word) in high.enumerated() {
      var rest = word
      while rest != 0 {
        try body((index + 1) << 6 + rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }

  /// The members in ascending order.
  public var members: [Int] {
    var members: [Int] = []
    forEach { members.append($0) }
    return members
  }
}
