import ForumClient
public import ForumHTML
public import Foundation
import StoreSharing

/// Pages of the site that could not be read, stored without their texts and names, for sending with a report.
///
/// There is one file for each kind of error on each kind of page, and a limited number of files. A value over a folder; safe to use from
/// any thread.
public struct PageReports: Sendable {
  /// The maximum number of files. New files replace the oldest ones.
  public static let limit = 20

  /// The folder of the files.
  public let folder: URL

  /// Creates the reports that belong to a store.
  ///
  /// - Parameter file: The store's file. The reports of `awful.sqlite` are in the folder `awful-reports` beside it.
  public init(beside file: URL) {
    let name = file.deletingPathExtension().lastPathComponent
    folder = file.deletingLastPathComponent().appendingPathComponent("\(name)-reports")
  }

  /// Creates the reports of a store. Returns `nil` for an in-memory store.
  public init?(of store: ForumStore) {
    guard let file = store.file else { return nil }
    self.init(beside: file)
  }

  /// Returns the files, latest first.
  ///
  /// - Throws: `CocoaError` if the folder cannot be read. A folder that does not exist has no files.
  public func files() throws -> [URL] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
    let dated = try files.filter { $0.pathExtension == "html" }.map { file in
      (
        file: file,
        date: try file.resourceValues(forKeys: [.contentModificationDateKey])
          .contentModificationDate ?? .distantPast
      )
    }
    return dated.sorted { ($0.date, $0.file.path) > ($1.date, $1.file.path) }.map(\.file)
  }

  /// Saves a page without its texts.
  ///
  /// - Parameters:
  ///   - bytes: The page as received.
  ///   - contentType: Its `Content-Type` header.
  ///   - page: The path of its address.
  ///   - error: The error from reading the page.
  /// - Throws: `CocoaError` if the file cannot be written.
  public func keep(
    _ bytes: [UInt8], contentType: String?, page: String, error: PageError
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let trouble = [error.code.rawValue, error.marker ?? ""].joined(separator: " ")
    let name = Self.fileName("\(page) \(trouble)")
    let head = "<!-- \(Self.comment("\(page): \(error.message) \(trouble)")) -->\n"
    let text = head + Self.masked(bytes, contentType)
    try Data(text.utf8).write(
      to: folder.appendingPathComponent("\(name).html"), options: .atomic)
    for old in try files().dropFirst(Self.limit) { try FileManager.default.removeItem(at: old) }
  }

  private static func masked(_ bytes: [UInt8], _ contentType: String?) -> String {
    do {
      let text = try PageDecoder.text(of: bytes, contentType: contentType)
      return HTMLMasker.masked(try HTMLParser.parse(text))
    } catch {
      // Without a parsed tree, texts cannot be separated from the structure.
      return "<!-- \(bytes.count) bytes that could not be parsed as a page. -->\n"
    }
  }

  /// Returns a text as a file name of letters, digits and hyphens.
  private static func fileName(_ text: String) -> String {
    let words = text.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
    return String(words.joined(separator: "-").prefix(100))
  }

  private static func comment(_ text: String) -> String {
    text.replacing("--", with: "- -").replacing(">", with: " ").replacing("<", with: " ")
  }
}
