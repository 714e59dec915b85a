internal import Foundation

/// What `/proc/pressure/memory` says: the share of time in which programs wait for memory.
///
/// ```
/// some avg10=0.00 avg60=0.00 avg300=0.00 total=22616235
/// full avg10=0.00 avg60=0.00 avg300=0.00 total=20045188
/// ```
struct PressureStall: Equatable {
  /// Percentage of the last ten seconds in which some program waited.
  var some: Double
  /// Percentage of the last ten seconds in which all programs waited.
  var full: Double

  /// Reads the file's text; nil when it is something else.
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

  /// What it means: waiting for a tenth of the time is a warning, all waiting as long is critical.
  var pressure: MemoryPressure {
    if full >= 10 { return .critical }
    return some >= 10 ? .warning : .normal
  }
}

/// How much of its limit a control group uses.
struct GroupMemory: Equatable {
  /// Bytes in use, what the kernel can drop at once left out.
  var used: Int64
  /// The maximum number of bytes; nil without limit.
  var limit: Int64?

  /// Reads the files of the group that this process sees, of either version.
  ///
  /// - Parameter folder: Usually `/sys/fs/cgroup`.
  /// - Returns: nil where there are no such files.
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

  /// What it means: nine tenths of the limit are a warning, nineteen twentieths critical.
  var pressure: MemoryPressure {
    guard let limit, limit > 0 else { return .normal }
    let share = Double(used) / Double(limit)
    if share >= 0.95 { return .critical }
    return share >= 0.9 ? .warning : .normal
  }
}
