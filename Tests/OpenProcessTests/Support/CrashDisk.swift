import Foundation
import ProcessModel

/// What a process did to the files of a folder, as `CrashRecorder` noted it.
struct CrashLog {
  /// One operation, or a mark between two.
  enum Operation {
    case makeFile(String)
    case makeFolder(String)
    case write(String, offset: Int, Data)
    case truncate(String, size: Int)
    case synchronize(String)
    case remove(String)
    case rename(String, to: String)
    case mark(String)
  }

  struct Damaged: Error {}

  var operations: [Operation] = []

  init(at url: URL) throws {
    let log = try Data(contentsOf: url)
    var position = log.startIndex
    func take(_ count: Int) throws -> Data {
      guard count >= 0, count <= log.endIndex - position else { throw Damaged() }
      defer { position += count }
      return log.subdata(in: position..<position + count)
    }
    func number(_ size: Int) throws -> Int {
      try take(size).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    while position < log.endIndex {
      let kind = try take(1).first
      let (length, place, count) = (try number(4), try number(8), try number(8))
      let path = String(decoding: try take(length), as: UTF8.self)
      let bytes = try take(count)
      operations.append(try Self.operation(kind, path, place, bytes))
    }
  }

  private static func operation(
    _ kind: UInt8?, _ path: String, _ place: Int, _ bytes: Data
  ) throws -> Operation {
    switch kind.map({ Character(UnicodeScalar($0)) }) {
    case "C": .makeFile(path)
    case "D": .makeFolder(path)
    case "W": .write(path, offset: place, bytes)
    case "T": .truncate(path, size: place)
    case "S": .synchronize(path)
    case "U": .remove(path)
    case "R": .rename(path, to: String(decoding: bytes, as: UTF8.self))
    case "M": .mark(String(decoding: bytes, as: UTF8.self))
    default: throw Damaged()
    }
  }
}

/// The state of a disk between two operations: the durable data, and the data that may be lost.
final class CrashDisk {
  /// A file or a folder.
  final class File {
    enum Change {
      case write(offset: Int, Data)
      case truncate(Int)
    }

    /// The contents when the file was synchronized last.
    fileprivate(set) var safe = Data()
    /// What was done since.
    fileprivate(set) var changes: [Change] = []
    fileprivate let isFolder: Bool
    /// Whether the name is safe.
    fileprivate var isNamed = false
    /// The reader's cached information about an unchanged file.
    var knownStamp: Int?

    fileprivate init(isFolder: Bool) { self.isFolder = isFolder }
  }

  private var files: [String: File] = [:]

  func apply(_ operation: CrashLog.Operation) {
    switch operation {
    case .makeFile(let path): files[path] = File(isFolder: false)
    case .makeFolder(let path): files[path] = File(isFolder: true)
    case .write(let path, let offset, let bytes):
      files[path]?.changes.append(.write(offset: offset, bytes))
      files[path]?.knownStamp = nil
    case .truncate(let path, let size):
      files[path]?.changes.append(.truncate(size))
      files[path]?.knownStamp = nil
    case .synchronize(let path): synchronize(path)
    // Safe at once, which is the worst for whatever is not.
    case .remove(let path): files[path] = nil
    case .rename(let path, let new):
      files[new] = files.removeValue(forKey: path)
      files[new]?.isNamed = true
    case .mark: return
    }
  }

  private func synchronize(_ path: String) {
    if let file = files[path], !file.isFolder {
      for change in file.changes { CrashImage.apply(change, to: &file.safe) { true } }
      file.changes = []
      return
    }
    for (name, file) in files where CrashImage.folder(of: name) == path { file.isNamed = true }
  }

  /// Returns a possible disk after a power loss at this moment, determined by random numbers.
  func image(using numbers: inout SeededRandom) -> CrashImage {
    CrashImage(files, isNamed: \.isNamed, using: &numbers)
  }
}

/// A disk after a loss of power.
struct CrashImage {
  /// The part of the data at risk that is kept.
  private enum Fate: CaseIterable {
    case nothing, everything, halfOfSectors, mostSectors, halfOfWrites
  }

  private static let sector = 512
  private let files: [String: CrashDisk.File]
  private let fate: Fate
  private let seed: UInt64

  fileprivate init(
    _ files: [String: CrashDisk.File], isNamed: (CrashDisk.File) -> Bool,
    using numbers: inout SeededRandom
  ) {
    fate = Fate.allCases[Int.random(in: 0..<Fate.allCases.count, using: &numbers)]
    seed = numbers.next()
    var kept = files
    for (path, file) in files.sorted(by: { $0.key < $1.key }) where !isNamed(file) {
      let isKept =
        switch fate {
        case .nothing: false
        case .everything: true
        default: Bool.random(using: &numbers)
        }
      if !isKept { kept[path] = nil }
    }
    self.files = kept
  }

  fileprivate static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// The remaining contents of a file; nil if the file or one of its folders is missing.
  ///
  /// - Parameter root: The recorded folder, which exists.
  func file(_ path: String, in root: String) -> CrashDisk.File? {
    var folder = Self.folder(of: path)
    while folder.count > root.count {
      if files[folder] == nil { return nil }
      folder = Self.folder(of: folder)
    }
    return files[path]
  }

  /// The contents of a file.
  func contents(of file: CrashDisk.File) -> Data {
    var contents = file.safe
    var numbers = SeededRandom(seed: seed ^ UInt64(truncatingIfNeeded: file.safe.count))
    for change in file.changes {
      let keepsWrite = Bool.random(using: &numbers)
      Self.apply(change, to: &contents) {
        switch fate {
        case .nothing: false
        case .everything: true
        case .halfOfSectors: Bool.random(using: &numbers)
        case .mostSectors: Int.random(in: 0..<16, using: &numbers) > 0
        case .halfOfWrites: keepsWrite
        }
      }
    }
    return contents
  }

  /// Carries out a change, sector by sector.
  fileprivate static func apply(
    _ change: CrashDisk.File.Change, to contents: inout Data, _ isKept: () -> Bool
  ) {
    switch change {
    case .truncate(let size):
      guard isKept() else { return }
      if size < contents.count { contents.removeSubrange(size...) }
      if size > contents.count { contents.append(Data(count: size - contents.count)) }
    case .write(let offset, let bytes):
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + sector - (offset + start) % sector)
        if isKept() { put(bytes.subdata(in: start..<end), at: offset + start, in: &contents) }
        start = end
      }
    }
  }

  private static func put(_ bytes: Data, at offset: Int, in contents: inout Data) {
    let end = offset + bytes.count
    if end > contents.count { contents.append(Data(count: end - contents.count)) }
    contents.replaceSubrange(offset..<end, with: bytes)
  }
}
