/// The phases of a scan, in order.
public enum ScanPhase: String, Sendable, CaseIterable {
  /// Another scan of the same store is running; omitted if there is none.
  case waiting
  /// The files in the folder are counted.
  case counting
  /// New and changed files are read and stored.
  case reading
  /// Stored tracks whose files are missing are marked.
  case missing = "missing files"
}

/// The progress of a scan.
///
/// A value.
public struct ScanProgress: Sendable, Equatable {
  /// The current phase.
  public let phase: ScanPhase
  /// The number of files processed in this phase.
  public let done: Int
  /// The number of files in this phase, if known; 0 while they are counted.
  public let total: Int
  /// The path of the last processed file; nil at the beginning of a phase.
  public let file: String?
}

/// The results of a scan.
///
/// A value.
public struct ScanReport: Sendable, Equatable {
  /// Creates an empty report.
  package init() {}

  /// The number of files that did not have a track.
  public internal(set) var newCount = 0
  /// The number of files that changed since they were last read.
  public internal(set) var changedCount = 0
  /// The number of files with known audio at a new path.
  public internal(set) var movedCount = 0
  /// The number of files with the same size and modification time as in the last scan; they were not opened.
  public internal(set) var unchangedCount = 0
  /// The number of files that were not copied because the library has a file with the same audio.
  public internal(set) var duplicateCount = 0
  /// The number of tracks whose files went missing since the last scan; they are kept.
  public internal(set) var missingCount = 0
  /// The number of files and folders that could not be read; the library's bad files record the reasons.
  public internal(set) var badCount = 0
  /// Whether the scan ended early because its task was canceled; the files stored so far are kept.
  public internal(set) var wasCancelled = false

  /// The number of processed files.
  public var fileCount: Int {
    newCount + changedCount + movedCount + unchangedCount + duplicateCount + badCount
  }
}
