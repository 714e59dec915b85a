public import Foundation
public import OpenPersistenceKit
import SwiftData

/// Why the library cannot do what it was asked for.
public struct StoriesError: LocalizedError, CustomStringConvertible, Sendable {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable {
    /// There is no folder to keep the library in.
    case noFolder
    /// There is no library at the path.
    case missingStore
    /// The library is there but cannot be opened, or cannot be made.
    case notOpened
    /// The library's file is damaged, or something else.
    case damaged
    /// The library was written by a newer version of the application.
    case newer
    /// There is no such story, collection or backup.
    case notFound
    /// The story was changed elsewhere since its text was read.
    case changedElsewhere
    /// A text or a name that has to be there is missing, or a value is out of range.
    case invalidValue
    /// A file to import is not what it should be.
    case invalidImport
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// One or two sentences for people: what happened and what to do.
  public let message: String
  /// The file that it is about.
  public let path: String?
  /// The backups of a library that cannot be opened, the newest first.
  public let backups: [StoreBackup]
  /// The story as it is now, for `.changedElsewhere`.
  public let current: StoryValue?
  /// The error below.
  public let underlying: (any Error)?

  init(
    _ code: Code, _ message: String, path: String? = nil, backups: [StoreBackup] = [],
    current: StoryValue? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.backups = backups
    self.current = current
    self.underlying = underlying
  }

  static func missing(_ what: String, _ id: UUID) -> StoriesError {
    StoriesError(
      .notFound, "The library has no \(what) \(id.uuidString). It may have been deleted.")
  }

  /// The error for a library that does not open, with its backups.
  static func opening(_ url: URL, _ error: any Error) -> StoriesError {
    if let error = error as? StoriesError, !error.backups.isEmpty { return error }
    // A folder of backups that cannot be read offers none.
    let backups = (try? StoreBackups(ofStoreAt: url).list()) ?? []
    let (code, sentence) = explanation(of: error)
    let advice =
      backups.isEmpty
      ? "There is no backup copy."
      : "A backup copy of \(backups[0].date.formatted(.iso8601)) can be restored."
    return StoriesError(
      code, "\(sentence) \(advice)", path: url.path, backups: backups, underlying: error)
  }

  private static func explanation(of error: any Error) -> (Code, String) {
    if let error = error as? StoriesError { return (error.code, error.message) }
    let cause = (error as? SwiftDataError)?.underlyingError ?? error
    if [error, cause].contains(where: { SwiftDataError.backwardMigration ~= $0 }) {
      return (.newer, "The library was written by a newer version. Open it with that version.")
    }
    if ErrorKind(cause) == .locking {
      return (.notOpened, "Another program holds the library. Close it, and try again.")
    }
    let bridged = cause as NSError
    let isDamaged =
      bridged.domain == NSCocoaErrorDomain && damageCodes.contains(bridged.code)
    return isDamaged
      ? (.damaged, "The library's file is damaged, or not a library.")
      : (.notOpened, "The library cannot be opened.")
  }

  /// The store's file is invalid, or its content is corrupt.
  private static let damageCodes: Set<Int> = [134_000, 134_010, 134_080, 134_110, 259]

  public var errorDescription: String? { description }

  /// The path, the sentences, the error below and the code in one line.
  public var description: String {
    var line = path.map { "\($0): " } ?? ""
    line += message
    if let underlying { line += " \(underlying.localizedDescription)" }
    return "\(line) [\(code.rawValue)]"
  }
}
