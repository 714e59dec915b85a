extension Schema {
  /// The version number of a schema, with a major, a minor and a patch number.
  ///
  /// > Concurrency: Any thread.
  /// > Reference: Apple, Schema.Version.
  public struct Version: Comparable, Codable, Hashable, Sendable, CustomStringConvertible {
    /// The major version number.
    public let major: Int
    /// The minor version number.
    public let minor: Int
    /// The patch version number.
    public let patch: Int

    /// Creates a version number.
    ///
    /// A schema whose version has a negative number is invalid.
    ///
    /// - Parameters:
    ///   - major: The major version number.
    ///   - minor: The minor version number.
    ///   - patch: The patch version number.
    /// > Reference: Apple, init(_:_:_:). Differs: D-340.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      self.major = major
      self.minor = minor
      self.patch = patch
    }

    /// The three numbers, separated by periods, as in the metadata of a store.
    public var description: String { "\(major).\(minor).\(patch)" }

    /// Creates a version from a string in the form of ``description``; returns `nil` for any other
    /// string.
    init?(text: String) {
      let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
        let patch = numbers[2]
      else { return nil }
      self.init(major, minor, patch)
    }

    var isValid: Bool { major >= 0 && minor >= 0 && patch >= 0 }

    /// Returns whether a version is older than another version.
    public static func < (one: Version, other: Version) -> Bool {
      (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }
  }
}
