internal import Foundation
internal import Glibc

/// The values of one post.
package protocol PostContent {
  var head: PostStream.Head { get }
  var id: String { get }
  var html: String { get }
  var title: String? { get }
}

/// Reads posts from the generated import file, in the form that an application has after parsing.
package final class PostStream: PostContent {
  /// The values of a post that have a fixed size.
  package struct Head {
    package var thread: Int64 = 0
    package var author: Int64 = 0
    package var postDate = 0.0
    package var score = 0.0
    package var threadIndex: Int32 = 0
    package var editable = false
    package var ignored = false
  }

  /// A copy of one post, which remains valid after the next post is read.
  package struct Record: PostContent {
    package let head: Head
    package let id: String
    package let html: String
    package let title: String?
  }

  /// A copy of the post that was read last.
  package var record: Record { Record(head: head, id: id, html: html, title: title) }

  private let file: UnsafeMutablePointer<FILE>
  private let buffer = UnsafeMutableRawPointer.allocate(byteCount: 2048, alignment: 16)
  package private(set) var head = Head()
  package private(set) var id = ""
  package private(set) var html = ""
  package private(set) var title: String?

  package init(_ path: String) throws {
    guard let file = fopen(path, "rb") else { throw CocoaError(.fileReadNoSuchFile) }
    self.file = file
    setvbuf(file, nil, _IOFBF, 1 << 16)
  }

  deinit {
    fclose(file)
    buffer.deallocate()
  }

  /// Reads the next post. Returns false at the end of the file.
  package func next() -> Bool {
    guard fread_unlocked(buffer, 52, 1, file) == 1 else { return false }
    head.thread = buffer.loadUnaligned(fromByteOffset: 8, as: Int64.self)
    head.author = buffer.loadUnaligned(fromByteOffset: 16, as: Int64.self)
    head.postDate = buffer.loadUnaligned(fromByteOffset: 24, as: Double.self)
    head.score = buffer.loadUnaligned(fromByteOffset: 32, as: Double.self)
    head.threadIndex = buffer.loadUnaligned(fromByteOffset: 40, as: Int32.self)
    head.editable = buffer.load(fromByteOffset: 44, as: UInt8.self) != 0
    head.ignored = buffer.load(fromByteOffset: 45, as: UInt8.self) != 0
    let idLength = Int(buffer.loadUnaligned(fromByteOffset: 46, as: UInt16.self))
    let titleLength = Int(buffer.loadUnaligned(fromByteOffset: 48, as: UInt16.self))
    let htmlLength = Int(buffer.loadUnaligned(fromByteOffset: 50, as: UInt16.self))
    id = text(idLength)
    title = titleLength == 0xFFFF ? nil : text(titleLength)
    html = text(htmlLength)
    return true
  }

  /// Reads the next posts, up to a limit. Returns an empty array at the end of the file.
  package func records(_ limit: Int) -> [Record] {
    var records: [Record] = []
    records.reserveCapacity(limit)
    while records.count < limit, next() { records.append(record) }
    return records
  }

  private func text(_ length: Int) -> String {
    if length == 0 { return "" }
    _ = fread_unlocked(buffer, 1, length, file)
    return String(decoding: UnsafeRawBufferPointer(start: buffer, count: length), as: UTF8.self)
  }
}
