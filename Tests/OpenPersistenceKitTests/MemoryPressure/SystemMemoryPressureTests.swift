import Dispatch
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Memory pressure")
struct SystemMemoryPressureTests {
  private static func source(_ files: [String: String]) throws -> (SystemMemoryPressure, Folder) {
    let folder = try Folder()
    for (name, text) in files {
      let url = folder.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let source = SystemMemoryPressure(
      pressureFile: folder.url.appendingPathComponent("pressure"),
      groupFile: folder.url.appendingPathComponent("cgroup"), groupFolder: folder.url,
      interval: 0.1)
    return (source, folder)
  }

  @Test(
    "the kernel's stall information determines the memory pressure",
    arguments: [
      (stall("0.00", "0.00"), .normal), (stall("12.50", "3.00"), .warning),
      (stall("40.00", "10.00"), .critical), ("", .normal), ("some avg10=", .normal),
      ("some avg10=nan", .normal), ("full avg10=99", .normal), ("\u{0}\u{FFFD}", .normal),
    ] as [(String, MemoryPressure)])
  func stalls(_ sample: (text: String, pressure: MemoryPressure)) throws {
    let (source, folder) = try Self.source(["pressure": sample.text])
    #expect(source.current == sample.pressure)
    withExtendedLifetime(folder) {}
  }

  /// The files of a control group.
  struct Group: Sendable {
    var files: [String: String]
    var pressure: MemoryPressure
  }

  static let groups = [
    Group(files: ["memory.current": "500", "memory.max": "1000\n"], pressure: .normal),
    Group(files: ["memory.current": "910\n", "memory.max": "1000\n"], pressure: .warning),
    Group(
      files: [
        "memory.current": "990", "memory.max": "1000", "memory.stat": "anon 5\ninactive_file 300\n",
      ], pressure: .normal),
    Group(files: ["memory.current": "960", "memory.max": "1000"], pressure: .critical),
    Group(files: ["memory.current": "960", "memory.max": "max\n"], pressure: .normal),
    Group(files: ["memory.current": "960", "memory.max": "0"], pressure: .normal),
    Group(files: ["memory.current": "many", "memory.max": "1000"], pressure: .normal),
    Group(files: ["memory.current": "99999999999999999999", "memory.max": "1"], pressure: .normal),
    Group(
      files: [
        "memory/memory.usage_in_bytes": "990", "memory/memory.limit_in_bytes": "1000",
        "memory/memory.stat": "total_inactive_file 20\n",
      ], pressure: .critical),
    Group(
      files: [
        "memory/memory.usage_in_bytes": "990",
        "memory/memory.limit_in_bytes": "9223372036854771712",
      ], pressure: .normal),
  ]

  static let nestedGroups = [
    Group(files: ["cgroup": "0::/app.slice/app"], pressure: .warning),
    Group(files: ["cgroup": "4:memory:/\n0::/app.slice/app\n"], pressure: .warning),
    Group(files: ["cgroup": "0::/app.slice/other\n"], pressure: .normal),
    Group(files: ["cgroup": "0::/\n"], pressure: .normal),
    Group(files: ["cgroup": "4:memory:/app.slice/app\n"], pressure: .normal),
    Group(
      files: ["cgroup": "0::/app.slice/app\n", "app.slice/memory.max": "500"],
      pressure: .critical),
  ]

  @Test(
    "the limits of the program's own control group and of the groups around it count",
    arguments: nestedGroups)
  func nestedLimits(_ group: Group) throws {
    let files = [
      "memory.current": "600", "memory.max": "1000",
      "app.slice/memory.current": "500", "app.slice/memory.max": "max",
      "app.slice/app/memory.current": "92", "app.slice/app/memory.max": "100",
    ]
    let (source, folder) = try Self.source(files.merging(group.files) { $1 })
    #expect(source.current == group.pressure)
    withExtendedLifetime(folder) {}
  }

  @Test("without it the limit of the control group counts", arguments: groups)
  func groupLimits(_ group: Group) throws {
    let (source, folder) = try Self.source(group.files)
    #expect(source.current == group.pressure)
    withExtendedLifetime(folder) {}
  }

  @Test("if the kernel does not wake the source, it checks by itself and notifies its handlers")
  func watching() throws {
    let (source, folder) = try Self.source(["pressure": stall("50.00", "20.00")])
    let reports = Reports()
    let observation = source.observe { reports.add($0) }
    #expect(reports.waitForNext())
    #expect(reports.all.first == "critical")
    let text = try String(
      contentsOf: folder.url.appendingPathComponent("pressure"), encoding: .utf8)
    #expect(
      text == stall("50.00", "20.00"), "nothing is written to a file that is not the kernel's")
    withExtendedLifetime((folder, observation)) {}
  }

