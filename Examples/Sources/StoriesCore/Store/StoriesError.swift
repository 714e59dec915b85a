public import Foundation
public import OpenPersistenceKit
import SwiftData

/// An error of the library.
public struct StoriesError: LocalizedError, CustomStringConvertible, Sendable {
  /// The stable name of the cause.
  public enum Code: String, Sendable {
    /// No folder for the library is known.
    case noFolder
    /// The path has no library.
    case missingStore
    /// The library exists but cannot be opened, or cannot be created.
    case notOpened
    /// The library's file is damaged or is not a library.
    case damaged
    /// The library was written by a newer version of the application.
    case newer
    /// The story, collection or backup does not exist.
    case notFound
    /// Another window or program changed the story or the profile after its text was read.
    case changedElsewhere
    /// A required text or name is missing, or a value is out of range.
    case invalidValue
    /// The file to import is invalid.
    case invalidImport
    /// The file to import does not exist, is a folder, or cannot be read.
    case unreadableImport
    /// The library is too large to be exported as a file that can be imported.
    case tooLarge
  }

  /// The stable name of the cause.
  public let code: Code
  /// One or two sentences for the user: what happened and what to do.
  public let message: String
  /// The file concerned.
  public let path: String?
  /// The backups of a library that cannot be opened, newest first.
  public let backups: [StoreBackup]
  /// The current story, for `.changedElsewhere`.
  public let current: StoryValue?
  /// The underlying error.
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

  /// Returns the error for a library that cannot be opened, with its backups.
  static func opening(_ url: URL, _ error: any Error) -> StoriesError {
    if let error = error as? StoriesError, !error.backups.isEmpty { return error }
    // An unreadable backup folder offers no backups.
    let backups = (try? StoreBackups(ofStoreAt: url).list()) ?? []
    let (code, sentence) = explanation(of: error)
    let advice =
      backups.isEmpty
      ? "There is no backup."
      : "You can restore the backup of \(backups[0].date.formatted(.iso8601))."
    let underlying: (any Error)? =
      if let error = error as? StoriesError { error.underlying } else { error }
    return StoriesError(
      code, "\(sentence) \(advice)", path: url.path, backups: backups, underlying: underlying)
  }

  private static func explanation(of error: any Error) -> (Code, String) {
    if let error = error as? StoriesError { return (error.code, error.message) }
    let cause = (error as? SwiftDataError)?.underlyingError ?? error
    if [error, cause].contains(where: { SwiftDataError.backwardMigration ~= $0 }) {
      return (
        .newer,
        "The library was written by a newer version of the application. Open it with that version."
      )
    }
    if ErrorKind(cause) == .locking {
      return (
        .notOpened, "Another program is using the library. Close that program, and try again."
      )
    }
    let bridged = cause as NSError
    let isDamaged =
      bridged.domain == NSCocoaErrorDomain && damageCodes.contains(bridged.code)
    return isDamaged
      ? (.damaged, "The library's file is damaged or is not a library.")
      : (.notOpened, "The library cannot be opened.")
  }

  /// The codes of an invalid store file or of corrupt content.
  private static let damageCodes: Set<Int> = [134_000, 134_010, 134_110, 259]

  public var errorDescription: String? { description }

  /// The path, the message, the underlying error and the code in one line.
  public var description: String {
    var line = path.map { "\($0): " } ?? ""
    line += message
    if let underlying { line += " \(underlying.localizedDescription)" }
    return "\(line) [\(code.rawValue)]"
  }
}
