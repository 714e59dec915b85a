import AudioFiles
import Testing

/// Texts of tags as values.
@Suite("Tags")
struct AudioTagsTests {
  @Test("numbers and counts in the usual forms")
  func places() {
    let cases: [(String?, Int?, Int?)] = [
      ("3", 3, nil), ("03", 3, nil), ("3/12", 3, 12), ("3 of 12", 3, 12), ("/12", nil, 12),
      ("A3", 3, nil), ("0", nil, nil), ("0/0", nil, nil), ("", nil, nil), (nil, nil, nil),
      ("99999", nil, nil), ("99999999999999999999", nil, nil), ("-", nil, nil), ("٣", nil, nil),
    ]
    for (text, number, count) in cases {
      let place = PlaceInList(text)
      #expect(place.number == number && place.count == count, "\(text ?? "nil")")
    }
    #expect(PlaceInList("3", count: "9").count == 9 && PlaceInList("3/12", count: "9").count == 12)
  }

  @Test("dates of years, months and days")
  func dates() {
    let cases: [(String, [Int?]?)] = [
      ("1999", [1999, nil, nil]), ("1999-12", [1999, 12, nil]), ("1999-12-31", [1999, 12, 31]),
      ("19991231", [1999, 12, 31]), ("1999-12-31T10:00:00Z", [1999, 12, 31]),
      ("1999/02/03", [1999, 2, 3]), ("1999-13-40", [1999, nil, nil]),
      ("1999 (remaster)", [1999, nil, nil]),
      ("0000", nil), ("", nil), ("next year", nil), ("99", nil), ("123456", nil),
    ]
    for (text, parts) in cases {
      let date = TagDate(text)
      #expect(date.map { [$0.year, $0.month, $0.day] } == parts, "\(text)")
    }
  }

  @Test("texts lose margins and zero bytes, and empty ones are missing")
  func texts() {
    let tags = AudioTags([
      ("title", " A \0\0"), ("ARTIST", " "), ("ALBUM ARTIST", "B"), ("COMPILATION", "0"),
      ("REPLAYGAIN_TRACK_GAIN", "nan dB"), ("REPLAYGAIN_ALBUM_GAIN", "-7dB"), ("YEAR", "1970"),
    ])
    #expect(tags.title == "A" && tags.artist == nil && tags.albumArtist == "B")
    #expect(!tags.isCompilation && tags.trackGain == nil && tags.albumGain == -7)
    #expect(tags.date?.year == 1970)
    #expect(tags.names.contains("TITLE") && !tags.names.contains("ARTIST"))
  }
}
