import ForumHTML
import Testing

@Suite("Page decoder")
struct PageDecoderTests {
  @Test(
    "Names browsers treat as windows-1252 are read as such",
    arguments: [nil, "text/html", "text/html; charset=ISO-8859-1", "text/html;charset=us-ascii"])
  func western(contentType: String?) throws {
    let bytes: [UInt8] = [0x93, 0x51, 0xE9, 0x94, 0x80]
    #expect(try PageDecoder.text(of: bytes, contentType: contentType) == "“Qé”€")
  }

  @Test("The five bytes without a character become control characters")
  func emptyPlaces() throws {
    let text = try PageDecoder.text(of: [0x81, 0x8D, 0x8F, 0x90, 0x9D], contentType: nil)
    #expect(text.unicodeScalars.map(\.value) == [0x81, 0x8D, 0x8F, 0x90, 0x9D])
  }

  @Test("Every byte survives decoding and encoding")
  func roundTrip() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Windows1252.encode(Windows1252.decode(bytes)) == bytes)
  }

  @Test("Characters outside the table are written as decimal references")
  func references() {
    #expect(Windows1252.encode("é☃") == [0xE9] + Array("&#9731;".utf8))
  }

  @Test("utf-8 is obeyed, and a byte order mark is not part of the text")
  func unicode() throws {
    let bytes = Array("\u{FEFF}é".utf8)
    #expect(
      try PageDecoder.text(of: Array("é".utf8), contentType: "text/html; charset=\"UTF-8\"") == "é")
    #expect(try PageDecoder.text(of: bytes, contentType: nil) == "é")
  }

  @Test("Bytes that are invalid in the stated encoding are rejected with their position")
  func wrongEncoding() {
    let error = #expect(throws: PageError.self) {
      try PageDecoder.text(of: Array("ab".utf8) + [0xE9, 0x20], contentType: "a/b; charset=utf-8")
    }
    #expect(error?.code == .undecodable)
    #expect(error?.position == 2)
    #expect(
      code { try PageDecoder.text(of: [0xFF, 0xFE, 0x41, 0], contentType: nil) } == .undecodable)
    #expect(
      code { try PageDecoder.text(of: [0x41, 0, 0x42, 0], contentType: nil) } == .undecodable)
    #expect(
      code { try PageDecoder.text(of: [0x41], contentType: "a/b; charset=shift_jis") }
        == .unsupportedCharset)
  }

  @Test("Empty and oversized pages are rejected")
  func sizes() {
    #expect(code { try PageDecoder.text(of: [], contentType: nil) } == .empty)
    #expect(code { try PageDecoder.text(of: [0x20, 0x0A], contentType: nil) } == .empty)
    let large = [UInt8](repeating: 0x41, count: PageDecoder.sizeLimitInBytes + 1)
    #expect(code { try PageDecoder.text(of: large, contentType: nil) } == .tooLarge)
  }
}

/// The code of the page error a piece of work throws.
func code(_ work: () throws -> some Any) -> PageError.Code? {
  do {
    _ = try work()
    return nil
  } catch {
    return (error as? PageError)?.code
  }
}
