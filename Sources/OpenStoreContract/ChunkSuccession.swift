internal import COpenRuntime
internal import Synchronization

/// The link from a chunk to the one after it, which does not keep that one alive.
// Invariant of the unchecked conformance: `address` is used only while `lock` is held.
final class ChunkSuccession: @unchecked Sendable {
  private var address: UnsafeMutableRawPointer?
  private let lock = Mutex(())

  init(_ chunk: RowChunk) { address = Unmanaged.passUnretained(chunk).toOpaque() }

  /// The chunk, unless it is gone or going.
  var chunk: RowChunk? {
    var chunk: RowChunk?
    lock.withLock { _ in
      guard let address, let retained = ocd_try_retain(address) else { return }
      chunk = Unmanaged<RowChunk>.fromOpaque(retained).takeRetainedValue()
    }
    return chunk
  }

  /// Called by the chunk when it goes away.
  func end() { lock.withLock { _ in address = nil } }
}