  @Test("a shortage is reported once, and again when it gets worse or after a calm time")
  func shortages() {
    var shortages = PressureShortages(calm: 60)
    func told(_ pressure: MemoryPressure, _ instant: Double) -> MemoryPressure? {
      shortages.told(of: pressure, at: instant)
    }
    #expect(told(.normal, 1000) == nil)
    #expect(told(.warning, 1005) == .warning)
    for instant in stride(from: 1010.0, to: 9000, by: 5) { #expect(told(.warning, instant) == nil) }
    #expect(told(.critical, 9000) == .critical)
    #expect(told(.warning, 9005) == nil)
    #expect(told(.critical, 9010) == nil)
    #expect(told(.normal, 9015) == nil)
    #expect(told(.warning, 9040) == nil, "it goes up and down")
    #expect(told(.normal, 9090) == nil)
    #expect(told(.warning, 9100) == .warning)
  }

  @Test("constant pressure notifies its handlers once, and once more when it becomes critical")
  func constantPressure() throws {
    let (source, folder) = try Self.source(["pressure": stall("50.00", "0.00")])
    let reports = Reports()
    let observation = source.observe { reports.add($0) }
    #expect(reports.waitForNext())
    let file = folder.url.appendingPathComponent("pressure")
    try Data(stall("50.00", "20.00").utf8).write(to: file, options: .atomic)
    #expect(reports.waitForNext())
    #expect(reports.all == ["warning", "critical"])
    withExtendedLifetime(observation) {}
  }

  @Test("an interval that is no time does no harm", arguments: [Double.nan, .infinity, -1])
  func oddIntervals(_ interval: Double) throws {
    let folder = try Folder()
    let source = SystemMemoryPressure(
      pressureFile: folder.url.appendingPathComponent("none"), groupFolder: folder.url,
      interval: interval)
    let observation = source.observe { _ in }
    #expect(source.current == .normal)
    withExtendedLifetime(observation) {}
  }

  @Test("handlers are notified as long as their observation lives")
  func observations() {
    let source = ManualMemoryPressure()
    let journal = Journal()
    let first = source.observe { journal.add("first \($0)") }
    var second: MemoryPressureObservation? = source.observe { journal.add("second \($0)") }
    source.send(.warning)
    withExtendedLifetime(second) {}
    second = nil
    source.send(.critical)
    #expect(journal.all == ["first warning", "second warning", "first critical"])
    withExtendedLifetime(first) {}
  }
}

/// Collects what a source reports. The source calls its handlers on its own thread.
private final class Reports: Sendable {
  private let journal = Journal()
  private let arrived = DispatchSemaphore(value: 0)

  var all: [String] { journal.all }

  func add(_ pressure: MemoryPressure) {
    journal.add("\(pressure)")
    arrived.signal()
  }

  /// Waits for a report that no earlier call waited for.
  func waitForNext() -> Bool { arrived.wait(timeout: .now() + 120) == .success }
}

/// The kernel's file with two averages.
private func stall(_ some: String, _ full: String) -> String {
  """
  some avg10=\(some) avg60=0.00 avg300=0.00 total=22616235
  full avg10=\(full) avg60=0.00 avg300=0.00 total=20045188

  """
}
