import AudioFiles
import AudioSamples
import Foundation
import Testing

/// The digest of the audio alone.
@Suite("Fingerprints", .enabled(if: Tool.areInstalled, "the encoders are absent"))
struct FingerprintTests {
  private func write(_ data: Data, _ ending: String) throws -> URL {
    let url = AudioSamples.newURL(ending)
    try data.write(to: url)
    return url
  }

  @Test("is the SHA-256 digest of the samples of a WAV file")
  func vectors() throws {
    let short = Tone.wav(Array("abc".utf8), channels: 1, bitsPerSample: 8)
    #expect(
      try AudioFile.read(write(short, "wav")).fingerprint
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let long = Tone.wav([UInt8](repeating: 0x61, count: 1_000_000), channels: 1, bitsPerSample: 8)
    #expect(
      try AudioFile.read(write(long, "wav")).fingerprint
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(
    "stays the same with new tags and a picture, and differs for other audio",
    arguments: AudioSamples.Kind.allCases)
  func retagged(_ kind: AudioSamples.Kind) throws {
    let url = try AudioSamples.make(kind, [("TITLE", "Old")], seconds: 2)
    let file = try AudioFile.read(url)
    let other = try AudioFile.read(retag(url, kind))
    #expect(file.tags.title == "Old" && other.tags.title == "New")
    #expect(other.stamp != file.stamp)
    #expect(other.fingerprint == file.fingerprint)
    #expect(file.fingerprint.count == 64)
    let louder = try AudioFile.read(
      AudioSamples.make(kind, [("TITLE", "Old")], seconds: 2, frequency: 450))
    #expect(louder.fingerprint != file.fingerprint)
  }

  /// The same audio with another title and a long comment, which moves all bytes after the tags.
  private func retag(_ url: URL, _ kind: AudioSamples.Kind) throws -> URL {
    let comment = String(repeating: "long ", count: 20_000)
    let copy = AudioSamples.newURL(url.pathExtension)
    switch kind {
    case .flac:
      try FileManager.default.copyItem(at: url, to: copy)
      let image = try write(AudioSamples.png, "png")
      try Tool.run(
        "metaflac",
        [
          "--remove-tag=TITLE", "--set-tag=TITLE=New", "--set-tag=COMMENT=\(comment)",
          "--import-picture-from=\(image.path)", copy.path,
        ])
    case .ogg:
      let tags = try write(Data("TITLE=New\nCOMMENT=\(comment)\n".utf8), "txt")
      try Tool.run("vorbiscomment", ["-w", "-c", tags.path, url.path, copy.path])
    case .mp3:
      let data = try Data(contentsOf: url)
      let id3 = 10 + data[6..<10].reduce(0) { $0 << 7 | Int($1) }
      let audio = data.dropFirst(id3).dropLast(
        data.suffix(128).starts(with: Data("TAG".utf8)) ? 128 : 0)
      try
        (MadeTags.id3v2(title: "New", padding: 5_000) + audio + MadeTags.ape + MadeTags.lyrics3
        + MadeTags.id3v1(title: "New"))
        .write(to: copy)
    case .opus, .aac, .alac, .wav:
      try Tool.run(
        "ffmpeg",
        [
          "-nostdin", "-v", "error", "-i", url.path, "-c", "copy", "-metadata", "title=New",
          "-metadata:s:a", "title=New", "-metadata", "comment=\(comment)", copy.path,
        ])
    }
    return copy
  }
}

/// Tags of MPEG files as bytes.
private enum MadeTags {
  static func id3v2(title: String, padding: Int) -> Data {
    let text = [3] + Array(title.utf8)
    let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
    let size = frame.count + padding
    return Data(
      Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) } + frame
        + [UInt8](repeating: 0, count: padding))
  }

  static func id3v1(title: String) -> Data {
    let name = Array(title.utf8)
    return Data(
      Array("TAG".utf8) + name + [UInt8](repeating: 0, count: 124 - name.count) + [255])
  }

  /// An APE tag of no items, with a header.
  static let ape: Data = {
    func block(_ flags: UInt8) -> [UInt8] {
      Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, flags]
        + [UInt8](repeating: 0, count: 8)
    }
    return Data(block(0xA0) + block(0x80))
  }()

  static let lyrics3: Data = {
    let body = "LYRICSBEGININD0000200LYR00003abc"
    return Data((body + "0000" + String(body.utf8.count) + "LYRICS200").utf8)
  }()
}
