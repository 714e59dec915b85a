import AudioFiles
import AudioSamples
import Foundation
import KanoraCore
import OpenPersistenceKit
import Testing

/// A folder of files of all formats, sound and damaged.
@Suite("Scans of real files", .enabled(if: Tool.areInstalled, "the encoders are absent"))
struct RealFileScanTests {
  @Test(
    "every format is stored, bad files are listed, moved and retagged ones recognised, pictures found"
  )
  func everything() async throws {
    let trial = try ScanTrial()
    let scanner = LibraryScanner(trial.store)
    for (index, kind) in AudioSamples.Kind.allCases.enumerated() {
      let file = try AudioSamples.make(
        kind, [("TITLE", "T\(kind.rawValue)"), ("ARTIST", "Sigur Rós"), ("ALBUM", "Ágætis")],
        picture: kind == .wav ? nil : AudioSamples.png, frequency: 300 + 20 * Double(index))
      try FileManager.default.moveItem(
        at: file, to: trial.music.appendingPathComponent("\(kind.rawValue).\(kind.fileExtension)"))
    }
    try Data().write(to: trial.music.appendingPathComponent("empty.mp3"))
    let whole = try Data(contentsOf: trial.music.appendingPathComponent("wav.wav"))
    try whole.prefix(whole.count / 2).write(to: trial.music.appendingPathComponent("cut.wav"))
    // Music without a name that says so.
    try FileManager.default.moveItem(
      at: AudioSamples.make(.flac, [("TITLE", "Named otherwise")], frequency: 700),
      to: trial.music.appendingPathComponent("data.bin"))
    let library = try await scanner.library(at: trial.music)
    let report = try await scanner.scan(library)
    #expect(report.newCount == AudioSamples.Kind.allCases.count + 1 && report.badCount == 2)
    #expect(
      try trial.badFiles() == [
        "cut.wav: The file is truncated before the end of its audio. Replace the file with an intact copy.",
        "empty.mp3: The file is empty. Replace it with an intact copy.",
      ])
    #expect(try trial.count("Album") == 2 && trial.count("Artist") == 2)
    #expect(try await scanner.scan(library).unchangedCount == AudioSamples.Kind.allCases.count + 1)

    try Tool.run(
      "metaflac",
      [
        "--remove-tag=TITLE", "--set-tag=TITLE=New",
        trial.music.appendingPathComponent("flac.flac").path,
      ])
    try trial.move("flac.flac", to: "elsewhere/renamed.flac")
    #expect(try await scanner.scan(library).movedCount == 1)
    #expect(
      try trial.tracks().contains("elsewhere/renamed.flac: Sigur Rós, Sigur Rós / Ágætis 1.0 New"))

    var (album, track): (UUID?, UUID?)
    try trial.edit("New") { found, _ in (album, track) = (found.album?.id, found.id) }
    let artwork = LibraryArtwork(trial.store)
    #expect(try artwork.picture(ofAlbum: #require(album))?.data == AudioSamples.png)
    #expect(try artwork.picture(ofTrack: #require(track))?.mediaType == "image/png")
    #expect(try artwork.picture(ofAlbum: UUID()) == nil)
    try trial.edit("Named otherwise") { found, _ in album = found.album?.id }
    #expect(try artwork.picture(ofAlbum: #require(album)) == nil)
    try AudioSamples.png.write(to: trial.music.appendingPathComponent("Cover.png"))
    #expect(try artwork.picture(ofAlbum: #require(album)) != nil)
  }
}
