internal import COpenRuntime

/// Finds the classes of the process by name. The classes need not be registered first.
package enum TypeRecords {
  /// Returns all classes with the given name, without duplicates; empty if there are none.
  ///
  /// A search visits the type records of all loaded images, so callers should cache the result.
  ///
  /// - Parameter name: The name of the class, with or without its module or enclosing types.
  /// > Concurrency: Usable on any thread.
  package static func classes(named name: String) -> [AnyClass] {
    var types: [AnyClass] = []
    withUnsafeMutablePointer(to: &types) { list in
      _ = name.withCString { name in
        ocd_find_class(
          name,
          { metadata, context in
            let type: AnyClass = unsafeBitCast(metadata, to: AnyClass.self)
            guard let list = context?.assumingMemoryBound(to: [AnyClass].self) else { return true }
            if !list.pointee.contains(where: { $0 == type }) { list.pointee.append(type) }
            return false
          }, list)
      }
    }
    return types
  }

  /// Returns the name that a class has in models and archives in addition to its Swift name; nil if
  /// it has no such name.
  ///
  /// Callers should cache the result.
  ///
  /// > Concurrency: Usable on any thread.
  static func markedName(of type: AnyClass) -> String? {
    String(describing: type).withCString { name in
      ocd_marked_name(unsafeBitCast(type, to: UnsafeRawPointer.self), name)
    }.map { String(cString: $0) }
  }
}
