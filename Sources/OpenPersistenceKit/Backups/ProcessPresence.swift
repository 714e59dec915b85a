#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Whether processes of this machine are there.
enum ProcessPresence {
  static func isRunning(_ process: Int32) -> Bool {
    process > 0 && (kill(process, 0) == 0 || errno != ESRCH)
  }
}
