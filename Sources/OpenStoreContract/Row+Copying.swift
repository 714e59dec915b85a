extension Row {
  /// The position of the row's actual entity, and the row's primary key.
  package var objectKey: ObjectKey { ObjectKey(entityIndex: entityIndex, key: key) }

  /// Returns a copy of the row in a separate chunk. Retaining the copy does not retain other rows.
  package func copied() -> Row {
    let chunk = RowChunk(copying: [self])
    return Row(chunk: chunk, base: UnsafeRawPointer(chunk.base))
  }
}

extension RowChunk {
  /// The size in bytes at which a fetch begins another chunk.
  private static let preferredByteCount = 64 << 10

  /// Creates a chunk with copies of rows, in the same order.
  package convenience init(copying rows: some Collection<Row>) {
    self.init(capacity: rows.reduce(0) { $0 + $1.byteCount })
    for row in rows {
      (base + used).copyMemory(from: row.base, byteCount: row.byteCount)
      fill(used: used + row.byteCount, rowCount: rowCount + 1)
    }
  }

  /// Returns copies of rows in chunks of about 64 kilobytes, each linked to the next; an empty
  /// array if there are no rows.
  package static func chunks(copying rows: [Row]) -> [RowChunk] {
    var chunks: [RowChunk] = []
    var start = 0
    var byteCount = 0
    for (index, row) in rows.enumerated() {
      byteCount += row.byteCount
      guard byteCount >= preferredByteCount || index == rows.count - 1 else { continue }
      let chunk = RowChunk(copying: rows[start...index])
      chunks.last?.next = chunk
      chunks.append(chunk)
      (start, byteCount) = (index + 1, 0)
    }
    return chunks
  }
}
