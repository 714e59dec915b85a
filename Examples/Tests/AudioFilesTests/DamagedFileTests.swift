import AudioFiles
import AudioSamples
import CFileUser
import Foundation
import Glibc
import Testing

/// Unreadable files cause errors that state the reason.
@Suite("Damaged audio files", .enabled(if: Tool.areInstalled, "the encoders are absent"))
struct DamagedFileTests {
  private func write(_ bytes: some Collection<UInt8>, _ ending: String = "mp3") throws -> URL {
    let url = AudioSamples.newURL(ending)
    try Data(bytes).write(to: url)
    return url
  }

  private func code(_ url: URL) -> AudioFileError.Code? {
    do throws(AudioFileError) {
      let file = try AudioFile.read(url)
      #expect(file.sampleRate > 0 && file.channels > 0 && file.durationInMilliseconds >= 0)
      #expect(file.fingerprint.count == 64)
      return nil
    } catch {
      #expect(error.path == url.path && error.message.hasSuffix("."))
      return error.code
    }
  }

  @Test("no file, a folder, a pipe, a circle of links, no bytes, and other content")
  func notAudio() throws {
    let folder = try AudioSamples.newFolder()
    #expect(code(folder) == .notAFile)
    #expect(code(folder.appendingPathComponent("none.mp3")) == .missing)
    let circle = folder.appendingPathComponent("circle.mp3")
    try FileManager.default.createSymbolicLink(at: circle, withDestinationURL: circle)
    #expect(code(circle) == .missing)
    let pipe = folder.appendingPathComponent("pipe.mp3")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    #expect(code(pipe) == .notAFile)
    #expect(try code(write([])) == .empty)
    #expect(try code(write("This is no music.".utf8)) == .unsupported)
    #expect(try code(write([UInt8](repeating: 0, count: 5_000))) == .unsupported)
    #expect(
      try code(write([0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC] + [1, 2, 3], "aac")) == .unsupported
    )
    #expect(try code(write(AudioSamples.png, "png")) == .unsupported)
  }

  @Test("a WAV file without samples")
  func noSamples() throws {
    #expect(try code(write(Tone.wav([], channels: 2, bitsPerSample: 16), "wav")) == .damaged)
  }

  @Test("a file without read permission")
  func notPermitted() throws {
    let url = try write([1, 2, 3])
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    // The superuser can read every file, unless the thread accesses files as another user.
    setfsuid(65_534)
    defer { setfsuid(getuid()) }
    let folder = url.deletingLastPathComponent().path
    try #require(access(folder, X_OK) == 0 || getuid() != 0)
    #expect(code(url) == .notPermitted)
  }

  @Test(
    "a file that is cut in its audio", arguments: AudioSamples.Kind.allCases)
  func cut(_ kind: AudioSamples.Kind) throws {
    let bytes = try Data(contentsOf: AudioSamples.make(kind, [("TITLE", "Cut")], seconds: 3))
    #expect(try code(write(bytes.prefix(bytes.count * 2 / 3))) == .damaged)
  }

  @Test(
    "a file truncated at any byte is read or rejected with a message",
    arguments: AudioSamples.Kind.allCases)
  func cutAnywhere(_ kind: AudioSamples.Kind) throws {
    let bytes = try Data(
      contentsOf: AudioSamples.make(kind, ReadingTests.fields, picture: AudioSamples.png))
    for size in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 30)) {
      _ = try code(write(bytes.prefix(size)))
    }
    for size in 0..<64 { #expect(try code(write(bytes.prefix(size))) != nil) }
  }

  /// The number of damaged files; 20,000 take some minutes.
  private static var fuzzCount: Int {
    Int(ProcessInfo.processInfo.environment["KANORA_FUZZ"] ?? "") ?? 120
  }

  @Test(
    "files with changed bytes are read or rejected, and do not end the program",
    arguments: AudioSamples.Kind.allCases)
  func changedBytes(_ kind: AudioSamples.Kind) throws {
    let whole = try [UInt8](
      Data(
        contentsOf: AudioSamples.make(
          kind, ReadingTests.fields, picture: AudioSamples.png, seconds: 0.2)))
    let url = AudioSamples.newURL("mp3")
    for seed in 0..<Self.fuzzCount {
      var state = UInt64(seed) &* 2_654_435_761 &+ 12_345
      func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
      }
      var bytes = whole
      // Most of the relevant bytes are at the two ends.
      for _ in 0...below(8) {
        let place = below(3) == 0 ? below(bytes.count) : min(below(700), bytes.count - 1)
        let index = below(4) == 0 ? bytes.count - 1 - place : place
        bytes[index] = below(2) == 0 ? UInt8(below(256)) : [0, 0x7F, 0x80, 0xFF][below(4)]
      }
      try Data(bytes).write(to: url)
      _ = code(url)
      _ = try? AudioFile.pictures(in: url)
    }
  }
}
