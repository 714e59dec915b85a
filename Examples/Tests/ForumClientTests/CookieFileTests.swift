import ForumClient
import Foundation
import Testing

/// The destinations of cookies, and the handling of their file.
@Suite("Cookie files")
final class CookieFileTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)
  private static let logIn = "bbuserid=7; path=/"
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("cookies-\(UUID().uuidString)")
  private var file: URL { folder.appendingPathComponent("cookies.json") }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func address(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func open() throws -> CookieFile { try CookieFile(file) { Self.now } }

  /// A file with a cookie that an address has set.
  private func cookies(_ header: String = logIn, from text: String) throws -> CookieFile {
    let cookies = try open()
    try cookies.take(["Set-Cookie": header], from: address(text))
    return cookies
  }

  @Test(
    "a cookie goes to the host and port that set it, and not in the clear after it came over HTTPS",
    arguments: [
      ("http://one.test/", "http://one.test/a", true),
      ("http://one.test/", "http://ONE.test/", true),
      ("http://one.test/", "http://two.test/", false),
      ("http://one.test/", "http://www.one.test/", false),
      ("http://one.test:8000/", "http://one.test:8001/", false),
      ("http://one.test:80/", "https://one.test/", true),
      ("https://one.test/", "http://one.test/", false),
      ("https://one.test/", "https://one.test:443/", true),
    ])
  func origins(setBy: String, asked: String, isSent: Bool) throws {
    let cookies = try cookies(from: setBy)
    #expect(try cookies.header(for: address(asked)) == (isSent ? "bbuserid=7" : nil))
    #expect(try open().header(for: address(asked)) == (isSent ? "bbuserid=7" : nil))
  }

  @Test(
    "a cookie is sent to addresses within its path",
    arguments: [
      ("/forum", "/forum", true), ("/forum", "/forum/a.php", true), ("/forum", "/forums", false),
      ("/forum/", "/forum/a", true), ("/forum/", "/", false), ("/", "", true),
    ])
  func paths(path: String, asked: String, isSent: Bool) throws {
    let cookies = try cookies("a=1; path=\(path)", from: "http://one.test/")
    #expect(try cookies.header(for: address("http://one.test\(asked)")) == (isSent ? "a=1" : nil))
  }

  @Test(
    "an answer in the clear neither replaces nor ends a cookie that came over HTTPS",
    arguments: ["bbuserid=8; path=/", "bbuserid=8; path=/a", "bbuserid=; path=/; Max-Age=0"])
  func clearAnswers(_ header: String) throws {
    let cookies = try cookies(from: "https://one.test/")
    try cookies.take(["Set-Cookie": header], from: address("http://one.test/a/"))
    #expect(try cookies.header(for: address("https://one.test/a/")) == "bbuserid=7")
    #expect(try cookies.header(for: address("http://one.test/a/")) == nil)
    try cookies.take(["Set-Cookie": "other=1; path=/"], from: address("http://one.test/"))
    #expect(try cookies.header(for: address("http://one.test/")) == "other=1")
    try cookies.take(["Set-Cookie": "bbuserid=9; path=/"], from: address("https://one.test/"))
    #expect(try cookies.header(for: address("https://one.test/b"))?.contains("bbuserid=9") == true)
  }

  @Test("a cookie of another site's domain is rejected")
  func foreignDomain() throws {
    for domain in ["two.test", "test", "xone.test"] {
      let cookies = try cookies("a=1; path=/; domain=\(domain)", from: "http://one.test/")
      #expect(try cookies.header(for: address("http://one.test/")) == nil)
      #expect(try cookies.header(for: address("http://\(domain)/")) == nil)
    }
  }

  @Test("an expired cookie is not sent")
  func expiry() throws {
    let header = "a=1; path=/; expires=Tue, 14-Nov-2023 22:13:21 GMT"
    let cookies = try cookies(header, from: "http://one.test/")
    #expect(try cookies.header(for: address("http://one.test/")) == "a=1")
    let later = try CookieFile(file) { Self.now.addingTimeInterval(1) }
    #expect(try later.header(for: address("http://one.test/")) == nil)
  }

  @Test("the cookies of two sites stay separate in one file")
  func sites() throws {
    let cookies = try cookies(from: "http://one.test/")
    try cookies.take(["Set-Cookie": "bbuserid=8; path=/"], from: address("http://two.test/"))
    #expect(try cookies.header(for: address("http://one.test/")) == "bbuserid=7")
    #expect(try cookies.header(for: address("http://two.test/")) == "bbuserid=8")
    try cookies.removeAll(of: address("http://one.test/"))
    #expect(try open().header(for: address("http://one.test/")) == nil)
    #expect(try open().header(for: address("http://two.test/")) == "bbuserid=8")
  }

  @Test("another logged-in program does not undo a program's logout")
  func staleProgram() throws {
    let one = try cookies(from: "http://one.test/")
    let other = try open()
    try one.removeAll(of: address("http://one.test/"))
    #expect(try other.header(for: address("http://one.test/")) == nil)
    let third = try open()
    try other.take(["Set-Cookie": Self.logIn], from: address("http://one.test/"))
    try one.removeAll(of: address("http://one.test/"))
    try third.take(["Set-Cookie": "visit=1; path=/"], from: address("http://one.test/"))
    #expect(try open().header(for: address("http://one.test/")) == "visit=1")
  }

  @Test("cookies of a file from before cookies had a site go nowhere")
  func oldFile() throws {
    let old = #"[{"name":"bbuserid","value":"7","path":"/","isSecure":false}]"#
    try Data(old.utf8).write(to: file)
    #expect(try open().header(for: address("http://one.test/")) == nil)
  }

  @Test("a file that is no cookie file is an error, and stays")
  func damaged() throws {
    try Data("{".utf8).write(to: file)
    let error = #expect(throws: ClientError.self) { try self.open() }
    #expect(error?.code == .cookieFile)
    #expect(try Data(contentsOf: file) == Data("{".utf8))
  }

  @Test("the file is only its owner's, and links to other files are not written through")
  func links() throws {
    let victim = folder.appendingPathComponent("victim")
    try Data("keep".utf8).write(to: victim)
    for name in ["cookies.json.new", "cookies.json.tmp"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent(name), withDestinationURL: victim)
    }
    _ = try cookies(from: "http://one.test/")
    #expect(try Data(contentsOf: victim) == Data("keep".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["cookies.json", "cookies.json.new", "cookies.json.tmp", "victim"])
  }
}
