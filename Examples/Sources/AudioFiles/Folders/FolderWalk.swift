public import Foundation

/// A sequence of the regular files in a folder and its subfolders, sorted by name.
///
/// Keeps the names of the open folders only, not of all files. Names that start with a dot are skipped, except for those of hidden copies,
/// which a program uses or has left. A symbolic link to a file or folder elsewhere is followed, and a folder to which several links lead is
/// walked once. A link into the walked folder is not followed, because its target is found under its own name. A link to a folder that
/// contains the walked folder or the link is not followed either, so that cycles of links end.
///
/// A value; each of its iterators is confined.
public struct FolderWalk: Sequence, Sendable {
  /// An element of a walk.
  public enum Item: Sendable, Equatable {
    /// A regular file.
    case file(FoundFile)
    /// A file or folder that cannot be examined; the walk continues.
    case trouble(AudioFileError)
    /// The path of a hidden copy, which a program uses or has left.
    case hiddenCopy(String)
  }

  private let root: String

  /// Creates a walk.
  ///
  /// - Parameter folder: The folder to walk.
  /// - Throws: `AudioFileError` with code `.missing`, `.notAFolder` or `.notPermitted`.
  public init(_ folder: URL) throws(AudioFileError) {
    root = folder.standardizedFileURL.path
    _ = try FolderNames.read(root)
  }

  /// Returns an iterator that starts at the first file.
  public func makeIterator() -> Iterator { Iterator(root) }

  /// An iterator over the files of a walk.
  public final class Iterator: IteratorProtocol {
    /// An open folder with its remaining names, in reverse order.
    private struct Level {
      let path: String
      var names: [String]
    }

    /// The resolved paths of the walked folder, and of the folders elsewhere that links led to.
    private var roots: [String]
    /// The roots that a later root contains. The walk of the later root skips them.
    private var innerRoots: Set<String> = []
    private var levels: [Level] = []
    private var troubles: [AudioFileError] = []
    private var hiddenCopies: [String] = []

    fileprivate init(_ root: String) {
      roots = [Self.resolved(root) ?? root]
      enter(root)
    }

    /// Returns the next file or the problem with the next name, or nil at the end.
    public func next() -> Item? {
      while true {
        if !troubles.isEmpty { return .trouble(troubles.removeFirst()) }
        if let path = hiddenCopies.popLast() { return .hiddenCopy(path) }
        guard !levels.isEmpty else { return nil }
        guard let name = levels[levels.count - 1].names.popLast() else {
          levels.removeLast()
          continue
        }
        if let item = visit(Self.path(of: name, in: levels[levels.count - 1].path)) { return item }
      }
    }

    private func enter(_ path: String) {
      do {
        let contents = try FolderNames.read(path)
        levels.append(Level(path: path, names: contents.names.sorted(by: >)))
        troubles += contents.troubles
        hiddenCopies += contents.hiddenCopies.map { Self.path(of: $0, in: path) }
      } catch {
        troubles.append(error)
      }
    }

    /// - Returns: The item, or nil if the path is not a regular file.
    private func visit(_ path: String) -> Item? {
      var status = stat()
      guard lstat(path, &status) == 0 else { return trouble(path) }
      if status.st_mode & S_IFMT == S_IFLNK {
        guard stat(path, &status) == 0, let target = Self.resolved(path) else {
          return trouble(path)
        }
        if roots.contains(where: { Self.path(target, isWithin: $0) }) { return nil }
        if status.st_mode & S_IFMT == S_IFDIR {
          if isEnclosing(target, linkAt: path) { return nil }
          innerRoots.formUnion(roots.filter { Self.path($0, isWithin: target) })
          roots.append(target)
        }
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where isInnerRoot(path): break
      case S_IFDIR: enter(path)
      case S_IFREG: return .file(FoundFile(path: path, stamp: FileStamp(status)))
      default: break
      }
      return nil
    }

    /// Returns whether the target of a link contains the walked folder or the link itself.
    private func isEnclosing(_ target: String, linkAt path: String) -> Bool {
      guard let place = Self.resolved((path as NSString).deletingLastPathComponent) else {
        return true
      }
      return [roots[0], place].contains { Self.path($0, isWithin: target) }
    }

    /// Returns whether an earlier link has led to the folder at a path.
    private func isInnerRoot(_ path: String) -> Bool {
      guard !innerRoots.isEmpty, let place = Self.resolved(path) else { return false }
      return innerRoots.contains(place)
    }

    private func trouble(_ path: String) -> Item {
      .trouble(AudioFileError(system: errno, path: path))
    }

    private static func path(of name: String, in folder: String) -> String {
      folder == "/" ? "/\(name)" : "\(folder)/\(name)"
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
