public import Foundation

/// The picture for a track, from its file or from the folder that contains the file.
///
/// Stateless.
public enum Artwork {
  /// Returns the best picture for an audio file.
  ///
  /// - Parameter url: The audio file.
  /// - Returns: The front cover in the file, another picture in it, or the folder's picture; nil if there is none.
  /// - Throws: `AudioFileError` if the audio file cannot be read and the folder has no picture.
  /// > Concurrency: Any thread; blocks while files are read.
  public static func find(for url: URL) throws(AudioFileError) -> Picture? {
    do {
      if let picture = try AudioFile.pictures(in: url).first { return picture }
    } catch {
      guard let picture = inFolder(url.deletingLastPathComponent()) else { throw error }
      return picture
    }
    return inFolder(url.deletingLastPathComponent())
  }

  private static let names = ["cover", "folder", "front", "album"]
  private static let extensions = ["jpg", "jpeg", "png", "webp", "gif"]

  /// Returns the picture of a folder: the first of cover, folder, front and album, ignoring case.
  ///
  /// - Parameter folder: The folder.
  /// - Returns: The picture, or nil if there is no readable picture.
  public static func inFolder(_ folder: URL) -> Picture? {
    // The file may have been deleted since it was found.
    file(inFolder: folder).flatMap { try? Picture.read($0) }
  }

  /// Returns the file of a folder's picture.
  ///
  /// - Parameter folder: The folder.
  /// - Returns: The file, or nil if there is no readable picture.
  public static func file(inFolder folder: URL) -> URL? {
    // A folder that cannot be read has no picture; its tracks report the error.
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return nil
    }
    let byName = Dictionary(
      entries.sorted().map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for name in names {
      for ending in extensions {
        guard let entry = byName["\(name).\(ending)"] else { continue }
        let url = folder.appendingPathComponent(entry)
        // A picture that cannot be read is skipped.
        if (try? Picture.read(url)) != nil { return url }
      }
    }
    return nil
  }
}
