import Foundation

/// Fields as arguments of the MP3 encoder.
///
/// Stateless.
enum LameArguments {
  private static let options = [
    "TITLE": "--tt", "ARTIST": "--ta", "ALBUM": "--tl", "DATE": "--ty", "TRACKNUMBER": "--tn",
    "GENRE": "--tg", "COMMENT": "--tc",
  ]
  private static let frames = [
    "ALBUMARTIST": "TPE2", "DISCNUMBER": "TPOS", "COMPOSER": "TCOM", "COMPILATION": "TCMP",
    "ARTISTSORT": "TSOP", "ALBUMSORT": "TSOA", "TITLESORT": "TSOT", "ALBUMARTISTSORT": "TSO2",
    "MUSICBRAINZ_ALBUMID": "TXXX=MusicBrainz Album Id",
    "MUSICBRAINZ_ARTISTID": "TXXX=MusicBrainz Artist Id",
    "REPLAYGAIN_TRACK_GAIN": "TXXX=REPLAYGAIN_TRACK_GAIN",
    "REPLAYGAIN_TRACK_PEAK": "TXXX=REPLAYGAIN_TRACK_PEAK",
  ]

  static func make(_ fields: [(name: String, value: String)], picture: URL?) -> [String] {
    var arguments = ["--quiet", "--add-id3v2", "--id3v2-utf16"]
    for field in fields {
      if let option = options[field.name] { arguments += [option, field.value] }
      if let frame = frames[field.name] { arguments += ["--tv", "\(frame)=\(field.value)"] }
    }
    return arguments + (picture.map { ["--ti", $0.path] } ?? [])
  }
}
