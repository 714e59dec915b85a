import AudioFiles
import AudioSamples
import Foundation
import Testing

/// Files designed to exhaust the stack, memory or time.
@Suite("Hostile audio files")
struct HostileFileTests {
  private func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func synchsafe(_ value: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) }
  }

  private func tag(_ frames: [UInt8], version: UInt8 = 3) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, 0] + synchsafe(frames.count) + frames
  }

  /// Two frames of silence.
  private var audio: [UInt8] {
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0xC4] + [UInt8](repeating: 0, count: 413)
    return frame + frame + frame
  }

  private func read(_ bytes: [UInt8], _ ending: String) throws -> AudioFile {
    let url = AudioSamples.newURL(ending)
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try AudioFile.read(url)
  }

  private func refusal(_ bytes: [UInt8], _ ending: String) throws -> AudioFileError.Code? {
    do {
      _ = try read(bytes, ending)
      return nil
    } catch let error as AudioFileError {
      return error.code
    }
  }

  @Test("MPEG-4 boxes within boxes")
  func boxes() throws {
    let depth = 200_000
    var bytes: [UInt8] = number(16) + Array("ftypM4A ".utf8) + number(0)
    for level in 0..<depth { bytes += number(8 * (depth - level)) + Array("moov".utf8) }
    #expect(try refusal(bytes, "m4a") == .damaged)
    // Boxes that are larger than their enclosing boxes.
    var larger: [UInt8] = number(16) + Array("ftypM4A ".utf8) + number(0)
    larger += number(24) + Array("moov".utf8)
    for _ in 0..<depth { larger += number(0x7FFF_FFFF) + Array("moov".utf8) }
    #expect(try refusal(larger, "m4a") == .damaged)
  }

  @Test("chapters within chapters", arguments: ["mp3", "flac", "wav"])
  func chapters(_ ending: String) throws {
    let depth = 20_000
    var frames: [UInt8] = []
    // Each chapter: an id, four times and offsets, and the next one.
    let head: [UInt8] = [0x61, 0] + [UInt8](repeating: 0, count: 16)
    for level in 0..<depth {
      let rest = (depth - level - 1) * (10 + head.count)
      frames += Array("CHAP".utf8) + number(head.count + rest) + [0, 0] + head
    }
    let tag = tag(frames)
    switch ending {
    case "wav":
      let wav = [UInt8](
        Tone.wav([UInt8](repeating: 1, count: 8_000), channels: 1, bitsPerSample: 8))
      let size = [UInt8](number(tag.count).reversed())
      #expect(try refusal(wav + Array("id3 ".utf8) + size + tag, ending) == .tooLarge)
    case "flac":
      #expect(
        try refusal(
          tag + Array("fLaC".utf8) + [0x80, 0, 0, 34] + [UInt8](repeating: 1, count: 500), ending)
          == .tooLarge)
    default: #expect(try refusal(tag + audio, ending) == .tooLarge)
    }
  }

  @Test(
    "an Ogg file whose sample rate is zero or too large is rejected", arguments: [0, 0x8000_0000])
  func sampleRate(_ rate: Int) throws {
    var bytes = try [UInt8](
      Data(contentsOf: AudioSamples.make(.ogg, [("TITLE", "Rate")], seconds: 0.2)))
    // The page's header with one segment, the packet's type, the name, the version and the channels precede the rate.
    #expect(bytes[29..<35].elementsEqual("vorbis".utf8))
    bytes.replaceSubrange(40..<44, with: number(rate).reversed())
    #expect(try refusal(bytes, "ogg") == .damaged)
  }

  @Test("an MP3 file of frames alone is read")
  func frames() throws {
    #expect(try read(audio, "mp3").format == .mp3)
    #expect(try read(tag([]) + audio, "mp3").codec == "MP3")
  }

  @Test("a tag that claims to be larger than the file")
  func largeTag() throws {
    let bytes = Array("ID3".utf8) + [3, 0, 0] + synchsafe(200 << 20) + audio
    #expect(try refusal(bytes, "mp3") == .damaged)
  }

  @Test("a compressed frame that expands to a huge size is rejected")
  func expanding() throws {
    // Deflated zero bytes: a block of stored type would not expand, so the encoder's own blocks are repeated.
    let deflated = try Deflated.zeros(megabytes: 64)
    let frames =
      Array("TIT2".utf8) + number(deflated.count + 4) + [0, 0x80] + number(64 << 20) + deflated
    #expect(try refusal(tag(frames) + audio, "mp3") == .tooLarge)
  }
}

/// Zero bytes as zlib writes them.
private enum Deflated {
  static func zeros(megabytes: Int) throws -> [UInt8] {
    let script = "import sys,zlib;sys.stdout.buffer.write(zlib.compress(bytes(\(megabytes)<<20),9))"
    return try [UInt8](Tool.run("python3", ["-c", script]))
  }
}
