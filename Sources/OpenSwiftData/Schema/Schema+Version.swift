extension Schema {
  /// The version number of a schema, which consists of a major, a minor and a patch number.
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
    /// If a number is negative, creating a container with the schema throws
    /// `SwiftDataError.loadIssueModelContainer`.
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

    /// The major, minor and patch numbers, separated by periods. The metadata of a store contains
    /// the version in this format.
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

    /// Returns whether one version number is less than another version number.
    public static func < (one: Version, other: Version) -> Bool {
      (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }
  }
}
