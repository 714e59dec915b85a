/// Values by key, in the order of their last use. Reading, storing or removing one value takes
/// constant time.
struct RecentEntries<Key: Hashable, Value> {
  private struct Entry {
    var value: Value
    var cost: Int
    /// The key of the entry that was used next after this entry; nil for the newest entry.
    var newer: Key?
    /// The key of the entry that was used last before this entry; nil for the oldest entry.
    var older: Key?
  }

  private var entries: [Key: Entry] = [:]
  private var newest: Key?
  private var oldest: Key?
  private(set) var totalCost = 0
  private(set) var hits = 0
  private(set) var misses = 0
  private(set) var evictions = 0

  var count: Int { entries.count }

  /// Returns the value of a key and makes the value the newest.
  mutating func use(_ key: Key) -> Value? {
    guard let entry = entries[key] else {
      misses += 1
      return nil
    }
    hits += 1
    if newest != key {
      unlink(entry)
      link(key, entry.value, entry.cost)
    }
    return entry.value
  }

  /// Stores a value as the newest, and returns the value that the key had before.
  mutating func insert(_ value: Value, _ key: Key, cost: Int) -> Value? {
    let replaced = remove(key)
    link(key, value, cost)
    totalCost += cost
    return replaced
  }

  mutating func remove(_ key: Key) -> Value? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    unlink(entry)
    totalCost -= entry.cost
    return entry.value
  }

  /// Removes the oldest values until the count and the total cost are within their limits, and
  /// returns the removed values. A limit of 0 means no limit.
  mutating func evict(toCount countLimit: Int, cost costLimit: Int) -> [Value] {
    var gone: [Value] = []
    while let key = oldest,
      (countLimit > 0 && count > countLimit) || (costLimit > 0 && totalCost > costLimit)
    {
      // If the newest value alone exceeds the limit, only this value is removed. Otherwise, all
      // other values would be removed before it.
      let isTooLarge = costLimit > 0 && (newest.flatMap { entries[$0]?.cost } ?? 0) > costLimit
      if let value = remove(isTooLarge ? newest ?? key : key) { gone.append(value) }
      evictions += 1
    }
    return gone
  }

  mutating func removeAll() -> [Value] {
    let values = entries.values.map(\.value)
    entries.removeAll()
    (newest, oldest, totalCost) = (nil, nil, 0)
    return values
  }

  mutating func evictAll() -> [Value] {
    evictions += count
    return removeAll()
  }

  private mutating func link(_ key: Key, _ value: Value, _ cost: Int) {
    entries[key] = Entry(value: value, cost: cost, newer: nil, older: newest)
    if let newest { entries[newest]?.newer = key }
    newest = key
    if oldest == nil { oldest = key }
  }

  private mutating func unlink(_ entry: Entry) {
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
    if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
  }
}
