import Foundation

/// A resource bundle beside the test program, with one file.
///
/// Foundation lists the files of a bundle once, and other tests search all bundles, so the bundle
/// appears together with its file.
struct TestBundle {
  private let url: URL

  /// Creates the bundle.
  ///
  /// - Parameters:
  ///   - file: The name of the file.
  ///   - write: Writes the file to a URL.
  init(file: String, write: (URL) throws -> Void) throws {
    let folder = Bundle.main.bundleURL.appendingPathComponent("TestBundle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(folder.appendingPathComponent(file))
    url = folder.appendingPathExtension("resources")
    try FileManager.default.moveItem(at: folder, to: url)
  }

  /// Removes the bundle; a remaining bundle is harmless.
  func remove() { try? FileManager.default.removeItem(at: url) }
}
