import ForumHTML
import ForumScraping
import Foundation

/// A saved page.
struct PageFile {
  /// The path as given.
  let path: String
  /// The `Content-Type` header the page came with.
  var contentType: String?
  /// The address the page came from.
  var address: String?

  /// The file's name.
  var name: String { URL(filePath: path).lastPathComponent }

  /// Reads the page, of which the end may be missing.
  ///
  /// At most one byte over the limit is read, so that a huge file costs nothing.
  func read() throws -> PageScraper.Reading {
    try PageScraper.read(bytes(), contentType: contentType, address: address)
  }

  /// Reads the whole page.
  func scrape() throws -> ScrapedPage {
    try PageScraper.scrape(bytes(), contentType: contentType, address: address)
  }

  /// Tells the page's bytes from those of any other page (FNV-1a, with the length).
  func fingerprint() throws -> String {
    let bytes = try bytes()
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(bytes.count)-\(String(hash, radix: 16))"
  }

  private func bytes() throws -> [UInt8] {
    let handle = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { closeQuietly(handle) }
    let bytes = try handle.read(upToCount: PageDecoder.sizeLimitInBytes + 1) ?? Data()
    return [UInt8](bytes)
  }

  /// A file that was only read has nothing to lose when closing fails.
  private func closeQuietly(_ handle: FileHandle) {
    try? handle.close()
  }
}
