/// An index of a disk cache's files in the order of their last use, so that a write does not have
/// to examine all files.
///
/// Other processes may also write to the folder, so the index reads the folder again at intervals.
struct DiskCacheIndex {
  private var entries: RecentEntries<String, String>?
  private var writesUntilReading = 0
  /// The number of times that the folder was read.
  private(set) var readings = 0
  /// The minimum number of writes between two readings of the folder.
  private static let shortestPeriod = 256

  /// Adds a new file and deletes the least recently used files until the limit is met.
  mutating func note(_ name: String, size: Int, in folder: DiskCacheFolder, limit: Int) {
    if entries == nil || writesUntilReading <= 0 { read(folder) }
    writesUntilReading -= 1
    _ = entries?.insert(name, name, cost: size)
    for name in entries?.evict(toCount: 0, cost: limit) ?? [] { folder.remove(name) }
  }

  /// Records that the value in a file was used.
  mutating func use(_ name: String) { _ = entries?.use(name) }

  /// Removes a deleted file from the index.
  mutating func remove(_ name: String) { _ = entries?.remove(name) }

  /// Empties the index. The next write reads the folder.
  mutating func removeAll() { entries = nil }

  private mutating func read(_ folder: DiskCacheFolder) {
    let files = folder.files().sorted { ($0.used, $0.name) < ($1.used, $1.name) }
    var read = RecentEntries<String, String>()
    for file in files { _ = read.insert(file.name, file.name, cost: file.size) }
    entries = read
    writesUntilReading = max(Self.shortestPeriod, files.count)
    readings += 1
  }
}
