import AudioFiles
import AudioSamples
import Foundation
import Testing

/// Tags that are written into files of the usual encoders, and read again and with ffprobe.
@Suite("Writing tags", .enabled(if: Tool.areInstalled, "the encoders are absent"))
struct WritingTests {
  private static let fields: [(name: String, value: String)] = [
    ("TITLE", "Old"), ("ARTIST", "Sigur Rós"), ("ALBUM", "Ágætis"), ("GENRE", "Rock"),
    ("DATE", "1999"), ("TRACKNUMBER", "3/12"),
  ]

  /// The names of the files in the folder of a file, which has no other files.
  private func names(beside url: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
  }

  /// A file in a separate folder.
  private func make(_ kind: AudioSamples.Kind) throws -> URL {
    let file = try AudioSamples.make(
      kind, Self.fields, picture: kind == .wav || kind == .ogg ? nil : AudioSamples.png)
    let url = try AudioSamples.newFolder().appendingPathComponent("a.\(kind.fileExtension)")
    try FileManager.default.moveItem(at: file, to: url)
    return url
  }

  @Test(
    "fields are replaced and removed, and the audio, the pictures and the other fields stay",
    arguments: AudioSamples.Kind.allCases)
  func everyFormat(_ kind: AudioSamples.Kind) throws {
    let url = try make(kind)
    let old = try AudioFile.read(url)
    try AudioFile.rewriteTags(of: url) { tags in
      #expect(tags == old.tags)
      return [
        "TITLE": ["Ænima “live” Ωmega"], "COMPOSER": ["Jón"], "TRACKNUMBER": ["4/12"],
        "LYRICS": ["One\nTwo"], "GENRE": [],
      ]
    }
    let (new, probe) = (try AudioFile.read(url), try Probe(url))
    #expect(new.tags.title == "Ænima “live” Ωmega" && probe.tags["title"] == new.tags.title)
    #expect(new.tags.composer == "Jón" && new.tags.lyrics == "One\nTwo")
    #expect(new.tags.track == PlaceInList("4/12") && new.tags.genre == nil)
    #expect(new.tags.artist == "Sigur Rós" && new.tags.album == "Ágætis")
    #expect(new.tags.date == TagDate("1999"))
    #expect(new.fingerprint == old.fingerprint && new.pictureCount == old.pictureCount)
    #expect(new.durationInMilliseconds == old.durationInMilliseconds && new.codec == old.codec)
    #expect(try names(beside: url) == [url.lastPathComponent])
  }

  @Test("the version of ID3v2 tags stays, and no other tag is added")
  func id3() throws {
    let url = try make(.mp3)
    let version = try Data(contentsOf: url).prefix(5)
    let hadID3v1 = try Data(contentsOf: url).suffix(128).starts(with: Data("TAG".utf8))
    try AudioFile.rewriteTags(of: url) { _ in ["TITLE": ["New"]] }
    let data = try Data(contentsOf: url)
    #expect(data.prefix(5) == version)
    #expect(data.suffix(128).starts(with: Data("TAG".utf8)) == hadID3v1)
  }

  @Test("a link stays a link, permissions stay, and no changes write nothing")
  func links() throws {
    let url = try make(.flac)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
    let link = try AudioSamples.newFolder().appendingPathComponent("link.flac")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let stamp = try FileStamp(of: url)
    try AudioFile.rewriteTags(of: link) { _ in [:] }
    #expect(try FileStamp(of: url) == stamp)
    try AudioFile.rewriteTags(of: link) { _ in ["TITLE": ["New"]] }
    #expect(try AudioFile.read(url).tags.title == "New")
    let manager = FileManager.default
    #expect(try manager.destinationOfSymbolicLink(atPath: link.path) == url.path)
    let mode = try manager.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o640)
  }

  @Test("a file that another program changes at the same time, or that is damaged, stays as it is")
  func refusals() throws {
    let url = try make(.flac)
    let error = #expect(throws: AudioFileError.self) {
      try AudioFile.rewriteTags(of: url) { _ in
        try Tool.run("metaflac", ["--set-tag=COMMENT=Later", url.path])
        return ["TITLE": ["New"]]
      }
    }
    #expect(error?.code == .changing)
    let tags = try AudioFile.read(url).tags
    #expect(tags.title == "Old" && tags.comment == "Later")
    let whole = try Data(contentsOf: url)
    try whole.prefix(whole.count / 2).write(to: url)
    let damaged = #expect(throws: AudioFileError.self) {
      try AudioFile.rewriteTags(of: url) { _ in ["TITLE": ["New"]] }
    }
    #expect(damaged?.code == .damaged)
    #expect(try Data(contentsOf: url) == whole.prefix(whole.count / 2))
    #expect(try names(beside: url) == ["a.flac"])
  }
}
