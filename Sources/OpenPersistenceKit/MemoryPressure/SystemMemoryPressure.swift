public import Foundation
internal import Synchronization

/// A source of memory pressure events that reports the memory pressure of the system.
///
/// The kernel notifies the source when programs wait for memory (`/proc/pressure/memory`). Many
/// containers do not allow these notifications. The source therefore also checks the memory
/// pressure at intervals, by default every five seconds. A check reads the kernel's averages, if
/// the averages are available. A check also compares memory use with the limit, for the program's
/// control group and for each group that contains this group.
///
/// A check determines two levels, of which the higher level counts:
///
/// - If one or more programs waited during at least 10 percent of the last 10 seconds, the level is
///   a warning. If all programs waited that long, the level is critical.
/// - If a group uses at least 90 percent of its limit, the level is a warning. From 95 percent, the
///   level is critical.
///
/// A notification of the kernel counts as a warning even if a check finds no pressure.
///
/// The source calls each handler once for each shortage, and again when a shortage becomes
/// critical. A shortage ends after twelve intervals without pressure (one minute by default).
///
/// > Concurrency: A class that threads may share. The source calls handlers on its own thread.
public final class SystemMemoryPressure: MemoryPressureSource {
  /// The source that caches use by default.
  public static let shared = SystemMemoryPressure()

  private let handlers = PressureHandlers()
  private let files: PressureFiles
  private let interval: TimeInterval
  private let thread = Mutex<PressureThread?>(nil)

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - pressureFile: The file with the kernel's pressure stall information.
  ///   - groupFile: The file with the path of the program's control group.
  ///   - groupFolder: The folder with the control groups' files. If the folder does not contain the
  ///     program's group, as in many containers, the source reads only the files in the folder
  ///     itself.
  ///   - interval: The time between two checks, in seconds. The value is limited to the range from
  ///     0.1 to 86,400. NaN is treated as 5.
  public init(
    pressureFile: URL = URL(fileURLWithPath: "/proc/pressure/memory"),
    groupFile: URL = URL(fileURLWithPath: "/proc/self/cgroup"),
    groupFolder: URL = URL(fileURLWithPath: "/sys/fs/cgroup"), interval: TimeInterval = 5
  ) {
    files = PressureFiles(
      pressureFile: pressureFile, groupFile: groupFile, groupFolder: groupFolder)
    self.interval = interval.isNaN ? 5 : min(max(0.1, interval), 86_400)
  }

  deinit { thread.withLock { $0 }?.stop() }

  /// Adds a handler.
  ///
  /// The first call starts the source's thread.
  ///
  /// - Parameter handler: A closure that receives the level of pressure, on the source's thread.
  /// - Returns: The observation, which ends when it is deallocated. Retain the observation for as
  ///   long as the source should call the handler.
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

  /// The current level of memory pressure. Each access to this property reads the files of the
  /// kernel.
  public var current: MemoryPressure { files.pressure }
}

/// The files that contain the memory pressure.
struct PressureFiles: Sendable {
  var pressureFile: URL
  var groupFile: URL
  var groupFolder: URL

  /// The highest level of pressure that the kernel's averages and the limits of the control groups
  /// indicate.
  var pressure: MemoryPressure {
    // Missing in kernels without stall information.
    let text = try? String(contentsOf: pressureFile, encoding: .utf8)
    let stall = text.flatMap(PressureStall.init)?.pressure ?? .normal
    return groupFolders.compactMap { GroupMemory(folder: $0)?.pressure }.reduce(stall, max)
  }

  /// The folders of the program's control group (version 2) and of the groups that contain this
  /// group. The limits of all these groups apply to the program.
  private var groupFolders: [URL] {
    // The file is missing on other systems.
    let text = (try? String(contentsOf: groupFile, encoding: .utf8)) ?? ""
    let path = text.split(separator: "\n").first { $0.hasPrefix("0::/") }?.dropFirst(4) ?? ""
    return path.split(separator: "/").reduce(into: [groupFolder]) { folders, name in
      folders.append(folders[folders.count - 1].appendingPathComponent(String(name)))
    }
  }
}
