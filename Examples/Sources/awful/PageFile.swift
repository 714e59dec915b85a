import ForumHTML
import ForumScraping
import Foundation

/// A saved page.
struct PageFile {
  /// The path as the user specified it.
  let path: String
  /// The `Content-Type` header of the page.
  var contentType: String?
  /// The address of the page.
  var address: String?

  /// The file name.
  var name: String { URL(filePath: path).lastPathComponent }

  /// Reads the page, even if its end is missing.
  ///
  /// Reads at most one byte over the size limit, so that a huge file stays cheap to reject.
  func read() throws -> PageScraper.Reading {
    try PageScraper.read(bytes(), contentType: contentType, address: address)
  }

  /// Reads the complete page.
  func scrape() throws -> ScrapedPage {
    try PageScraper.scrape(bytes(), contentType: contentType, address: address)
  }

  /// Returns a fingerprint of the page's bytes (FNV-1a, with the length).
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

  /// Closes a file and ignores errors, because a file that was only read has nothing to lose.
  private func closeQuietly(_ handle: FileHandle) {
    try? handle.close()
  }
}
