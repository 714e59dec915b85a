import AudioFiles
import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The files that pages show and play: covers, audio, and the stylesheet and scripts of the pages.
struct FilePages: Sendable {
  let parts: PageParts

  /// Answers a request for one of these files, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    switch (request.method, path.first, path.count) {
    case (.get, "art", 2): return try picture(path[1])
    case (.get, "audio", 2): return try await audio(path[1])
    case (.get, "site.css", 1): return try .file("kanora.css", in: .module)
    case (.get, "player.js", 1): return try .file("player.js", in: .module)
    case (.get, "order.js", 1): return try .file("order.js", in: .module)
    default: return nil
    }
  }

  private func picture(_ text: String) throws -> WebAnswer {
    guard let id = UUID(uuidString: text),
      let picture = try LibraryArtwork(parts.store).picture(ofAlbum: id)
    else { return PageParts.missing("picture") }
    return .file(picture.data, contentType: picture.mediaType)
  }

  /// Returns the audio of a track. The path always comes from the store.
  private func audio(_ text: String) async throws -> WebAnswer {
    guard let id = UUID(uuidString: text) else { return PageParts.missing("track") }
    let rows = try await parts.feed.store.read { try LibraryLists.tracks([id], in: $0) }
    guard let track = rows.first else { return PageParts.missing("track") }
    guard FileManager.default.isReadableFile(atPath: track.filePath) else {
      return .page(
        PageParts.problem(
          title: "File not available",
          reason:
            "The file of this track is missing or cannot be read. When the file is available again, scan the library."
        ),
        status: 404)
    }
    return .stream(
      URL(fileURLWithPath: track.filePath),
      contentType: AudioFormat(rawValue: track.format)?.mediaType ?? "application/octet-stream")
  }
}
