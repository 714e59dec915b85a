internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The packed rows of a batch insertion that are not yet in the store, in memory and, above a
/// limit, in a temporary file.
///
/// A batch insertion runs the application's handler for all rows before the store is locked for
/// writing. The spool keeps the rows in order, in a bounded amount of memory. The file has no name,
/// so it disappears when the process ends.
///
/// > Concurrency: Confined to one request.
final class RowSpool {
  /// The largest size of the rows in memory, in bytes.
  private let memoryLimit: Int
  private var inMemory: [RowChunk] = []
  private var byteCount = 0
  private var file: FileHandle?
  private var isReading = false

  init(memoryLimit: Int = 4 << 20) { self.memoryLimit = memoryLimit }

  /// Adds chunks of rows. The chunks must not change afterward.
  ///
  /// - Throws: `CocoaError` if the temporary file cannot be written.
  func append(_ chunks: [RowChunk]) throws {
    for chunk in chunks where chunk.rowCount > 0 {
      byteCount += chunk.used
      if file == nil, byteCount <= memoryLimit {
        inMemory.append(chunk)
      } else {
        try write(chunk)
      }
    }
  }

  /// Returns the rows of the next chunk; an empty array after the last chunk.
  ///
  /// - Throws: `StoreError` with code `.inputOutput` if the temporary file cannot be read.
  func next() throws(StoreError) -> [Row] {
    if !isReading {
      isReading = true
      inMemory.reverse()
      do { try file?.seek(toOffset: 0) } catch { throw Self.unreadable(error) }
    }
    var chunk = inMemory.popLast()
    if chunk == nil { chunk = try readChunk() }
    guard let chunk else { return [] }
    var rows: [Row] = []
    rows.reserveCapacity(chunk.rowCount)
    chunk.forEachRow { rows.append($0) }
    return rows
  }

  // MARK: The file

  /// The header before the bytes of each chunk in the file.
  private struct Header: BitwiseCopyable {
    var used: Int
    var rowCount: Int
  }

  private func write(_ chunk: RowChunk) throws {
    let file = try self.file ?? makeFile()
    self.file = file
    var bytes = Data(capacity: chunk.used + MemoryLayout<Header>.size)
    let header = Header(used: chunk.used, rowCount: chunk.rowCount)
    withUnsafeBytes(of: header) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: chunk.base, count: chunk.used))
    try file.write(contentsOf: bytes)
  }

  private func makeFile() throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("OpenCoreData-\(UUID().uuidString)")
    try Data().write(to: url, options: .withoutOverwriting)
    defer { try? FileManager.default.removeItem(at: url) }  // The handle keeps the file.
    return try FileHandle(forUpdating: url)
  }

  private func readChunk() throws(StoreError) -> RowChunk? {
    guard let file else { return nil }
    do {
      guard let bytes = try file.read(upToCount: MemoryLayout<Header>.size), !bytes.isEmpty else {
        return nil
      }
      guard bytes.count == MemoryLayout<Header>.size else { throw CocoaError(.fileReadCorruptFile) }
      let header = bytes.withUnsafeBytes { $0.loadUnaligned(as: Header.self) }
      guard let rows = try file.read(upToCount: header.used), rows.count == header.used else {
        throw CocoaError(.fileReadCorruptFile)
      }
      let chunk = RowChunk(capacity: header.used)
      rows.withUnsafeBytes { source in
        if let start = source.baseAddress {
          chunk.base.copyMemory(from: start, byteCount: header.used)
        }
      }
      chunk.fill(used: header.used, rowCount: header.rowCount)
      return chunk
    } catch {
      throw Self.unreadable(error)
    }
  }

  private static func unreadable(_ error: any Error) -> StoreError {
    StoreError(
      .inputOutput, "The rows of the batch insert request cannot be read from a temporary file.",
      underlying: error)
  }
}
