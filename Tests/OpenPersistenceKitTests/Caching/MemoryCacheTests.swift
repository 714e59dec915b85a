import Foundation
import OpenPersistenceKit
import Testing

@Suite("Memory cache")
struct MemoryCacheTests {
  @Test("if there are too many values, the least recently used one is evicted")
  func countLimit() {
    let cache = MemoryCache<String, Int>(countLimit: 3, pressure: nil)
    for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { cache[key] = value }
    #expect(cache["a"] == 1)
    cache["d"] = 4
    #expect(cache["b"] == nil)
    #expect(cache["a"] == 1 && cache["c"] == 3 && cache["d"] == 4)
    #expect(cache.count == 3)
    let statistics = cache.statistics
    #expect(statistics.hits == 4 && statistics.misses == 1 && statistics.evictions == 1)
  }

  @Test(
    "the total cost never exceeds the limit; a value that costs more than the limit is not kept")
  func costLimit() {
    let cache = MemoryCache<String, String>(totalCostLimit: 100, pressure: nil)
    cache.setValue("A", forKey: "a", cost: 60)
    cache.setValue("B", forKey: "b", cost: 40)
    #expect(cache.totalCost == 100)
    cache.setValue("A2", forKey: "a", cost: 61)
    #expect(cache.value(forKey: "b") == nil)
    #expect(cache.value(forKey: "a") == "A2")
    cache.setValue("large", forKey: "c", cost: 101)
    #expect(cache.value(forKey: "c") == nil)
    #expect(cache.value(forKey: "a") == "A2")
    cache.setValue("endless", forKey: "d", cost: .max)
    cache.setValue("odd", forKey: "e", cost: .min)
    #expect(cache.totalCost == 61)
    #expect(cache.count == 2)
  }

  @Test("values are removed one by one and all at once")
  func removal() {
    let cache = MemoryCache<Int, Int>(pressure: nil)
    for number in 0..<10 { cache.setValue(number, forKey: number, cost: 1) }
    #expect(cache.removeValue(forKey: 3) == 3)
    #expect(cache.removeValue(forKey: 3) == nil)
    cache[4] = nil
    #expect(cache.count == 8 && cache.totalCost == 8)
    cache.removeAll()
    #expect(cache.count == 0 && cache.totalCost == 0)
    cache[1] = 1
    #expect(cache[1] == 1)
  }

  @Test("the cache behaves as the plainest one does", arguments: [1, 2, 3] as [UInt64])
  func differential(_ seed: UInt64) {
    var random = Seeded(state: seed)
    let cache = MemoryCache<Int, Int>(countLimit: 8, totalCostLimit: 40, pressure: nil)
    var plain: [(key: Int, value: Int, cost: Int)] = []
    for step in 0..<3000 {
      let key = Int.random(in: 0..<20, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let cost = Int.random(in: 0..<12, using: &random)
        cache.setValue(step, forKey: key, cost: cost)
        plain.removeAll { $0.key == key }
        plain.append((key, step, cost))
        while plain.count > 8 || plain.reduce(0, { $0 + $1.cost }) > 40 { plain.removeFirst() }
      case 2:
        let place = plain.firstIndex { $0.key == key }
        #expect(cache.value(forKey: key) == place.map { plain[$0].value }, "seed \(seed), \(step)")
        if let place { plain.append(plain.remove(at: place)) }
      default:
        #expect((cache.removeValue(forKey: key) != nil) == plain.contains { $0.key == key })
        plain.removeAll { $0.key == key }
      }
      #expect(cache.count == plain.count, "seed \(seed), \(step)")
    }
  }

  @Test("memory pressure empties the cache, and a released cache is deallocated")
  func pressure() {
    let source = ManualMemoryPressure()
    var cache: MemoryCache<Int, Tracked>? = MemoryCache(pressure: source)
    weak var kept: Tracked?
    do {
      let value = Tracked()
      kept = value
      cache?[1] = value
    }
    source.send(.normal)
    #expect(cache?.count == 1)
    source.send(.warning)
    #expect(cache?.count == 0)
    #expect(kept == nil)
    #expect(cache?.statistics.evictions == 1)
    weak let dropped = cache
    cache = nil
    #expect(dropped == nil)
    source.send(.critical)
  }

  @Test("many tasks at once")
  func concurrency() async {
    let cache = MemoryCache<Int, Int>(countLimit: 50, pressure: nil)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<500 {
            cache[(task * 31 + step) % 100] = step
            _ = cache[step % 100]
          }
        }
      }
    }
    #expect(cache.count == 50)
  }

  final class Tracked: Sendable {}
}

/// Random numbers determined by a seed.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
