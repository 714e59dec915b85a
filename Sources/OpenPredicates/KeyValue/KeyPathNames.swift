import Synchronization

/// The names that Swift key paths stand for, as whoever knows the model's classes supplies them.
///
/// Shared: its state is in one `Mutex`. A key path cannot be asked for its name on this platform.
package enum KeyPathNames {
  private static let resolver = Mutex<(@Sendable (AnyKeyPath) -> String?)?>(nil)

  /// Sets who knows the names; the last one counts.
  ///
  /// - Parameter resolve: Gives the path with dots, or nil for a path it does not know.
  /// > Concurrency: Any thread; `resolve` is called on any thread, without a lock.
  package static func resolve(with resolve: @escaping @Sendable (AnyKeyPath) -> String?) {
    resolver.withLock { $0 = resolve }
  }

  /// The path by names with dots between; nil when nobody knows it.
  ///
  /// - Parameter keyPath: The key path.
  /// > Concurrency: Any thread.
  package static func name(of keyPath: AnyKeyPath) -> String? {
    let resolve = resolver.withLock { $0 }
    return resolve?(keyPath)
  }
}
