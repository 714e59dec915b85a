internal import Foundation
internal import OpenSQLiteStore

/// The size of a store on disk.
enum StoreSize {
  /// Returns the size in bytes of a store's file, write-ahead log and external values.
  static func onDisk(_ file: URL) -> Int64 {
    let parts = ["", "-wal"].map { bytes(at: file.path + $0) }
    return parts.reduce(0, +) + externalBytes(of: file)
  }

  /// Returns the size in bytes of the values that are stored in separate files.
  static func externalBytes(of file: URL) -> Int64 {
    let folder = StoreFiles(resolving: file).supportFolder
    guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return 0 }
    var total: Int64 = 0
    for case let path as String in walk {
      total += bytes(at: folder.appendingPathComponent(path).path)
    }
    return total
  }

  /// Returns the size of a file in bytes, or 0 for a folder or a missing file.
  static func bytes(at path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)  // often missing
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return 0 }
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  private static let units = ["KB", "MB", "GB", "TB"]

  /// Returns a size for users, in powers of 1000: `845 bytes`, `12 KB`, `2.4 MB`, `1.25 GB`.
  static func text(of bytes: Int64) -> String {
    if abs(bytes) < 1000 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var number = Double(bytes)
    var unit = -1
    // Selects the smallest unit in which the rounded number has at most three digits before the
    // decimal point.
    while unit < 0 || (rounded(number, unit) >= 1000 && unit < units.count - 1) {
      number /= 1000
      unit += 1
    }
    let digits = min(unit, 2)
    let text = String(format: "%.\(digits)f", number)
    return "\(text) \(units[unit])"
  }

  private static func rounded(_ number: Double, _ unit: Int) -> Double {
    let scale = [1.0, 10.0, 100.0][min(unit, 2)]
    return (number * scale).rounded() / scale
  }
}
