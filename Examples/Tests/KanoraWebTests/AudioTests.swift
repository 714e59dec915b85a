import ForumHTML
import Foundation
import KanoraCore
import Testing
import WebTestClient

/// The site sends the audio of tracks, completely or in parts, and no other files of the machine.
@Suite("Audio for pages", .serialized)
struct AudioTests {
  @Test(
    "requests for byte ranges are answered",
    arguments: [
      (nil, 200, "0123456789", nil), ("bytes=0-3", 206, "0123", "bytes 0-3/10"),
      ("bytes=4-", 206, "456789", "bytes 4-9/10"), ("bytes=-2", 206, "89", "bytes 8-9/10"),
      ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("bytes=-99", 206, "0123456789", "bytes 0-9/10"),
      ("bytes=10-", 416, "", "bytes */10"), ("bytes=-0", 416, "", "bytes */10"),
      ("bytes=99999999999999999999-", 416, "", "bytes */10"),
      ("bytes=0-1,4-5", 200, "0123456789", nil), ("bytes=5-2", 200, "0123456789", nil),
      ("bytes=-", 200, "0123456789", nil), ("bytes=a-b", 200, "0123456789", nil),
      ("lines=0-3", 200, "0123456789", nil),
    ] as [(String?, Int, String, String?)])
  func ranges(_ range: String?, _ status: Int, _ text: String, _ content: String?) async throws {
    try await LibraryTrial.run { trial in
      let track = try trial.giveFile(to: "Taxman")
      let headers = trial.cookie.merging(range.map { ["Range": $0] } ?? [:]) { $1 }
      let answer = try await send(trial.port, "/audio/\(track.id.uuidString)", "GET", headers)
      #expect(answer.status == status)
      #expect(answer.text == text)
      #expect(answer.headers["content-range"] == content)
      #expect(answer.headers["accept-ranges"] == "bytes")
    }
  }

  @Test(
    "a range is sent only for the browser's version of the file, otherwise the whole file")
  func versions() async throws {
    try await LibraryTrial.run { trial in
      let track = try trial.giveFile(to: "Taxman")
      func answer(_ headers: [String: String]) async throws -> WebTestAnswer {
        try await send(
          trial.port, "/audio/\(track.id.uuidString)", "GET",
          trial.cookie.merging(headers) { $1 })
      }
      let old = Date(timeIntervalSince1970: 1_500_000_000)
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: track.filePath)
      let whole = try await answer([:])
      let tag = try #require(whole.headers["etag"])
      #expect(whole.headers["last-modified"] == "Fri, 14 Jul 2017 02:40:00 GMT")
      let expected: [(String, Int)] = [
        (tag, 206), (" \(tag) ", 206), ("Fri, 14 Jul 2017 02:40:00 GMT", 206), ("W/\(tag)", 200),
        ("\"other\"", 200), ("Fri, 14 Jul 2017 02:40:01 GMT", 200), ("no date", 200),
      ]
      for (value, status) in expected {
        let part = try await answer(["Range": "bytes=2-5", "If-Range": value])
        #expect(part.status == status, "\(value)")
        #expect(part.text == (status == 206 ? "2345" : "0123456789"), "\(value)")
        #expect(part.headers["content-range"] == (status == 206 ? "bytes 2-5/10" : nil))
      }
      // A range of a replaced version is not unsatisfiable.
      #expect(try await answer(["Range": "bytes=50-", "If-Range": tag]).status == 416)
      #expect(try await answer(["Range": "bytes=50-", "If-Range": "\"other\""]).status == 200)
      #expect(try await answer(["If-Range": "\"other\""]).status == 200)

      for known in [tag, "\"a\", \(tag)", "W/\(tag)", "*"] {
        let unchanged = try await answer(["If-None-Match": known])
        #expect(unchanged.status == 304 && unchanged.text.isEmpty, "\(known)")
      }
      #expect(try await answer(["If-None-Match": "\"other\""]).status == 200)

      try Data("abcdefghij".utf8).write(to: URL(fileURLWithPath: track.filePath))
      let changed = try await answer(["Range": "bytes=2-5", "If-Range": tag])
      #expect(changed.status == 200 && changed.text == "abcdefghij")
      let fresh = try #require(changed.headers["etag"])
      #expect(fresh != tag)
      #expect(try await answer(["Range": "bytes=2-5", "If-Range": fresh]).text == "cdef")
      #expect(try await answer(["If-None-Match": tag]).status == 200)
    }
  }

  @Test("a track whose file is a symbolic link is sent, like the file that the link leads to")
  func link() async throws {
    try await LibraryTrial.run { trial in
      let track = try trial.giveFile(to: "Taxman")
      let link = URL(fileURLWithPath: track.filePath)
      let file = trial.folder.appendingPathComponent("elsewhere.flac")
      try FileManager.default.moveItem(at: link, to: file)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      let headers = trial.cookie.merging(["Range": "bytes=2-5"]) { $1 }
      let answer = try await send(trial.port, "/audio/\(track.id.uuidString)", "GET", headers)
      #expect(answer.status == 206 && answer.text == "2345")
    }
  }

  @Test("only tracks of the store have audio, and a path in the address leads nowhere")
  func paths() async throws {
    try await LibraryTrial.run { trial in
      for path in [
        "/audio/..%2F..%2Fetc%2Fpasswd", "/audio/%2Fetc%2Fpasswd", "/audio/\(UUID().uuidString)",
        "/audio/\(try trial.track("Taxman").id.uuidString)", "/art/..%2Fcover", "/albums/..%2F..",
      ] {
        #expect(try await send(trial.port, path, "GET", trial.cookie).status == 404, "\(path)")
      }
      #expect(try await send(trial.port, "/audio/\(UUID().uuidString)").status == 403)
    }
  }
}
