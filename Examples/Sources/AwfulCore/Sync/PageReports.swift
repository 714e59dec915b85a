import CoreData
import ForumClient
public import ForumHTML
public import Foundation
import OpenPersistenceKit

/// Pages of the site that could not be read, kept without texts and names, to be sent with a report.
///
/// There is one file for each kind of trouble with each kind of page, and a limited number of files. A value over a folder; usable
/// anywhere.
public struct PageReports: Sendable {
  /// The greatest number of files; the oldest ones make room.
  public static let limit = 20

  /// Where the files are.
  public let folder: URL

  /// The reports that belong to a store.
  ///
  /// - Parameter file: The store's file; `awful.sqlite` has the folder `awful-reports` beside it.
  public init(beside file: URL) {
    let name = file.deletingPathExtension().lastPathComponent
    folder = file.deletingLastPathComponent().appendingPathComponent("\(name)-reports")
  }

  /// The reports of a store; nil for a store in memory.
  public init?(of store: ForumStore) {
    guard let file = store.container.persistentStoreCoordinator.persistentStores.first?.url,
      file.isFileURL
    else { return nil }
    self.init(beside: file)
  }

  /// The files, the latest first.
  ///
  /// - Throws: `CocoaError` when the folder cannot be read. A folder that does not exist has no files.
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

  /// Keeps a page without its texts.
  ///
  /// - Parameters:
  ///   - bytes: The page as received.
  ///   - contentType: Its `Content-Type` header.
  ///   - page: The path of its address.
  ///   - error: Why it could not be read.
  /// - Throws: `CocoaError` when the file cannot be written.
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
      // Without a tree, texts and structure cannot be told apart.
      return "<!-- \(bytes.count) bytes that are no page. -->\n"
    }
  }

  /// A text as the name of a file: letters, digits and hyphens.
  private static func fileName(_ text: String) -> String {
    let words = text.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
    return String(words.joined(separator: "-").prefix(100))
  }

  private static func comment(_ text: String) -> String {
    text.replacing("--", with: "- -").replacing(">", with: " ").replacing("<", with: " ")
  }
}
