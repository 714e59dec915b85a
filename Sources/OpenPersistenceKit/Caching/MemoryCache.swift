internal import Synchronization

/// Values in memory that can be made again: the ones used longest ago go first when there are too many.
///
/// It is emptied when memory runs short.
///
/// ```swift
/// let pages = MemoryCache<String, Page>(countLimit: 100, totalCostLimit: 50 << 20)
/// pages.setValue(page, forKey: page.id, cost: page.byteCount)
/// ```
///
/// > Concurrency: Shared.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Greatest number of values; 0 for no limit.
  public let countLimit: Int
  /// Greatest sum of costs; 0 for no limit.
  public let totalCostLimit: Int
  private let entries: Mutex<RecentEntries<Key, Value>>
  private let observation: Mutex<MemoryPressureObservation?>

  /// How a cache was used.
  public struct Statistics: Sendable, Hashable {
    /// Values that were found.
    public var hits = 0
    /// Keys without value.
    public var misses = 0
    /// Values that went because there were too many, or memory ran short.
    public var evictions = 0
  }

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - countLimit: Greatest number of values; 0 for no limit.
  ///   - totalCostLimit: Greatest sum of costs; 0 for no limit.
  ///   - pressure: Reports shortages of memory; nil for a cache that is not told of them.
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

  /// The value of a key, which counts as used now.
  public func value(forKey key: Key) -> Value? { entries.withLock { $0.use(key) } }

  /// Keeps a value, and lets others go until the limits hold.
  ///
  /// A value that costs more than the limit by itself is not kept.
  ///
  /// - Parameters:
  ///   - value: The value; it replaces the one of the same key.
  ///   - key: Its key.
  ///   - cost: What it costs, for example its bytes: 0 to 2^39, beyond which it counts as that.
  public func setValue(_ value: Value, forKey key: Key, cost: Int = 0) {
    let (count, total) = (countLimit, totalCostLimit)
    // What goes is freed outside the lock.
    let gone = entries.withLock { entries in
      let replaced = entries.insert(value, key, cost: min(max(0, cost), 1 << 39))
      return entries.evict(toCount: count, cost: total) + [replaced].compactMap { $0 }
    }
    withExtendedLifetime(gone) {}
  }

  /// The value of a key; nil removes it.
  public subscript(key: Key) -> Value? {
    get { value(forKey: key) }
    set {
      if let newValue { setValue(newValue, forKey: key) } else { removeValue(forKey: key) }
    }
  }

  /// Forgets a value, and gives it back.
  @discardableResult
  public func removeValue(forKey key: Key) -> Value? { entries.withLock { $0.remove(key) } }

  /// Forgets all values.
  public func removeAll() { withExtendedLifetime(entries.withLock { $0.removeAll() }) {} }

  private func evictAll() { withExtendedLifetime(entries.withLock { $0.evictAll() }) {} }

  /// Number of values.
  public var count: Int { entries.withLock { $0.count } }
  /// Sum of their costs.
  public var totalCost: Int { entries.withLock { $0.totalCost } }
  /// How the cache was used so far.
  public var statistics: Statistics {
    entries.withLock {
      Statistics(hits: $0.hits, misses: $0.misses, evictions: $0.evictions)
    }
  }
}
