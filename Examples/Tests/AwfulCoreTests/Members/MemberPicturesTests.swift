import AwfulCore
import CoreData
import ForumClient
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

/// Avatars are fetched from the site, and stored.
@Suite("Avatars and pictures", .serialized)
struct MemberPicturesTests {
  /// Runs a test with a store in a file, and the address of an avatar on the site.
  private func run(_ body: (SyncTrial, String) async throws -> Void) async throws {
    let temporary = try TemporaryStore()
    try await SyncTrial.run(store: temporary.store) { trial in
      try await trial.logIn()
      try await trial.sync()
      let titles = try trial.store.performBatchOperation { context in
        let request = NSFetchRequest<User>(entityName: "User")
        request.sortDescriptors = [NSSortDescriptor(key: "userID", ascending: true)]
        return try context.fetch(request).compactMap(\.customTitleHTML)
      }
      let address = try #require(titles.compactMap { AuthorTitle($0).avatar }.first)
      trial.server.resetCounters()
      try await body(trial, address)
    }
    withExtendedLifetime(temporary) {}
  }

  private func path(_ address: String) -> String { String(address.drop { $0 == "/" }) }

  @Test("an avatar is fetched once, without cookies, and is then shown without the site")
  func stored() async throws {
    try await run { trial, address in
      let pictures = trial.connection(now: { Date() }).pictures
      let picture = try #require(await pictures.picture(at: address))
      #expect(picture.contentType == "image/png")
      #expect(await pictures.picture(at: address) == picture)
      #expect(trial.server.counters.requestsByPath == [path(address): 1])
      #expect(trial.server.counters.requestsByUser == ["": 1])
      #expect(pictures.byteCount > 0)
      await trial.server.stop()
      #expect(await trial.connection(now: { Date() }).pictures.picture(at: address) == picture)
      #expect(await MemberPictures(of: trial.store).picture(at: address) == picture)
    }
  }

  @Test("requests for the same avatar at the same time share one request to the site")
  func shared() async throws {
    try await run { trial, address in
      let pictures = trial.connection().pictures
      let found = await withTaskGroup(of: Bool.self) { group -> [Bool] in
        for _ in 0..<8 {
          group.addTask { await pictures.picture(at: address) != nil }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(found.allSatisfy { $0 })
      #expect(trial.server.counters.requests == 1)
    }
  }

  @Test(
    "an avatar that cannot be fetched is requested again after ten minutes",
    arguments: [Fault.Kind.status, .captivePortal, .emptyBody, .otherHost, .redirectLoop])
  func failures(_ kind: Fault.Kind) async throws {
    try await run { trial, address in
      let seconds = Mutex(0.0)
      let pictures = trial.connection(now: {
        Date(timeIntervalSince1970: 1_700_000_000 + seconds.withLock { $0 })
      }).pictures
      trial.server.addFault(Fault(kind, path: path(address)))
      #expect(await pictures.picture(at: address) == nil)
      let requests = trial.server.counters.requests
      trial.server.clearFaults()
      #expect(await pictures.picture(at: address) == nil)
      #expect(trial.server.counters.requests == requests)
      seconds.withLock { $0 = 601 }
      #expect(await pictures.picture(at: address) != nil)
    }
  }

  @Test("a stored avatar is fetched again after 30 days")
  func expiry() async throws {
    try await run { trial, address in
      let start = Date(timeIntervalSince1970: 1_700_000_000)
      #expect(await trial.connection().pictures.picture(at: address) != nil)
      let later = trial.connection(now: { start.addingTimeInterval(31 * 86_400) }).pictures
      #expect(later.removeExpired() == 1)
      #expect(await later.picture(at: address) != nil)
      #expect(trial.server.counters.requests == 2)
    }
  }

  @Test(
    "an image on another host is neither requested nor stored",
    arguments: [
      "http://other.test/a.png", "//other.test/a.png", "data:image/png;base64,AAAA",
      "file:///etc/passwd", "ftp://other.test/a.png",
    ])
  func foreign(_ address: String) async throws {
    try await run { trial, _ in
      let pictures = trial.connection().pictures
      #expect(!pictures.mayStore(address))
      #expect(await pictures.picture(at: address) == nil)
      #expect(pictures.byteCount == 0)
    }
  }

  @Test("the avatar is the image at the start of a title; the rest is the title")
  func titles() {
    let cases: [(title: String, avatar: String?, rest: String)] = [
      ("", nil, ""), ("A &amp; B", nil, "A &amp; B"),
      ("<img src=\"/a.png\"><br>\nA &lt;3 <b>B</b>", "/a.png", "A &lt;3 <b>B</b>"),
      ("<center><img src=\"a.gif\"></center>", "a.gif", ""),
      ("Text <img src=\"a.gif\">", nil, "Text <img src=\"a.gif\">"),
      ("<p>Text <img src=\"a.gif\"></p>", nil, "<p>Text <img src=\"a.gif\"></p>"),
      ("<img src=\"\"> x", nil, "<img src=\"\"> x"), ("<img> x", nil, "<img> x"),
      ("<img src=\"a.png\"><img src=\"b.png\">", "a.png", "<img src=\"b.png\">"),
    ]
    for (title, avatar, rest) in cases {
      let divided = AuthorTitle(title)
      #expect(divided.avatar == avatar && divided.html == rest, "\(title)")
    }
  }

  @Test("the format of an image follows from its content; other content is not an image")
  func formats() {
    func type(_ bytes: [UInt8]) -> String? { MemberPicture(Data(bytes))?.contentType }
    #expect(type([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]) == "image/png")
    #expect(type(Array("GIF89a...".utf8)) == "image/gif")
    #expect(type([0xFF, 0xD8, 0xFF, 0xE0]) == "image/jpeg")
    #expect(type(Array("RIFF0000WEBPVP8 ".utf8)) == "image/webp")
    for text in ["", "GIF8", "RIFF0000WAVE", "<svg xmlns=\"\">", "<html>"] {
      #expect(type(Array(text.utf8)) == nil, "\(text)")
    }
    let large = Data("GIF89a".utf8) + Data(count: MemberPicture.sizeLimitInBytes)
    #expect(MemberPicture(large) == nil)
  }
}
