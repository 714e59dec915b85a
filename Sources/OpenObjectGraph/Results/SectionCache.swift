internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// The sections of fetched results, cached in a file between launches of the program.
///
/// Without a cache, a request that reads its rows in batches would have to read all rows to
/// determine the sections. The cache contains the number of rows in each section. To check the
/// cache, only the first and the last row of each section are read, so a cache that is outdated,
/// damaged or from another request is detected. If the check fails, all rows are read and the cache
/// is rewritten.
///
/// A value type. Each write replaces the file.
struct SectionCache: Sendable {
  /// A section's name and the number of its rows.
  struct Section: Codable, Equatable {
    var name: String
    var count: Int
  }

  private let file: URL

  /// Creates a cache with the given name.
  ///
  /// - Parameter name: The name of the cache, which may be any text.
  init(named name: String) {
    let digest = SHA2.hash256(Array(name.utf8)).hexadecimal
    file = Self.folder.appendingPathComponent(digest + Self.ending)
  }

  private static let ending = ".sections"
  private static let sizeLimit = 1 << 20

  private static var folder: URL {
    UserFolders.cache.appendingPathComponent(ProcessInfo.processInfo.processName)
      .appendingPathComponent("SectionCaches")
  }

  /// Returns the cached sections, or nil if the file is missing, too large or invalid.
  func read() -> [Section]? {
    // A cache that cannot be read is none.
    guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize,
      size <= Self.sizeLimit, let data = try? Data(contentsOf: file)
    else { return nil }
    guard let sections = try? JSONDecoder().decode([Section].self, from: data),
      sections.allSatisfy({ $0.count > 0 }),
      Set(sections.map { ExactText($0.name) }).count == sections.count
    else { return nil }
    return sections
  }

  /// Replaces the file. If the file cannot be written, the error is logged and the old file
  /// remains.
  func write(_ sections: [Section]) {
    do {
      let data = try JSONEncoder().encode(sections)
      guard data.count <= Self.sizeLimit else { return remove() }
      try UserFolders.make(Self.folder)
      try data.write(to: file, options: .atomic)
    } catch {
      GraphLog.notice(
        "The sections of fetched results could not be cached in \(file.path): \(error)")
    }
  }

  /// Deletes the file.
  func remove() {
    // One that is not there is deleted already.
    try? FileManager.default.removeItem(at: file)
  }

  /// Deletes all caches of this program.
  static func removeAll() {
    // A folder that is not there has no files.
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
      ?? []
    for file in files where file.lastPathComponent.hasSuffix(ending) {
      try? FileManager.default.removeItem(at: file)
    }
  }
}

// MARK: - Checking

extension SectionCache {
  /// Returns whether objects that are sorted by section name form the given sections.
  ///
  /// - Parameters:
  ///   - sections: The expected sections.
  ///   - objects: The objects. All objects must be faults without unsaved changes, so that their
  ///     section names are the stored values by which the store sorted them.
  ///   - name: A closure that returns the section name of an object.
  /// - Complexity: O(*n*) in the number of sections; reads two objects of each section.
  static func isTrue(
    _ sections: [Section], of objects: [NSManagedObject], name: (NSManagedObject) -> ExactText
  ) -> Bool {
    var end = 0
    for section in sections {
      let start = end
      guard section.count <= objects.count - start else { return false }
      end = start + section.count
      let key = ExactText(section.name)
      guard name(objects[start]) == key, name(objects[end - 1]) == key else { return false }
    }
    return end == objects.count
  }
}
