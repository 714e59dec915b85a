extension Schema {
  /// A version of a schema, as three numbers.
  ///
  /// > Concurrency: A value.
  /// > Reference: Apple, Schema.Version.
  public struct Version: Comparable, Codable, Hashable, Sendable, CustomStringConvertible {
    /// The major version number.
    public let major: Int
    /// The minor version number.
    public let minor: Int
    /// The patch number.
    public let patch: Int

    /// Creates a version.
    ///
    /// - Parameters:
    ///   - major: The first number.
    ///   - minor: The second number.
    ///   - patch: The third number.
    /// > Reference: Apple, init(_:_:_:). Differs: D-340, negative numbers are rejected when the model is created.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      self.major = major
      self.minor = minor
      self.patch = patch
    }

    /// The numbers with dots between them, as a store's metadata has them.
    public var description: String { "\(major).\(minor).\(patch)" }

    /// Reads a version that ``description`` wrote; nil for any other text.
    init?(text: String) {
      let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
        let patch = numbers[2]
      else { return nil }
      self.init(major, minor, patch)
    }

    var isValid: Bool { major >= 0 && minor >= 0 && patch >= 0 }

    /// Whether one version is older than another.
    ///
    /// - Returns: `true` if one version is older than another.
    public static func < (one: Version, other: Version) -> Bool {
      (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }
  }
}
