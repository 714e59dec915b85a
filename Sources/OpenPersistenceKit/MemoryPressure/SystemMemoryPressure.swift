public import Foundation
internal import Synchronization

/// Memory pressure reported by the kernel.
///
/// The kernel wakes one thread when programs wait for memory (`/proc/pressure/memory`). If it denies this, as in many
/// containers, its averages are read every few seconds, or, if they are not available, the use of the control group's
/// limit.
///
/// Handlers are called once for each shortage, and again when it becomes critical. A shortage ends after twelve
/// intervals without pressure, a minute by default.
///
/// > Concurrency: Shared. Handlers are called on the source's own thread.
public final class SystemMemoryPressure: MemoryPressureSource {
  /// The source that caches use unless they are given another.
  public static let shared = SystemMemoryPressure()

  private let handlers = PressureHandlers()
  private let files: PressureFiles
  private let interval: TimeInterval
  private let thread = Mutex<PressureThread?>(nil)

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - pressureFile: The kernel's stall information.
  ///   - groupFolder: Where the control group's files are.
  ///   - interval: Seconds between two checks if the kernel does not notify the source, 0.1 to 86,400.
  public init(
    pressureFile: URL = URL(fileURLWithPath: "/proc/pressure/memory"),
    groupFolder: URL = URL(fileURLWithPath: "/sys/fs/cgroup"), interval: TimeInterval = 5
  ) {
    files = PressureFiles(pressureFile: pressureFile, groupFolder: groupFolder)
    self.interval = interval.isNaN ? 5 : min(max(0.1, interval), 86_400)
  }

  deinit { thread.withLock { $0 }?.stop() }

  /// Adds a handler; the first one starts the source's thread.
  ///
  /// - Parameter handler: Called on the source's thread.
  /// - Returns: The observation; retain it as long as the handler should be called.
  public func observe(
    _ handler: @escaping @Sendable (MemoryPressure) -> Void
  ) -> MemoryPressureObservation {
    let observation = handlers.add(handler)
    thread.withLock { thread in
      guard thread == nil else { return }
      let handlers = handlers
      thread = PressureThread(files, interval: interval) { handlers.tell($0) }
      thread?.start()
    }
    return observation
  }

  /// The pressure now.
  public var current: MemoryPressure { files.pressure }
}

/// Where pressure is read.
struct PressureFiles: Sendable {
  var pressureFile: URL
  var groupFolder: URL

  /// The greater of what the kernel's averages and the control group's limit say.
  var pressure: MemoryPressure {
    // Missing in kernels without stall information.
    let text = try? String(contentsOf: pressureFile, encoding: .utf8)
    let stall = text.flatMap(PressureStall.init)?.pressure ?? .normal
    return max(stall, GroupMemory(folder: groupFolder)?.pressure ?? .normal)
  }
}
