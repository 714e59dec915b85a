package import OpenStoreContract

/// The positions of members in ordered relationships.
///
/// Positions are numbers with gaps between them, as in files of Apple's framework. The positions of
/// a new list are 2048, 3072, 4096, and so on. Members that are already in the requested order keep
/// their positions. If a gap is too small for the members to insert, all members receive new
/// positions.
package enum MemberPlaces {
  private static let gap: Int64 = 1024

  /// Returns the positions of the members of an ordering, in the same order.
  ///
  /// - Parameters:
  ///   - ordering: The requested order of members.
  ///   - stored: The stored positions by member key.
  package static func places(
    for ordering: ChangeSet.Ordering, stored: [Int64: Int64]
  ) -> [Int64] {
    ordering.isWhole
      ? places(of: ordering.members, stored: stored) : appended(ordering.members, behind: stored)
  }

  /// Returns positions after all stored positions.
  private static func appended(_ members: [Int64], behind stored: [Int64: Int64]) -> [Int64] {
    let known = Set(members)
    var last = stored.filter { !known.contains($0.key) }.values.max() ?? gap
    return members.map { _ in
      last = last &+ gap
      return last
    }
  }

  /// Returns positions for all members. As many members as possible keep their positions, and the
  /// other members receive positions in between.
  private static func places(of members: [Int64], stored: [Int64: Int64]) -> [Int64] {
    let known = members.map { stored[$0] }
    let kept = longestIncreasing(known)
    var places: [Int64] = []
    var last: Int64 = kept.isEmpty ? gap : 0
    var index = 0
    while index < members.count {
      if kept.contains(index), let place = known[index] {
        places.append(place)
        last = place
        index += 1
        continue
      }
      let end = (index..<members.count).first { kept.contains($0) } ?? members.count
      let count = Int64(end - index)
      let step: Int64
      if end < members.count, let next = known[end] {
        step = (next &- last) / (count + 1)
        guard step > 0 else { return appended(members, behind: [:]) }
      } else {
        step = gap
      }
      for _ in index..<end {
        last = last &+ step
        places.append(last)
      }
      index = end
    }
    return places
  }

  /// Returns the indexes of a longest increasing subsequence of positive positions.
  private static func longestIncreasing(_ places: [Int64?]) -> Set<Int> {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      guard let place, place > 0 else { continue }
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if (places[tails[middle]] ?? 0) < place { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var kept: Set<Int> = []
    var current = tails.last
    while let index = current {
      kept.insert(index)
      current = previous[index]
    }
    return kept
  }
}
