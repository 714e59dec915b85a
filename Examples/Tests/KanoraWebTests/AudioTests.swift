import ForumHTML
import Foundation
import KanoraCore
import Testing
import WebTestClient

/// The audio of tracks is sent whole or in parts, and nothing else of the machine is.
@Suite("Audio for pages", .serialized)
struct AudioTests {
  @Test(
    "ranges of bytes are answered as asked",
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
