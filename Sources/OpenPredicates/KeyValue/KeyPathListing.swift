/// A type that lists the key paths of its properties with their names.
///
/// `@ReadableByKey` adds the conformance. Subclasses override the method, and add their properties to those of the
/// superclass.
///
/// > Reference: Addition; with an Objective-C runtime, the compiler stores the names of properties in their key
/// > paths.
public protocol __KeyPathListing: KeyValueReadable {
  /// The properties of the type, with key paths that start at it.
  static func __keyPaths() -> [__NamedKeyPath]
}

/// A property's name with its key paths.
public struct __NamedKeyPath {
  let name: String
  /// From an object or value.
  let path: AnyKeyPath
  /// From an optional one.
  let optionalPath: AnyKeyPath

  /// Creates the entry of a property.
  public init<Root, Value, Step>(
    _ name: String, _ path: KeyPath<Root, Value>, _ optionalPath: KeyPath<Root?, Step>
  ) {
    self.name = name
    self.path = path
    self.optionalPath = optionalPath
  }
}

/// The names of key paths that lead over listed properties.
enum ListedKeyPaths {
  /// How many properties a key path may lead over.
  private static let depthLimit = 4

  /// A key path that is tried, with its name.
  private struct Candidate {
    let name: String
    let path: AnyKeyPath

    func appending(_ next: __NamedKeyPath) -> Candidate? {
      let step = isOptional ? next.optionalPath : next.path
      return path.appending(path: step).map { Candidate(name: "\(name).\(next.name)", path: $0) }
    }

    private var value: Any.Type { type(of: path).valueType }
    private var isOptional: Bool { value is any OptionalWrapping.Type }

    /// The listed properties of what the key path leads to.
    var next: [__NamedKeyPath] {
      let reached = (value as? any OptionalWrapping.Type)?.wrappedType ?? value
      return (reached as? any __KeyPathListing.Type)?.__keyPaths() ?? []
    }
  }

  /// The path by names with dots between; nil for a path over other properties, and for one of more than four.
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

  /// Whether two key paths lead over the same properties.
  ///
  /// `==` also compares whether one made of parts can be written through, which names do not depend on; the hash does not have it.
  private static func isSame(_ one: AnyKeyPath, _ other: AnyKeyPath) -> Bool {
    type(of: one).valueType == type(of: other).valueType && one.hashValue == other.hashValue
  }
}

extension AnyKeyPath {
  /// The path as names separated by dots, for key-value coding; nil for a path without names.
  ///
  /// The managed properties of managed objects, and the properties of types with `@ReadableByKey`, have names.
  ///
  /// > Concurrency: Any thread.
  /// > Complexity: A lookup for a managed property that was requested before; else O(n) in the number of listed
  /// > properties, for each step to the power of the steps.
  /// > Reference: Swift, `_kvcKeyPathString`, which supports Objective-C properties only.
  public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}
