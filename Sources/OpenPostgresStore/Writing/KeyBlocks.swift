import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract
import Synchronization

/// Blocks of keys that the process has reserved, so that most saves need no keys from the server.
final class KeyBlocks: Sendable {
  private struct Block {
    var next: Int64 = 0
    var count: Int64 = 0
    /// The number of keys to reserve next.
    var size: Int64 = 32
  }

  private let blocks = Mutex<[Int: Block]>([:])
  private static let greatestSize: Int64 = 4096

  /// Returns the first keys of contiguous ranges of unused keys, by root entity.
  ///
  /// - Parameters:
  ///   - counts: The number of keys by root entity.
  ///   - reserve: A closure that reserves a number of keys of a root entity on the server and
  ///     returns the first key.
  func take(
    _ counts: [Int: Int], _ reserve: (Int, Int64) throws(StoreError) -> Int64
  ) throws(StoreError) -> [Int: Int64] {
    var firstKeys: [Int: Int64] = [:]
    for (root, count) in counts.sorted(by: { $0.key < $1.key }) {
      firstKeys[root] = try take(Int64(max(0, count)), of: root, reserve)
    }
    return firstKeys
  }

  private func take(
    _ count: Int64, of root: Int, _ reserve: (Int, Int64) throws(StoreError) -> Int64
  ) throws(StoreError) -> Int64 {
    if let first = taken(count, of: root) { return first }
    let size = blocks.withLock { max($0[root]?.size ?? 32, count) }
    let first = try reserve(root, size)
    blocks.withLock { blocks in
      let next = min(max(blocks[root]?.size ?? 32, 32) * 2, Self.greatestSize)
      // The rest of another thread's block is discarded, because gaps between keys are allowed.
      blocks[root] = Block(next: first + count, count: size - count, size: next)
    }
    return first
  }

  private func taken(_ count: Int64, of root: Int) -> Int64? {
    blocks.withLock { blocks in
      guard var block = blocks[root], block.count >= count else { return nil }
      let first = block.next
      block.next += count
      block.count -= count
      blocks[root] = block
      return first
    }
  }
}

extension PostgresStore {
  public func reserveKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64] {
    try refuseReadOnly()
    return try keys.take(counts) { (root, count) throws(StoreError) in
      // Keys that a lost connection has reserved remain unused.
      try pool.repeatingLease { (connection) throws(StoreError) in
        try reserve(root, count, on: connection)
      }
    }
  }

  /// Reserves keys in a transaction of one statement and returns the first key.
  private func reserve(
    _ root: Int, _ count: Int64, on connection: PostgresConnection
  ) throws(StoreError) -> Int64 {
    let result = try write(
      PostgresCommand(
        WriteLowering(dialect: dialect).text(of: .reserveKeys),
        [.integer(count), .integer(schema.numbers.number(of: root))]), on: connection)
    return try NumberRow.firstKey(
      of: count, upTo: result.rowCount == 1 ? result.integer(0, 0) : nil,
      root: model.entities[root], path: connection.place)
  }
}

extension PostgresStore: StoreNumbering {
  package func lastKeys() throws(StoreError) -> [Int: Int64] {
    try pool.lease { (connection) throws(StoreError) in
      NumberRow.lastKeys(in: try NumberRow.read(in: session(on: connection)), of: schema)
    }
  }

  package func lastTransaction() throws(StoreError) -> Int64? {
    let last = try PostgresHistory(store: self).bounds().last
    if last > 0 { return last }
    // The tables exist in every store, so only the record says whether the history is in use.
    let isTracked = try pool.lease { (connection) throws(StoreError) -> Bool in
      try connection.run(dialect.command(OwnStatement.readState)).integer(0, 0) == 1
    }
    return isTracked ? last : nil
  }
}
