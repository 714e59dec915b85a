internal import Foundation
internal import Glibc
internal import Synchronization

/// The thread that waits for notifications of the kernel and reads the pressure at intervals.
///
/// Threads may share the object. The thread retains only this object while it waits, and ends
/// within one interval after `stop()`.
final class PressureThread: Sendable {
  private let files: PressureFiles
  private let interval: TimeInterval
  private let tell: @Sendable (MemoryPressure) -> Void
  private let isStopped = Atomic<Bool>(false)
  /// The trigger that is registered with the kernel: at least one program waited for 100 ms within
  /// two seconds. A window of two seconds requires no privilege.
  private static let trigger = "some 100000 2000000"
  /// The number of intervals without pressure after which a shortage is over.
  private static let calmIntervals = 12.0
  private static let kernelFolders = ["/proc/", "/sys/fs/cgroup/"]

  init(
    _ files: PressureFiles, interval: TimeInterval,
    tell: @escaping @Sendable (MemoryPressure) -> Void
  ) {
    self.files = files
    self.interval = interval
    self.tell = tell
  }

  func start() {
    let thread = Thread { [self] in run() }
    thread.name = "memory pressure"
    thread.stackSize = 256 << 10
    thread.start()
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  private func run() {
    var shortages = PressureShortages(calm: interval * Self.calmIntervals)
    let descriptor = Self.openTrigger(files.pressureFile.path)
    defer { if let descriptor { close(descriptor) } }
    while !isStopped.load(ordering: .relaxed) {
      let isWoken = wait(for: descriptor)
      if isStopped.load(ordering: .relaxed) { return }
      let pressure = files.pressure
      // A notification of the kernel counts even if the averages are still low.
      let seen = isWoken ? max(.warning, pressure) : pressure
      let instant = ProcessInfo.processInfo.systemUptime
      if let told = shortages.told(of: seen, at: instant) { tell(told) }
    }
  }

  /// Waits until the trigger fires or the interval ends.
  ///
  /// - Returns: Whether the kernel woke the thread.
  private func wait(for descriptor: Int32?) -> Bool {
    let milliseconds = Int32(clamping: Int(interval * 1000))
    guard let descriptor else {
      Thread.sleep(forTimeInterval: interval)
      return false
    }
    var entry = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
    let count = poll(&entry, 1, milliseconds)
    let failed = Int16(POLLERR) | Int16(POLLHUP) | Int16(POLLNVAL)
    if count < 0 || entry.revents & failed != 0 {
      // The triggers of a deleted control group end. Continue by reading the files at intervals.
      Thread.sleep(forTimeInterval: interval)
      return false
    }
    return count > 0 && entry.revents & Int16(POLLPRI) != 0
  }

  /// Registers the trigger with the kernel and returns the file descriptor to wait for, or nil if
  /// the kernel refuses the trigger.
  private static func openTrigger(_ path: String) -> Int32? {
    // Writing to any other file would change the file, and would never wake this thread.
    guard kernelFolders.contains(where: path.hasPrefix) else { return nil }
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let bytes = Array(trigger.utf8) + [0]
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
