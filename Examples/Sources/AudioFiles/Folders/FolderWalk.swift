public import Foundation

/// The regular files in a folder and the folders within, in the order of their names, one at a time.
///
/// Holds the names of the folders that are open, not those of all files. Names that begin with a point are passed over.
/// A link to a file or folder elsewhere is followed; one that leads back into the folder walked is not, since what it
/// leads to is found under its own name, nor one to a folder around it, so that circles of links end.
///
/// A value; each of its iterators is confined.
public struct FolderWalk: Sequence, Sendable {
  /// What a walk comes to.
  public enum Item: Sendable, Equatable {
    /// A regular file.
    case file(FoundFile)
    /// A file or folder that cannot be looked at; the walk goes on.
    case trouble(AudioFileError)
  }

  private let root: String

  /// Prepares a walk.
  ///
  /// - Parameter folder: Where to begin.
  /// - Throws: `AudioFileError` with code `.missing`, `.notAFolder` or `.notPermitted`.
  public init(_ folder: URL) throws(AudioFileError) {
    root = folder.standardizedFileURL.path
    _ = try FolderNames.read(root)
  }

  /// Begins at the first file.
  public func makeIterator() -> Iterator { Iterator(root) }

  /// Goes from file to file.
  public final class Iterator: IteratorProtocol {
    /// A folder that is walked, and the names that come next, in reverse order.
    private struct Level {
      let path: String
      var names: [String]
    }

    /// The paths without links of the folder walked, and of the folders elsewhere that links led to.
    private var roots: [String]
    private var levels: [Level] = []
    private var troubles: [AudioFileError] = []

    fileprivate init(_ root: String) {
      roots = [Self.resolved(root) ?? root]
      enter(root)
    }

    /// The next file, or what is wrong with the next name; nil at the end.
    public func next() -> Item? {
      while true {
        if !troubles.isEmpty { return .trouble(troubles.removeFirst()) }
        guard !levels.isEmpty else { return nil }
        guard let name = levels[levels.count - 1].names.popLast() else {
          levels.removeLast()
          continue
        }
        let folder = levels[levels.count - 1].path
        if let item = visit(folder == "/" ? "/\(name)" : "\(folder)/\(name)") { return item }
      }
    }

    private func enter(_ path: String) {
      do {
        let contents = try FolderNames.read(path)
        levels.append(Level(path: path, names: contents.names.sorted(by: >)))
        troubles += contents.troubles
      } catch {
        troubles.append(error)
      }
    }

    /// - Returns: Nil for what is no file.
    private func visit(_ path: String) -> Item? {
      var status = stat()
      guard lstat(path, &status) == 0 else { return trouble(path) }
      if status.st_mode & S_IFMT == S_IFLNK {
        guard stat(path, &status) == 0, let target = Self.resolved(path) else {
          return trouble(path)
        }
        if roots.contains(where: { Self.path(target, isWithin: $0) }) { return nil }
        if status.st_mode & S_IFMT == S_IFDIR {
          if roots.contains(where: { Self.path($0, isWithin: target) }) { return nil }
          roots.append(target)
        }
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: enter(path)
      case S_IFREG: return .file(FoundFile(path: path, stamp: FileStamp(status)))
      default: break
      }
      return nil
    }

    private func trouble(_ path: String) -> Item {
      .trouble(AudioFileError(system: errno, path: path))
    }

    private static func path(_ path: String, isWithin folder: String) -> Bool {
      path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
    }

    private static func resolved(_ path: String) -> String? {
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return String(cString: resolved)
    }
  }
}
