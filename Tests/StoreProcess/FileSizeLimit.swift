import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Limits the size of this process's files, to simulate a full disk.
enum FileSizeLimit {
  /// Sets the maximum size in bytes; a negative size removes the limit.
  static func set(_ size: Int) -> String {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return "refused" }
    limit.rlim_cur = size < 0 ? limit.rlim_max : min(rlim_t(size), limit.rlim_max)
    return setrlimit(resource, &limit) == 0 ? "limited" : "refused"
  }
}
