import AudioFiles
import AudioSamples
import CFileUser
import Foundation
import Glibc
import Testing

/// The files that a walk finds.
@Suite("Folder walk")
struct FolderWalkTests {
  let root: URL

  init() throws { root = try AudioSamples.newFolder() }

  private func make(_ path: String, _ text: String = "x") throws {
    let url = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: root.appendingPathComponent(path).path, withDestinationPath: target)
  }

  private func walk(_ folder: String = "") throws -> (files: [String], troubles: [AudioFileError]) {
    let start = folder.isEmpty ? root : root.appendingPathComponent(folder)
    var (files, troubles): ([String], [AudioFileError]) = ([], [])
    for item in try FolderWalk(start) {
      switch item {
      case .file(let file): files.append(String(file.path.dropFirst(start.path.count + 1)))
      case .trouble(let error): troubles.append(error)
      case .hiddenCopy: break
      }
    }
    return (files, troubles)
  }

  @Test("finds all files in the order of their names, without hidden files")
  func order() throws {
    for path in ["b/2.mp3", "b/10.mp3", "a/c/é.flac", "a/b.ogg", "z.wav", ".hidden/x.mp3", "a/.x"] {
      try make(path)
    }
    #expect(try walk().files == ["a/b.ogg", "a/c/é.flac", "b/10.mp3", "b/2.mp3", "z.wav"])
    #expect(try walk().files == walk().files)
  }

  @Test("reports the hidden copies of this program, and no other hidden files")
  func hiddenCopies() throws {
    let copy = ".kanora-\(UUID().uuidString)"
    for path in ["a/\(copy)", "a/1.mp3", ".kanora-notes", ".other", ".kanora-/x", "a/\(copy).mp3"] {
      try make(path)
    }
    let copies = try FolderWalk(root).compactMap { item -> String? in
      if case .hiddenCopy(let path) = item { path } else { nil }
    }
    #expect(copies == [root.appendingPathComponent("a/\(copy)").path])
    #expect(try walk().files == ["a/1.mp3"])
  }

  @Test("returns the size and the modification time")
  func stamps() throws {
    try make("a.mp3", "12345")
    let time = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: time], ofItemAtPath: root.appendingPathComponent("a.mp3").path)
    let items = Array(try FolderWalk(root))
    let file = FoundFile(
      path: root.appendingPathComponent("a.mp3").path, stamp: FileStamp(size: 5, modified: time))
    #expect(items == [.file(file)])
  }

  @Test("circles of links end, and each file is found once")
  func circles() throws {
    try make("music/a/1.mp3")
    try make("elsewhere/2.mp3")
    try make("elsewhere/deep/3.mp3")
    try link("music/a/up", to: "../..")
    try link("music/self", to: ".")
    try link("music/again.mp3", to: "a/1.mp3")
    try link("music/other", to: "../elsewhere")
    try link("music/twice", to: "../elsewhere")
    try link("elsewhere/back", to: "../music")
    try link("elsewhere/deep/around", to: "..")
    let found = try walk("music")
    #expect(found.files == ["a/1.mp3", "other/2.mp3", "other/deep/3.mp3"])
    #expect(found.troubles.isEmpty)
  }

  @Test("a link to a folder that contains the target of an earlier link brings the other files")
  func linkAroundLink() throws {
    try make("music/1.mp3")
    try make("elsewhere/2.mp3")
    try make("elsewhere/live/3.mp3")
    try make("elsewhere/live/deep/4.mp3")
    try link("elsewhere/live/up", to: "..")
    try link("music/a", to: "../elsewhere/live/deep")
    try link("music/b", to: "../elsewhere/live")
    try link("music/c", to: "../elsewhere")
    let found = try walk("music")
    #expect(found.files == ["1.mp3", "a/4.mp3", "b/3.mp3", "c/2.mp3"])
    #expect(found.troubles.isEmpty)
  }

  @Test("dangling links and unreadable folders are reported and skipped")
  func troubles() throws {
    try make("closed/1.mp3")
    try make("open/2.mp3")
    try link("gone.mp3", to: "nowhere.mp3")
    try link("round.mp3", to: "round.mp3")
    let closed = root.appendingPathComponent("closed").path
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    setfsuid(65_534)
    defer {
      setfsuid(getuid())
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed)
    }
    let found = try walk()
    #expect(found.files == ["open/2.mp3"])
    #expect(found.troubles.map(\.code) == [.notPermitted, .missing, .missing])
  }

  @Test("a name that is not UTF-8 is reported")
  func names() throws {
    let name = root.path + "/"
    let bytes = Array(name.utf8) + [0xE9, 0x2E, 0x6D, 0x70, 0x33, 0]
    let descriptor = bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map {
        open($0.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o600)
      } ?? -1
    }
    #expect(descriptor >= 0)
    close(descriptor)
    let found = try walk()
    #expect(found.files.isEmpty && found.troubles.map(\.code) == [.unreadableName])
  }

  @Test("a folder that is not there, or no folder, cannot be walked")
  func noFolder() throws {
    try make("file.mp3")
    for (name, code) in [("none", AudioFileError.Code.missing), ("file.mp3", .notAFolder)] {
      #expect { try FolderWalk(root.appendingPathComponent(name)) } throws: {
        ($0 as? AudioFileError)?.code == code
      }
    }
  }
}
