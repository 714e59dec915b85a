internal import Foundation
internal import OpenObjectModel

/// The sections of fetched results, cached in a file between launches of the program.
///
/// A request that reads its rows in batches would have to read all rows to find the names of the
/// sections. The cache says where each section should begin and end, and only the rows at these
/// places are read to check it. The cache may therefore be outdated, damaged or from another
/// request. If the check fails, all rows are read and the cache is rewritten.
///
/// A value; each write replaces the whole file.
struct SectionCache: Sendable {
  /// A section's name and the number of its rows.
  struct Section: Codable, Equatable {
    var name: String
    var count: Int
  }

  private let file: URL

  /// Creates a cache with a name.
  ///
  /// - Parameter name: The name that the program chose for the cache, which may be any text.
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

  /// Reads the sections, or returns nil if there is no file or no section in it.
  func read() -> [Section]? {
    // A cache that cannot be read is none.
    guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize,
      size <= Self.sizeLimit, let data = try? Data(contentsOf: file)
    else { return nil }
    guard let sections = try? JSONDecoder().decode([Section].self, from: data),
      sections.allSatisfy({ $0.count > 0 }), Set(sections.map(\.name)).count == sections.count
    else { return nil }
    return sections
  }

  /// Replaces the file. If it cannot be written, the error is logged and the old file remains.
  func write(_ sections: [Section]) {
    do {
      let data = try JSONEncoder().encode(sections)
      guard data.count <= Self.sizeLimit else { return remove() }
      try UserFolders.make(Self.folder)
      try data.write(to: file, options: .atomic)
    } catch {
      GraphLog.notice("The sections of fetched results could not be kept in \(file.path): \(error)")
    }
  }

  /// Deletes the file.
  func remove() {
    // One that is not there is deleted already.
    try? FileManager.default.removeItem(at: file)
  }

  /// Deletes the caches of all names that this program used.
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
  ///   - objects: The objects, none of which has been read yet, so that each object's section name
  ///     is its sort value.
  ///   - name: Returns the section name of an object.
  /// - Complexity: Reads two objects of each section.
  static func isTrue(
    _ sections: [Section], of objects: [NSManagedObject], name: (NSManagedObject) -> String
  ) -> Bool {
    var end = 0
    for section in sections {
      let start = end
      guard section.count <= objects.count - start else { return false }
      end = start + section.count
      guard name(objects[start]) == section.name, name(objects[end - 1]) == section.name
      else { return false }
    }
    return end == objects.count
  }
}
