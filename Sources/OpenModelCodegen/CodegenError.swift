public import Foundation
internal import OpenObjectModel

/// An error that describes why a model document cannot be converted to Swift source or to a
/// compiled model.
public struct CodegenError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number that identifies the kind of failure. `Docs/Errors.md` explains each code.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number that identifies the kind of failure.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The model cannot be read, is invalid or cannot be compiled, or the compiled model cannot be
    /// written. The property `underlying` contains the reason.
    public static let unreadableModel = Code(rawValue: 1)
    /// A name in the model is not a valid Swift name.
    public static let unusableName = Code(rawValue: 2)
    /// Two entities use the same class name, so the class would be declared twice.
    public static let sharedClass = Code(rawValue: 3)
    /// Two declarations in one class would have the same name.
    public static let clashingNames = Code(rawValue: 4)
  }

  /// The kind of failure.
  public let code: Code
  /// A description of the problem and of the remedy.
  public let message: String
  /// The name of the entity that caused the failure; nil if the entity is unknown.
  public let entityName: String?
  /// The name of the property that caused the failure; nil if the property is unknown.
  public let propertyName: String?
  /// The path of the document or folder; nil if the path is unknown.
  public let path: String?
  /// The number of the line in the document, starting with 1; nil if the line is unknown.
  public let line: Int?
  /// The error that caused this error, for example a `ModelError`; nil if there is no such error.
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

  /// The same text as ``description``.
  public var errorDescription: String? { description }

  /// The error in the format of compiler diagnostics: `path:line: error: message`.
  ///
  /// Tools can therefore show the position of the problem. An unknown path or line is omitted. The
  /// names of the entity and the property, if known, follow the message.
  public var description: String {
    let place = path.map { path in line.map { "\(path):\($0): " } ?? "\(path): " } ?? ""
    let facts = [entityName.map { "entity \($0)" }, propertyName.map { "property \($0)" }]
      .compactMap { $0 }.joined(separator: ", ")
    let cause = underlying.flatMap { $0 is ModelError ? nil : " \($0.localizedDescription)" } ?? ""
    return place + "error: " + message + (facts.isEmpty ? "" : " (\(facts))") + cause
  }
}
