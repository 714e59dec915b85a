internal import Foundation

/// The content of `/proc/pressure/memory`: the share of time during which programs wait for memory.
///
/// ```
/// some avg10=0.00 avg60=0.00 avg300=0.00 total=22616235
/// full avg10=0.00 avg60=0.00 avg300=0.00 total=20045188
/// ```
struct PressureStall: Equatable {
  /// The percentage of the last ten seconds in which at least one program waited.
  var some: Double
  /// The percentage of the last ten seconds in which all programs waited.
  var full: Double

  /// Reads the file's text; nil if the text has another format.
  init?(_ text: String) {
    var averages: [Substring: Double] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let kind = fields.first,
        let field = fields.first(where: { $0.hasPrefix("avg10=") }),
        let average = Double(field.dropFirst(6)), average.isFinite
      else { continue }
      averages[kind] = average
    }
    guard let some = averages["some"] else { return nil }
    self.some = some
    full = averages["full"] ?? 0
  }

  /// The level of pressure: a warning if at least one program waits for a tenth of the time,
  /// critical if all programs wait for a tenth of the time.
  var pressure: MemoryPressure {
    if full >= 10 { return .critical }
    return some >= 10 ? .warning : .normal
  }
}

/// The memory use and the memory limit of a control group.
struct GroupMemory: Equatable {
  /// The number of bytes in use, without memory that the kernel can reclaim immediately.
  var used: Int64
  /// The maximum number of bytes, or nil if there is no limit.
  var limit: Int64?

  /// Reads the memory use and the limit of a control group (version 1 or 2).
  ///
  /// The result is nil if the files do not exist.
  ///
  /// - Parameter folder: The folder of the files, such as `/sys/fs/cgroup`.
  init?(folder: URL) {
    if let memory = GroupMemory(
      folder, usage: "memory.current", limit: "memory.max", cache: "inactive_file")
    {
      self = memory
      return
    }
    self.init(
      folder.appendingPathComponent("memory"), usage: "memory.usage_in_bytes",
      limit: "memory.limit_in_bytes", cache: "total_inactive_file")
  }

  private init?(_ folder: URL, usage: String, limit: String, cache: String) {
    func text(_ name: String) -> String? {
      // Missing where the system has no such group.
      try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    func number(_ text: String?) -> Int64? {
      text.flatMap { Int64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    guard let bytes = number(text(usage)), bytes >= 0 else { return nil }
    let line = (text("memory.stat") ?? "").split(separator: "\n").first {
      $0.hasPrefix(cache + " ")
    }
    let reclaimable = number(line.map { String($0.dropFirst(cache.count + 1)) }) ?? 0
    used = max(0, bytes - max(0, min(bytes, reclaimable)))
    self.limit = number(text(limit))
  }

  /// The level of pressure: a warning from 90 percent of the limit, critical from 95 percent.
  var pressure: MemoryPressure {
    guard let limit, limit > 0 else { return .normal }
    let share = Double(used) / Double(limit)
    if share >= 0.95 { return .critical }
    return share >= 0.9 ? .warning : .normal
  }
}
