public import Foundation

/// The picture for a track: from its file, or else from the folder that the file is in.
///
/// Stateless.
public enum Artwork {
  /// The best picture for an audio file.
  ///
  /// - Parameter url: The audio file.
  /// - Returns: The front cover within the file, another picture within it, or the folder's picture; nil when there is
  ///   none.
  /// - Throws: `AudioFileError` when the audio file cannot be read and the folder has no picture.
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

  /// The picture of a folder: the first of cover, folder, front and album, in any case.
  ///
  /// - Parameter folder: The folder.
  /// - Returns: Nil when there is none that can be read.
  public static func inFolder(_ folder: URL) -> Picture? {
    // What was just found to be a picture may be gone.
    file(inFolder: folder).flatMap { try? Picture.read($0) }
  }

  /// The file of a folder's picture.
  ///
  /// - Parameter folder: The folder.
  /// - Returns: Nil when there is none that can be read.
  public static func file(inFolder folder: URL) -> URL? {
    // A folder that cannot be read has no picture; its tracks report it.
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return nil
    }
    let byName = Dictionary(
      entries.sorted().map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for name in names {
      for ending in extensions {
        guard let entry = byName["\(name).\(ending)"] else { continue }
        let url = folder.appendingPathComponent(entry)
        // A picture that cannot be read is passed over for the next one.
        if (try? Picture.read(url)) != nil { return url }
      }
    }
    return nil
  }
}
