import Synchronization

/// The parsed form of a format string, which all predicates with this format share.
///
/// A template is immutable, and any thread may use it. The library caches templates by format text
/// and `%K` values, so plans can be cached by the ``identity`` of a template.
public final class PredicateTemplate: Sendable, Hashable {
  private static let lastIdentity = Atomic<UInt64>(0)

  /// The tree, with placeholders for the arguments.
  public let root: PredicateNode
  /// A number that is unique in the process; the numbers start at 1.
  public let identity: UInt64
  /// The number of arguments that a predicate needs, excluding the arguments of `%K` specifiers.
  public let argumentCount: Int

  /// Creates a template from a tree.
  ///
  /// - Parameters:
  ///   - root: The tree.
  ///   - argumentCount: The number of arguments that a predicate needs, excluding the arguments of
  ///     `%K` specifiers.
  public init(root: PredicateNode, argumentCount: Int = 0) {
    self.root = root
    self.argumentCount = argumentCount
    identity = Self.lastIdentity.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Returns whether two templates are the same object.
  public static func == (left: PredicateTemplate, right: PredicateTemplate) -> Bool {
    left === right
  }

  /// Hashes the identity of the template.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}
