internal import Synchronization

/// An in-memory cache that removes the least recently used values first.
///
/// The cache also removes all values when its ``MemoryPressureSource`` reports that memory is low.
///
/// ```swift
/// let pages = MemoryCache<String, Page>(countLimit: 100, totalCostLimit: 50 << 20)
/// pages.setValue(page, forKey: page.id, cost: page.byteCount)
/// ```
///
/// > Concurrency: A class that threads may share.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The maximum number of values; 0 if there is no limit.
  public let countLimit: Int
  /// The maximum sum of the values' costs; 0 if there is no limit.
  public let totalCostLimit: Int
  private let entries: Mutex<RecentEntries<Key, Value>>
  private let observation: Mutex<MemoryPressureObservation?>

  /// The numbers of lookups in a cache, and of values removed from the cache.
  public struct Statistics: Sendable, Hashable {
    /// The number of lookups that found a value.
    public var hits = 0
    /// The number of lookups that found no value.
    public var misses = 0
    /// The number of values removed because of the limits or low memory.
    public var evictions = 0
  }

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - countLimit: The maximum number of values; 0 or less for no limit.
  ///   - totalCostLimit: The maximum sum of the values' costs, in the unit of
  ///     ``setValue(_:forKey:cost:)``; 0 or less for no limit.
  ///   - pressure: The source of memory pressure events, or nil to ignore memory pressure.
  public init(
    countLimit: Int = 0, totalCostLimit: Int = 0,
    pressure: (any MemoryPressureSource)? = SystemMemoryPressure.shared
  ) {
    self.countLimit = max(0, countLimit)
    self.totalCostLimit = max(0, totalCostLimit)
    entries = Mutex(RecentEntries())
    observation = Mutex(nil)
    let handle = pressure?.observe { [weak self] _ in self?.evictAll() }
    observation.withLock { $0 = handle }
  }

  /// Returns the value for a key, and marks the value as recently used.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The value, or nil if the cache has no value for the key.
  public func value(forKey key: Key) -> Value? { entries.withLock { $0.use(key) } }

  /// Stores a value for a key, and removes the least recently used values until the cache is within
  /// its limits.
  ///
  /// A value whose cost exceeds a ``totalCostLimit`` other than 0 is not stored; the method only
  /// removes an existing value for the key.
  ///
  /// - Parameters:
  ///   - value: The value, which replaces an existing value for the key.
  ///   - key: The key of the value.
  ///   - cost: The cost in any unit, such as bytes. The cost is limited to the range from 0 to
  ///     2^39.
  public func setValue(_ value: Value, forKey key: Key, cost: Int = 0) {
    let (count, total) = (countLimit, totalCostLimit)
    // The removed values are released outside the lock.
    let gone = entries.withLock { entries in
      let replaced = entries.insert(value, key, cost: min(max(0, cost), 1 << 39))
      return entries.evict(toCount: count, cost: total) + [replaced].compactMap { $0 }
    }
    withExtendedLifetime(gone) {}
  }

  /// The value for a key, or nil if the cache has no value for the key.
  ///
  /// An assigned value has the cost 0. Assigning nil removes the value.
  public subscript(key: Key) -> Value? {
    get { value(forKey: key) }
    set {
      if let newValue { setValue(newValue, forKey: key) } else { removeValue(forKey: key) }
    }
  }

  /// Removes the value for a key.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The removed value, or nil if the cache had no value for the key.
  @discardableResult
  public func removeValue(forKey key: Key) -> Value? { entries.withLock { $0.remove(key) } }

  /// Removes all values.
  public func removeAll() { withExtendedLifetime(entries.withLock { $0.removeAll() }) {} }

  private func evictAll() { withExtendedLifetime(entries.withLock { $0.evictAll() }) {} }

  /// The number of values.
  public var count: Int { entries.withLock { $0.count } }
  /// The sum of the costs of all values.
  public var totalCost: Int { entries.withLock { $0.totalCost } }
  /// The numbers of hits, misses and evictions of the cache.
  public var statistics: Statistics {
    entries.withLock {
      Statistics(hits: $0.hits, misses: $0.misses, evictions: $0.evictions)
    }
  }
}
