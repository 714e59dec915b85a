import AudioFiles
import AudioSamples
import Foundation
import Testing

/// Pictures from files and folders.
@Suite("Artwork", .enabled(if: Tool.areInstalled, "the encoders are absent"))
struct ArtworkTests {
  @Test(
    "the picture within a file of every format",
    arguments: AudioSamples.Kind.allCases.filter { $0 != .wav })
  func embedded(_ kind: AudioSamples.Kind) throws {
    let url = try AudioSamples.make(kind, picture: AudioSamples.png)
    #expect(try AudioFile.read(url).pictureCount == 1)
    let picture = try #require(try Artwork.find(for: url))
    #expect(picture.data == AudioSamples.png && picture.mediaType == "image/png")
    // The MP3 encoder does not set the picture type.
    #expect(picture.kind == (kind == .mp3 ? 0 : Picture.frontCover))
  }

  @Test("the front cover comes before other pictures")
  func frontFirst() throws {
    let url = try AudioSamples.make(.flac)
    let (image, folder) = (AudioSamples.newURL("png"), try AudioSamples.newFolder())
    try AudioSamples.png.write(to: image)
    // A JPEG's first bytes are enough to distinguish it from the cover.
    let back = folder.appendingPathComponent("back.jpg")
    try Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]).write(to: back)
    try Tool.run("metaflac", ["--import-picture-from=4|image/jpeg||1x1x24|\(back.path)", url.path])
    try Tool.run("metaflac", ["--import-picture-from=3||||\(image.path)", url.path])
    #expect(try AudioFile.pictures(in: url).map(\.kind) == [3, 4])
  }

  @Test("a folder's picture, in any case of letters, is used where the file has none")
  func folder() throws {
    let folder = try AudioSamples.newFolder()
    let track = folder.appendingPathComponent("a.flac")
    try FileManager.default.moveItem(at: AudioSamples.make(.flac), to: track)
    #expect(try Artwork.find(for: track) == nil)
    // Not a picture, in spite of its name.
    try Data("secret".utf8).write(to: folder.appendingPathComponent("cover.jpg"))
    #expect(try Artwork.find(for: track) == nil)
    try AudioSamples.png.write(to: folder.appendingPathComponent("Front.PNG"))
    #expect(try Artwork.find(for: track)?.mediaType == "image/png")
    #expect(Artwork.inFolder(folder)?.data == AudioSamples.png)
    // A damaged track also has the folder's picture.
    let damaged = folder.appendingPathComponent("b.mp3")
    try Data([1]).write(to: damaged)
    #expect(try Artwork.find(for: damaged) != nil)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("Front.PNG"))
    #expect(throws: AudioFileError.self) { try Artwork.find(for: damaged) }
  }
}
