internal import Foundation
internal import OpenObjectModel

/// The sections that results had when they were last read through, kept in a file from one run of the program to the next.
///
/// Where a request reads its rows in batches, the names of the sections would make it read all of them. The cache says where the
/// sections may begin, and the rows at these places are read to find out whether it is right. So it may be old, damaged or of
/// another request: then the rows are read, and the cache is rewritten.
///
/// A value; the file is replaced as a whole.
struct SectionCache: Sendable {
  /// A section's name, and how many rows it had.
  struct Section: Codable, Equatable {
    var name: String
    var count: Int
  }

  private let file: URL

  /// - Parameter name: The name that the program gave the cache; any text.
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

  /// The sections; nil if there is no file, or it contains none.
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

  /// Replaces the file; a cache that cannot be written is logged, and stays as it was.
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

  /// Deletes the files of all names that this program used.
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
  /// Whether objects, in the order of their section names, are in these sections.
  ///
  /// - Parameters:
  ///   - objects: The objects. None was read yet, so that its name is the one it is sorted by.
  ///   - name: Reads the section name of an object.
  /// - Complexity: Two objects of each section are read.
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
