public import Foundation

/// A backup of a store: a folder that contains one complete copy of the store.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct StoreBackup: Sendable, Hashable {
  /// The folder of the backup. The folder's name contains the time of the backup and the version of
  /// the model.
  public let url: URL
  /// The URL of the copy of the store's file in the backup's folder. Open this file as read-only.
  public let storeURL: URL
  /// The date and time of the backup, without fractions of a second.
  public let date: Date
  /// The first eight letters and digits of the version checksum of the store's model.
  public let versionPrefix: String
  /// A number, starting with 1, that distinguishes backups made in the same second.
  let number: Int

  /// Creates a backup from the name of a folder; nil if the folder is not a complete backup.
  init?(at url: URL, ofStoreNamed store: String) {
    let name = url.lastPathComponent
    guard name.hasPrefix(store + "-") else { return nil }
    let parts = name.dropFirst(store.count + 1).split(separator: "-").map(String.init)
    guard parts.count == 2 || parts.count == 3, let date = BackupDate.date(parts[0]),
      let number = parts.count == 3 ? Int(parts[2]) : 1
    else { return nil }
    self.url = url
    storeURL = url.appendingPathComponent(store)
    self.date = date
    versionPrefix = parts[1]
    self.number = number
    guard FileManager.default.fileExists(atPath: storeURL.path) else { return nil }
  }

  /// Returns the name of a backup's folder.
  static func name(
    ofStoreNamed store: String, date: Date, versionPrefix: String, number: Int
  ) -> String {
    let name = "\(store)-\(BackupDate.text(date))-\(versionPrefix)"
    return number == 1 ? name : "\(name)-\(number)"
  }

  static func isOlder(_ one: StoreBackup, _ other: StoreBackup) -> Bool {
    (one.date, one.number) < (other.date, other.number)
  }
}

/// Converts dates to and from the form in the names of backups: `20261124T213005Z`, in UTC.
enum BackupDate {
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    return calendar
  }()

  static func text(_ date: Date) -> String {
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = String(max(number ?? 0, 0))
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    return digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2) + "T"
      + digits(parts.hour, 2) + digits(parts.minute, 2) + digits(parts.second, 2) + "Z"
  }

  static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return nil
    }
    let digits = bytes[0..<8] + bytes[9..<15]
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    func number(_ range: Range<Int>) -> Int {
      bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    let parts = DateComponents(
      year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(9..<11),
      minute: number(11..<13), second: number(13..<15))
    guard let date = calendar.date(from: parts), self.text(date) == text else { return nil }
    return date
  }
}
