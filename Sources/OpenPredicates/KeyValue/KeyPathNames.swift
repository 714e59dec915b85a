/// A type whose properties can be named by Swift key paths, which cannot be asked for names on this platform.
package protocol KeyPathNaming {
  /// The path by names with dots between; nil for a path that is not made of such properties.
  ///
  /// > Concurrency: Any thread.
  static func name(ofKeyPath keyPath: AnyKeyPath) -> String?
}

/// The names that Swift key paths stand for.
package enum KeyPathNames {
  /// The path by names with dots between; nil unless the type that the path starts at knows its names.
  ///
  /// > Concurrency: Any thread.
  package static func name(of keyPath: AnyKeyPath) -> String? {
    (type(of: keyPath).rootType as? any KeyPathNaming.Type)?.name(ofKeyPath: keyPath)
  }
}
