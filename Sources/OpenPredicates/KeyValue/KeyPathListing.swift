/// A type that lists its properties with their names and key paths.
///
/// `@ReadableByKey` adds the conformance. Subclasses override ``__keyPaths()`` and add their
/// properties to the properties of the superclass. Without an Objective-C runtime, Swift key paths
/// do not contain the names of properties, so the list provides these names.
///
/// This is an addition to Apple's API.
public protocol __KeyPathListing: KeyValueReadable {
  /// Returns the properties of the type, with key paths that start at the type.
  static func __keyPaths() -> [__NamedKeyPath]
}

/// The name of a property and its key paths.
public struct __NamedKeyPath {
  let name: String
  /// The key path from an object or value.
  let path: AnyKeyPath
  /// The key path from an optional object or value.
  let optionalPath: AnyKeyPath

  /// Creates a property's entry in a list of key paths.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - path: The key path from an object or value to the property.
  ///   - optionalPath: The key path from an optional object or value to the property.
  public init<Root, Value, Step>(
    _ name: String, _ path: KeyPath<Root, Value>, _ optionalPath: KeyPath<Root?, Step>
  ) {
    self.name = name
    self.path = path
    self.optionalPath = optionalPath
  }
}

/// Finds the names of key paths whose steps are listed properties.
enum ListedKeyPaths {
  /// The maximum number of steps of a key path.
  private static let depthLimit = 4

  /// A key path that is compared, and its name.
  private struct Candidate {
    let name: String
    let path: AnyKeyPath

    func appending(_ next: __NamedKeyPath) -> Candidate? {
      let step = isOptional ? next.optionalPath : next.path
      return path.appending(path: step).map { Candidate(name: "\(name).\(next.name)", path: $0) }
    }

    private var value: Any.Type { type(of: path).valueType }
    private var isOptional: Bool { value is any OptionalWrapping.Type }

    /// The listed properties of the key path's value.
    var next: [__NamedKeyPath] {
      let reached = (value as? any OptionalWrapping.Type)?.wrappedType ?? value
      return (reached as? any __KeyPathListing.Type)?.__keyPaths() ?? []
    }
  }

  /// Returns the names of a key path's properties with dots; nil for other properties or more than
  /// four steps.
  static func name(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? any __KeyPathListing.Type else { return nil }
    var candidates = root.__keyPaths().map { Candidate(name: $0.name, path: $0.path) }
    for depth in 1... {
      if let found = candidates.first(where: { isSame($0.path, keyPath) }) { return found.name }
      if depth == depthLimit { return nil }
      candidates = candidates.flatMap { candidate in
        candidate.next.compactMap { candidate.appending($0) }
      }
    }
    return nil
  }

  /// Returns whether two key paths have the same properties.
  ///
  /// `==` also compares whether composed key paths are writable, on which names do not depend. Hash
  /// values do not include this fact.
  private static func isSame(_ one: AnyKeyPath, _ other: AnyKeyPath) -> Bool {
    type(of: one).valueType == type(of: other).valueType && one.hashValue == other.hashValue
  }
}

extension AnyKeyPath {
  /// The names of the properties in the key path, separated by dots; nil if a property has no name.
  ///
  /// The managed properties of managed objects and the properties of types with `@ReadableByKey`
  /// have names. Key-value coding can use the result as a key path.
  ///
  /// > Concurrency: Usable on any thread.
  /// > Complexity: One lookup for a managed property whose name was found before. Otherwise,
  /// > O(*n*^*k*) for a key path of *k* steps through types with *n* listed properties.
  /// > Reference: Swift, `_kvcKeyPathString`, which supports Objective-C properties only.
  public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}
