package import OpenStoreContract

/// The places of members in ordered relationships.
///
/// Places are numbers with gaps between them, as Apple's framework writes them: a new list gets 2048,
/// 3072, 4096, and so on. Members that are in the wanted order already keep theirs.
package enum MemberPlaces {
  private static let gap: Int64 = 1024

  /// Places for the members that an order names, by the places that are stored.
  package static func places(
    for ordering: ChangeSet.Ordering, stored: [Int64: Int64]
  ) -> [Int64] {
    ordering.isWhole
      ? places(of: ordering.members, stored: stored) : appended(ordering.members, behind: stored)
  }

  /// Places behind all stored ones.
  private static func appended(_ members: [Int64], behind stored: [Int64: Int64]) -> [Int64] {
    let known = Set(members)
    var last = stored.filter { !known.contains($0.key) }.values.max() ?? gap
    return members.map { _ in
      last = last &+ gap
      return last
    }
  }

  /// Places for all members: as many as possible keep theirs, the others fit between.
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

  /// Positions of a longest run of growing positive places.
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
