import AudioFiles
import AudioSamples
import Foundation
import Testing

/// Files of the usual encoders, compared with the requested values and with ffprobe.
@Suite("Reading audio files", .enabled(if: Tool.areInstalled, "the encoders are absent"))
struct ReadingTests {
  static let fields: [(name: String, value: String)] = [
    ("TITLE", "Ænima “live” – naïve Ωmega"), ("ARTIST", "Sigur Rós"), ("ALBUM", "Ágætis byrjun"),
    ("ALBUMARTIST", "Various Artists"), ("COMPOSER", "Jón Þór Birgisson"), ("GENRE", "Post-Rock"),
    ("DATE", "1999"), ("TRACKNUMBER", "3/12"), ("DISCNUMBER", "2/2"), ("COMPILATION", "1"),
    ("COMMENT", "It’s fine"), ("ARTISTSORT", "Ros, Sigur"), ("ALBUMSORT", "Agaetis byrjun"),
    ("TITLESORT", "Aenima"), ("ALBUMARTISTSORT", "Artists, Various"),
  ]

  @Test(
    "every format: format, codec, tags, length, rate and channels",
    arguments: AudioSamples.Kind.allCases)
  func everyFormat(_ kind: AudioSamples.Kind) throws {
    let url = try AudioSamples.make(kind, Self.fields, seconds: 1.3, channels: 1)
    let file = try AudioFile.read(url)
    let probe = try Probe(url)
    #expect(file.format.extensions.contains(kind.fileExtension))
    #expect(file.sampleRate == probe.sampleRate && file.channels == 1 && probe.channels == 1)
    #expect(
      abs(file.duration - probe.duration) <= kind.secondsOfFrame,
      "\(file.duration) \(probe.duration)")
    #expect(abs(file.duration - 1.3) <= 2 * kind.secondsOfFrame)
    #expect(file.bitrate > 0 && file.stamp.size > 0)
    let codecs: [AudioSamples.Kind: String] = [
      .mp3: "MP3", .flac: "FLAC", .ogg: "Vorbis", .opus: "Opus", .aac: "AAC", .alac: "ALAC",
      .wav: "PCM",
    ]
    #expect(file.codec == codecs[kind])
    let tags = file.tags
    #expect(tags.title == "Ænima “live” – naïve Ωmega" && tags.title == probe.tags["title"])
    #expect(tags.artist == "Sigur Rós" && tags.album == "Ágætis byrjun")
    #expect(tags.genre == "Post-Rock" && tags.comment == "It’s fine")
    #expect(tags.date == TagDate("1999") && tags.track.number == 3)
    // The INFO chunk of WAV files has no more fields.
    if kind == .wav { return }
    #expect(tags.track == PlaceInList("3/12") && tags.disc == PlaceInList("2/2"))
    #expect(tags.albumArtist == "Various Artists" && tags.isCompilation)
    #expect(tags.composer == "Jón Þór Birgisson" && tags.composer == probe.tags["composer"])
    // The program that writes M4A files leaves these out.
    if kind == .aac || kind == .alac { return }
    #expect(tags.sortTitle == "Aenima" && tags.sortArtist == "Ros, Sigur")
    #expect(tags.sortAlbum == "Agaetis byrjun" && tags.sortAlbumArtist == "Artists, Various")
  }

  @Test(
    "full dates, MusicBrainz ids, loudness, lyrics and several values",
    arguments: [AudioSamples.Kind.flac, .ogg, .opus])
  func comments(_ kind: AudioSamples.Kind) throws {
    let url = try AudioSamples.make(
      kind,
      [
        ("DATE", "2001-03-04"), ("MUSICBRAINZ_TRACKID", "r"), ("MUSICBRAINZ_ALBUMID", "a"),
        ("MUSICBRAINZ_ARTISTID", "p"), ("MUSICBRAINZ_ALBUMARTISTID", "q"),
        ("REPLAYGAIN_TRACK_GAIN", "-6.50 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.988"),
        ("REPLAYGAIN_ALBUM_GAIN", "+1.2 dB"), ("LYRICS", "One\nTwo"), ("ARTIST", "A"),
        ("ARTIST", "B"), ("TRACKNUMBER", "07"), ("TRACKTOTAL", "9"), ("TITLE", "  "),
      ])
    let tags = try AudioFile.read(url).tags
    #expect(tags.date?.year == 2001 && tags.date?.month == 3 && tags.date?.day == 4)
    #expect(tags.recordingID == "r" && tags.albumID == "a")
    #expect(tags.artistID == "p" && tags.albumArtistID == "q")
    #expect(tags.trackPeak == 0.988 && tags.lyrics == "One\nTwo")
    #expect(tags["ARTIST"] == ["A", "B"] && tags.artist == "A; B")
    #expect(tags.track == PlaceInList("7/9") && tags.title == nil)
    // The encoder of Opus files leaves such fields out, since their unit is another one.
    if kind != .opus { #expect(tags.trackGain == -6.5 && tags.albumGain == 1.2) }
  }

  @Test("MP3 frames of a user's own names and ids of MusicBrainz")
  func framesOfMP3() throws {
    let url = try AudioSamples.make(
      .mp3,
      [
        ("MUSICBRAINZ_ALBUMID", "a"), ("MUSICBRAINZ_ARTISTID", "p"),
        ("REPLAYGAIN_TRACK_GAIN", "-3.1 dB"), ("DISCNUMBER", "1"),
      ])
    let tags = try AudioFile.read(url).tags
    #expect(tags.albumID == "a" && tags.artistID == "p" && tags.trackGain == -3.1)
    #expect(tags.disc == PlaceInList("1"))
  }

  @Test("files without tags have properties and no texts", arguments: AudioSamples.Kind.allCases)
  func withoutTags(_ kind: AudioSamples.Kind) throws {
    let file = try AudioFile.read(AudioSamples.make(kind))
    #expect(file.tags.title == nil && file.tags.artist == nil && file.tags.album == nil)
    #expect(file.tags.track == PlaceInList(nil) && file.tags.date == nil)
    #expect(file.durationInMilliseconds >= 500 && file.durationInMilliseconds < 600)
  }

  @Test("the content decides, not the extension", arguments: AudioSamples.Kind.allCases)
  func wrongExtension(_ kind: AudioSamples.Kind) throws {
    let url = try AudioSamples.make(kind, [("TITLE", "Named otherwise")])
    let right = try AudioFile.read(url)
    for ending in ["mp3", "flac", "txt"] {
      let other = AudioSamples.newURL(ending)
      try FileManager.default.copyItem(at: url, to: other)
      let file = try AudioFile.read(other)
      #expect(file.format == right.format && file.tags == right.tags)
      #expect(file.fingerprint == right.fingerprint)
    }
  }

  /// The number of generated files; 2,000 take a few minutes.
  private static var fileCount: Int {
    Int(ProcessInfo.processInfo.environment["KANORA_FILES"] ?? "") ?? 21
  }

  @Test("generated files agree with ffprobe")
  func generated() throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["KANORA_FILES_SEED"] ?? "") ?? 5
    print("generated files: \(Self.fileCount), seed \(seed)")
    var maker = TagMaker(seed: seed)
    for number in 0..<Self.fileCount {
      let kind = AudioSamples.Kind.allCases[number % AudioSamples.Kind.allCases.count]
      let fields = maker.fields()
      let url = try AudioSamples.make(
        kind, fields.map { ($0.key, $0.value) }, seconds: Double(maker.below(900) + 100) / 1_000,
        frequency: Double(200 + number), channels: 1 + maker.below(2))
      let (file, probe) = (try AudioFile.read(url), try Probe(url))
      let comment: Comment = "\(number): \(kind), \(fields), \(probe)"
      #expect(file.sampleRate == probe.sampleRate && file.channels == probe.channels, comment)
      #expect(
        abs(file.duration - probe.duration) <= kind.secondsOfFrame + 0.001,
        "\(comment) \(file.duration)")
      #expect(file.tags.title == fields["TITLE"] && file.tags.title == probe.tags["title"], comment)
      #expect(
        file.tags.artist == fields["ARTIST"] && file.tags.artist == probe.tags["artist"], comment)
      #expect(file.tags.album == fields["ALBUM"] && file.tags.album == probe.tags["album"], comment)
      #expect(file.tags.track.number == fields["TRACKNUMBER"].flatMap { Int($0) }, comment)
      try FileManager.default.removeItem(at: url)
    }
  }
}

/// Tags of random words, in which some are missing.
private struct TagMaker {
  private var state: UInt64
  private static let words = [
    "Ångström", "night", "Дорога", "東京", "l’été", "Ñandú", "“Quote”", "a/b", "Déjà", "vu", "Ω",
    "rock & roll", "100%", "naïve", "🎵", "it's",
  ]

  init(seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }

  mutating func fields() -> [String: String] {
    var fields: [String: String] = [:]
    for name in ["TITLE", "ARTIST", "ALBUM"] where below(6) > 0 {
      fields[name] = (0...below(3)).map { _ in Self.words[below(Self.words.count)] }
        .joined(separator: " ")
    }
    if below(4) > 0 { fields["TRACKNUMBER"] = "\(1 + below(30))" }
    return fields
  }
}
