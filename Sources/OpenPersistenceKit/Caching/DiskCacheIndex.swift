/// Which files a disk cache has, in the order of their last use, so that a write need not look at all of them.
///
/// Other processes may write to the folder too: the index is read again from time to time.
struct DiskCacheIndex {
  private var entries: RecentEntries<String, String>?
  private var writesUntilReading = 0
  /// How often the folder was read.
  private(set) var readings = 0
  /// Fewest writes between two readings of the folder.
  private static let shortestPeriod = 256

  /// Notes a new file and deletes the files used longest ago until the limit holds.
  mutating func note(_ name: String, size: Int, in folder: DiskCacheFolder, limit: Int) {
    if entries == nil || writesUntilReading <= 0 { read(folder) }
    writesUntilReading -= 1
    _ = entries?.insert(name, name, cost: size)
    for name in entries?.evict(toCount: 0, cost: limit) ?? [] { folder.remove(name) }
  }

  /// Notes that a value was used.
  mutating func use(_ name: String) { _ = entries?.use(name) }

  /// Forgets a file that is gone.
  mutating func remove(_ name: String) { _ = entries?.remove(name) }

  /// Forgets all files; the next write reads the folder.
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
