/// The parts of a scan, in order.
public enum ScanPhase: String, Sendable, CaseIterable {
  /// Another scan of the same store is under way; left out when there is none.
  case waiting
  /// The files in the folder are counted.
  case counting
  /// New and changed files are read and stored.
  case reading
  /// Stored tracks whose files are gone are marked.
  case missing = "missing files"
}

/// How far a scan is.
///
/// A value.
public struct ScanProgress: Sendable, Equatable {
  /// The part that is under way.
  public let phase: ScanPhase
  /// Files of the part that are dealt with.
  public let done: Int
  /// Files of the part as far as known; 0 while they are counted.
  public let total: Int
  /// The path of the file that was dealt with last; nil at the beginning of a part.
  public let file: String?
}

/// What a scan found and stored.
///
/// A value.
public struct ScanReport: Sendable, Equatable {
  /// A report of nothing.
  package init() {}

  /// Files that had no track.
  public internal(set) var newCount = 0
  /// Files that were changed since they were read last.
  public internal(set) var changedCount = 0
  /// Files of known audio that are at another path than before.
  public internal(set) var movedCount = 0
  /// Files whose size and time are those of the last scan; they were not opened.
  public internal(set) var unchangedCount = 0
  /// Files that were not copied because the library has a file of the same audio.
  public internal(set) var duplicateCount = 0
  /// Tracks whose files are gone since the last scan; they are kept.
  public internal(set) var missingCount = 0
  /// Files and folders that could not be read; the library's bad files say why.
  public internal(set) var badCount = 0
  /// Whether the scan ended early because its task was cancelled; what it stored until then stays.
  public internal(set) var wasCancelled = false

  /// Files that were dealt with.
  public var fileCount: Int {
    newCount + changedCount + movedCount + unchangedCount + duplicateCount + badCount
  }
}
