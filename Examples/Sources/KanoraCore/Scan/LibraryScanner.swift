public import AudioFiles
import CoreData
public import Foundation
import OpenPersistenceKit

/// Brings the music files of folders into libraries, and keeps libraries true to their folders.
///
/// Scans of one store take turns, also those of other programs.
///
/// ```swift
/// let scanner = LibraryScanner(store)
/// let library = try await scanner.library(at: folder)
/// let report = try await scanner.scan(library) { print($0.done, $0.total, $0.file ?? "") }
/// ```
///
/// A value.
public struct LibraryScanner: Sendable {
  /// Reads a file; throws for one that cannot be read.
  public typealias Reader = @Sendable (URL) throws(AudioFileError) -> AudioFile
  /// Takes how far a scan is, on any thread, once a file.
  public typealias ProgressHandler = @Sendable (ScanProgress) -> Void

  let store: KanoraStore
  let now: @Sendable () -> Date
  let read: Reader

  /// Prepares scans.
  ///
  /// - Parameters:
  ///   - store: Where the libraries are.
  ///   - read: What reads files.
  ///   - now: The clock.
  public init(
    _ store: KanoraStore,
    read: @escaping Reader = { url throws(AudioFileError) in try AudioFile.read(url) },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.now = now
    self.read = read
  }

  /// The library of a folder, made when there is none.
  ///
  /// - Parameters:
  ///   - folder: The folder, which must exist.
  ///   - name: The name of a new library; that of the folder by default.
  /// - Returns: The library's id.
  /// - Throws: `AudioFileError` for a folder that cannot be read; what a fetch or a save throws.
  public func library(at folder: URL, named name: String? = nil) async throws -> UUID {
    let folder = folder.standardizedFileURL
    _ = try FolderWalk(folder)
    let now = now()
    let lock = try await ScanLock.take(of: store.file) {}
    defer { withExtendedLifetime(lock) {} }
    return try await store.performBackgroundTask { context in
      let request = NSFetchRequest<Library>(entityName: "Library")
      let libraries = try context.fetch(request)
      if let known = libraries.first(where: { PathKey($0.path) == PathKey(folder.path) }) {
        return known.id
      }
      let library = Library(context: context)
      library.name = name ?? folder.lastPathComponent
      (library.path, library.type, library.isDefault) = (folder.path, "local", libraries.isEmpty)
      (library.createdAt, library.updatedAt) = (now, now)
      return library.id
    }
  }

  /// Brings a library up to date with its folder; the files stay where they are.
  ///
  /// New and changed files are read; a file of known audio at a new path is the same track, with its plays, rating and
  /// places in playlists; a track whose file is gone is marked and kept. Fields that the user has edited stay. A file that
  /// cannot be read is noted as a bad file, and the scan goes on.
  ///
  /// When the task is cancelled, what was stored stays, and the report says so.
  ///
  /// - Parameters:
  ///   - library: The library's id.
  ///   - progress: Called with how far the scan is.
  /// - Returns: What was found.
  /// - Throws: `KanoraError` with code `.notFound`; `AudioFileError` when the folder itself cannot be read, and then
  ///   nothing is marked as missing; what the store throws.
  public func scan(
    _ library: UUID, progress: @escaping ProgressHandler = { _ in }
  ) async throws -> ScanReport {
    let target = try await find(library)
    let run = ScanRun(self, target, progress)
    return try await run.scan()
  }

  /// Copies the music files of a folder into the folder of a library, as Artist/Album/file, and brings the copies in.
  ///
  /// A file of audio that the library has already is not copied. The files of the folder stay as they are.
  ///
  /// - Parameters:
  ///   - folder: The folder to copy from.
  ///   - library: The library's id.
  ///   - progress: Called with how far the import is.
  /// - Returns: What was found.
  /// - Throws: As `scan(_:progress:)`.
  public func copyFiles(
    from folder: URL, into library: UUID, progress: @escaping ProgressHandler = { _ in }
  ) async throws -> ScanReport {
    let target = try await find(library)
    let run = ScanRun(self, target, progress)
    return try await run.copyFiles(from: folder.standardizedFileURL)
  }

  /// What a scan needs to know about its library.
  struct Target: Sendable {
    let id: NSManagedObjectID
    let folder: URL
  }

  private func find(_ library: UUID) async throws -> Target {
    try await store.performBackgroundTask { context in
      let request = NSFetchRequest<Library>(entityName: "Library")
      request.predicate = NSPredicate(format: "id == %@", argumentArray: [library])
      guard let found = try context.fetch(request).first else {
        throw KanoraError(.notFound, "There is no library with the id \(library).")
      }
      return Target(id: found.objectID, folder: URL(fileURLWithPath: found.path, isDirectory: true))
    }
  }
}
