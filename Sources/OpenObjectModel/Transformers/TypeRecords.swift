internal import COpenRuntime

/// The classes of the process by name, without registration.
package enum TypeRecords {
  /// All classes with a name, each once.
  ///
  /// A look-up passes over the type records of all loaded images, so that its result is worth keeping.
  ///
  /// - Parameter name: The class's own name, with the module or enclosing types before it or without them.
  /// > Concurrency: Any thread.
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
}
