public import Foundation

/// The underlying error of a `StoreError` with code `.locked` if a statement took longer than the
/// limit of the store's server. The statement would exceed the limit again if it were repeated.
package struct StatementTimeout: Error {
  package init() {}
}

/// The underlying error of a `StoreError` with code `.constraintConflict` if delete rules forbid a
/// batch deletion. The rules would forbid the deletion again if it were repeated.
package struct ForbiddenDeletion: Error {
  package init() {}
}

/// An error that a store throws.
///
/// The message names the problem and, if there is one, the remedy. Descriptions never contain the
/// values of attributes, or credentials.
public struct StoreError: LocalizedError, Sendable, CustomStringConvertible {
  /// A number that identifies the kind of error and never changes; see `Docs/Errors.md`.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The store, its file, or the external file of a value does not exist.
    public static let missingFile = Code(rawValue: 1)
    /// The operating system or the database server denies access, a URL allows a connection that
    /// sends a password without TLS, or a file exists at the destination of a copy or migration.
    public static let permission = Code(rawValue: 2)
    /// The file is not a store: it is empty, has another format, or is another application's
    /// database.
    public static let foreignFile = Code(rawValue: 3)
    /// The store is truncated or damaged, or a stored value does not fit its property.
    public static let corrupt = Code(rawValue: 4)
    /// Another connection or process held a lock for longer than the timeout, or a statement took
    /// longer than the limit of the database server.
    public static let locked = Code(rawValue: 5)
    /// The store was created with another version of the model.
    public static let incompatibleSchema = Code(rawValue: 6)
    /// The store was opened as read-only, or the process is not allowed to write to the store.
    public static let readOnly = Code(rawValue: 7)
    /// The disk is full, an input or output error occurred, or the process ran out of memory.
    public static let inputOutput = Code(rawValue: 8)
    /// A value cannot be stored in its property, for example because the value has a different
    /// type.
    public static let unfitValue = Code(rawValue: 9)
    /// The store does not support the operation.
    public static let unsupported = Code(rawValue: 10)
    /// A statement failed for a reason that no other code describes.
    public static let statement = Code(rawValue: 11)
    /// The store was closed or removed.
    public static let closed = Code(rawValue: 12)
    /// A requested object has no row.
    public static let missingRow = Code(rawValue: 13)
    /// A row was changed or deleted after the context read the row. For a store in an XML or binary
    /// file, the file was replaced or deleted after the store was opened.
    public static let versionConflict = Code(rawValue: 14)
    /// A uniqueness constraint is violated, or a delete rule or a required relationship does not
    /// allow a batch deletion.
    public static let constraintConflict = Code(rawValue: 15)
    /// A predicate, sort key or column is not supported.
    public static let unsupportedPredicate = Code(rawValue: 16)
    /// The program canceled a fetch, a copy or a migration.
    public static let interrupted = Code(rawValue: 17)
    /// A change refers to an object that is neither saved nor part of the save.
    public static let danglingReference = Code(rawValue: 18)
    /// A custom store threw an error, which is the underlying error.
    public static let application = Code(rawValue: 19)
    /// A store's server cannot be reached; nothing was written.
    public static let unreachable = Code(rawValue: 20)
    /// The connection was lost during a commit, so it is unknown whether the commit took effect.
    public static let outcomeUnknown = Code(rawValue: 21)
    /// A store no longer has the state to which a context is pinned.
    public static let snapshotLost = Code(rawValue: 22)
    /// The folder in which to create the file does not exist.
    public static let missingFolder = Code(rawValue: 23)
    /// The store cannot be opened because of a file that does not belong to the store: a folder,
    /// pipe, socket or device at the store's path, or the log of another store.
    public static let obstructed = Code(rawValue: 24)
    /// The URL cannot be the location of a store: the URL is not valid, or the server or database
    /// at the URL cannot contain a store.
    public static let unusableLocation = Code(rawValue: 25)
  }

  public var code: Code
  /// The problem, followed by the remedy if there is one.
  public var message: String
  public var path: String?
  public var entityName: String?
  public var propertyName: String?
  /// The text of the statement that failed, without values; nil if no statement failed.
  public var statement: String?
  /// The error code of the store's database library; 0 if the library did not report an error.
  public var nativeCode: Int32
  public var underlying: (any Error)?

  public init(
    _ code: Code, _ message: String, path: String? = nil, entityName: String? = nil,
    propertyName: String? = nil, statement: String? = nil, nativeCode: Int32 = 0,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.entityName = entityName
    self.propertyName = propertyName
    self.statement = statement
    self.nativeCode = nativeCode
    self.underlying = underlying
  }

  public var description: String {
    var parts = [message]
    if let path { parts.append("File: \(path).") }
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    if let statement {
      let start = statement.prefix(2000)
      parts.append("Statement: \(start)" + (start.endIndex < statement.endIndex ? "…" : ""))
    }
    return parts.joined(separator: " ")
  }

  /// The text of `localizedDescription`, which equals `description`.
  public var errorDescription: String? { description }
}
