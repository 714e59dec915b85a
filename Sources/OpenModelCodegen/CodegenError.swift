public import Foundation
internal import OpenObjectModel

/// Why no source can be written for a model, and what to do about it.
public struct CodegenError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number for a kind of failure; `Docs/Errors.md` explains each.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The model cannot be read; `underlying` says why.
    public static let unreadableModel = Code(rawValue: 1)
    /// A name of the model cannot be a name in Swift.
    public static let unusableName = Code(rawValue: 2)
    /// Two entities have the same class.
    public static let sharedClass = Code(rawValue: 3)
    /// Two declarations of one class would have the same name.
    public static let clashingNames = Code(rawValue: 4)
  }

  /// The kind of failure.
  public let code: Code
  /// The problem and the remedy.
  public let message: String
  /// The entity that caused the failure, if there is one.
  public let entityName: String?
  /// The property that caused the failure, if there is one.
  public let propertyName: String?
  /// The document or folder.
  public let path: String?
  /// Line in the document, from 1.
  public let line: Int?
  /// The cause, for example a `ModelError`.
  public let underlying: (any Error)?

  init(
    _ code: Code, _ message: String, entityName: String? = nil, propertyName: String? = nil,
    path: String? = nil, line: Int? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.entityName = entityName
    self.propertyName = propertyName
    self.path = path
    self.line = line
    self.underlying = underlying
  }

  init(_ error: ModelError) {
    self.init(
      .unreadableModel, error.message, entityName: error.entityName,
      propertyName: error.propertyName, path: error.path, line: error.line, underlying: error)
  }

  /// The sentence that `print` shows.
  public var errorDescription: String? { description }

  /// The failure in the format of compiler diagnostics, so tools find the position.
  public var description: String {
    let place = path.map { path in line.map { "\(path):\($0): " } ?? "\(path): " } ?? ""
    let facts = [entityName.map { "entity \($0)" }, propertyName.map { "property \($0)" }]
      .compactMap { $0 }.joined(separator: ", ")
    return place + "error: " + message + (facts.isEmpty ? "" : " (\(facts))")
  }
}
