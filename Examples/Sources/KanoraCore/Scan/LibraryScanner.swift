public import AudioFiles
import CoreData
public import Foundation
import OpenPersistenceKit
import StoreSharing

/// Imports the music files of folders into libraries, and keeps libraries in sync with their folders.
///
/// Scans of one store run one at a time, including scans by other processes.
///
/// ```swift
/// let scanner = LibraryScanner(store)
/// let library = try await scanner.library(at: folder)
/// let report = try await scanner.scan(library) { print($0.done, $0.total, $0.file ?? "") }
/// ```
///
/// A value.
public struct LibraryScanner: Sendable {
  /// Reads a file, and throws if it cannot be read.
  public typealias Reader = @Sendable (URL) throws(AudioFileError) -> AudioFile
  /// Receives the progress of a scan, on any thread, once per file.
  public typealias ProgressHandler = @Sendable (ScanProgress) -> Void

  let store: KanoraStore
  let now: @Sendable () -> Date
  let read: Reader

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - store: The store of the libraries.
  ///   - read: The function that reads files.
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

  /// Returns the library of a folder, and creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - folder: The folder, which must exist.
  ///   - name: The name of a new library; by default the folder's name.
  /// - Returns: The library's id.
  /// - Throws: `AudioFileError` if the folder cannot be read; any error a fetch or a save throws.
  public func library(at folder: URL, named name: String? = nil) async throws -> UUID {
    let folder = folder.standardizedFileURL
    try Self.requireFolder(folder)
    let now = now()
    let lock = try await StoreLock.scanning.take(of: store.file)
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

  /// Checks that a folder can be read, without a library.
  ///
  /// - Throws: `AudioFileError` if the folder does not exist or cannot be read.
  public static func requireFolder(_ folder: URL) throws {
    _ = try FolderWalk(folder.standardizedFileURL)
  }

  /// Updates a library from its folder. The files stay where they are.
  ///
  /// New and changed files are read. A file with known audio at a new path is the same track, and keeps its plays, rating and playlist
  /// items. A track whose file is missing is marked and kept. Fields that the user has edited are kept. A file that cannot be read is
  /// recorded as a bad file, and the scan continues.
  ///
  /// If the task is canceled, the files stored so far are kept, and the report is marked as canceled.
  ///
  /// - Parameters:
  ///   - library: The library's id.
  ///   - progress: Called with the progress of the scan.
  /// - Returns: The scan's results.
  /// - Throws: `KanoraError` with code `.notFound`; `AudioFileError` if the folder itself cannot be read, in which case no track is marked
  ///   as missing; any error the store throws.
  public func scan(
    _ library: UUID, progress: @escaping ProgressHandler = { _ in }
  ) async throws -> ScanReport {
    let target = try await find(library)
    let run = ScanRun(self, target, progress)
    return try await run.scan()
  }

  /// Copies the music files of a folder into the folder of a library, as Artist/Album/file, and imports the copies.
  ///
  /// A file whose audio is already in the library is not copied. The source files are not changed.
  ///
  /// - Parameters:
  ///   - folder: The folder to copy from.
  ///   - library: The library's id.
  ///   - progress: Called with the progress of the import.
  /// - Returns: The scan's results.
  /// - Throws: The same errors as `scan(_:progress:)`.
  public func copyFiles(
    from folder: URL, into library: UUID, progress: @escaping ProgressHandler = { _ in }
  ) async throws -> ScanReport {
    let target = try await find(library)
    let run = ScanRun(self, target, progress)
    return try await run.copyFiles(from: folder.standardizedFileURL)
  }

  /// The properties of the library that a scan needs.
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
