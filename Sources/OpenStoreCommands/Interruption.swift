import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The first signal that asks the process to end, such as Ctrl-C. A command that observes the
/// signal can delete incomplete files before it ends. A second signal ends the process immediately.
enum Interruption {
  private static let flag = Atomic(false)

  /// Whether a signal has arrived after the call of `observe()`.
  static var hasOccurred: Bool { flag.load(ordering: .relaxed) }

  /// Begins to observe the signals. Signals that the process ignores are still ignored.
  static func observe() {
    // Creates the flag, which a signal handler must not do.
    _ = hasOccurred
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let former = signal(number) { number in
        Interruption.flag.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
      let isIgnored = unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      if isIgnored { signal(number, SIG_IGN) }
    }
  }
}
