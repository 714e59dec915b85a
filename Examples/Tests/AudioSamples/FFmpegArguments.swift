import Foundation

/// Fields as arguments of ffmpeg.
///
/// Stateless.
enum FFmpegArguments {
  private static let keys = [
    "TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "ALBUMARTIST": "album_artist",
    "COMPOSER": "composer", "GENRE": "genre", "DATE": "date", "TRACKNUMBER": "track",
    "DISCNUMBER": "disc", "COMPILATION": "compilation", "COMMENT": "comment", "LYRICS": "lyrics",
    "TITLESORT": "sort_name", "ARTISTSORT": "sort_artist", "ALBUMSORT": "sort_album",
    "ALBUMARTISTSORT": "sort_album_artist",
  ]

  static func make(
    _ kind: AudioSamples.Kind, _ fields: [(name: String, value: String)], tone: URL, picture: URL?
  ) -> [String] {
    let codecs = [AudioSamples.Kind.aac: "aac", .alac: "alac", .wav: "pcm_s16le"]
    var arguments = ["-nostdin", "-v", "error", "-i", tone.path]
    if let picture, kind != .wav {
      arguments += [
        "-i", picture.path, "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v",
        "attached_pic",
      ]
    }
    arguments += ["-c:a", codecs[kind] ?? "copy"]
    for field in fields {
      if let key = keys[field.name] { arguments += ["-metadata", "\(key)=\(field.value)"] }
    }
    return arguments
  }
}
