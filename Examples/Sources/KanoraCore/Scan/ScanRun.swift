import AudioFiles
import CoreData
import Foundation
import OpenPersistenceKit
import StoreSharing

/// One scan from its first file to its last.
///
/// Confined to the task that runs it. Holds the files of one batch at a time, so memory use does not grow with the library.
final class ScanRun {
  private let scanner: LibraryScanner
  private let target: LibraryScanner.Target
  private let progress: LibraryScanner.ProgressHandler
  private let started: Date
  private var report = ScanReport()
  private var total = 0
  private var waiting: [FoundFile] = []
  private var troubles: [AudioFileError] = []
  /// The folder that files are copied into; nil leaves them in place.
  private var copies: ManagedFolder?

  init(
    _ scanner: LibraryScanner, _ target: LibraryScanner.Target,
    _ progress: @escaping LibraryScanner.ProgressHandler
  ) {
    self.scanner = scanner
    self.target = target
    self.progress = progress
    started = scanner.now()
  }

  func scan() async throws -> ScanReport {
    try await locked {
      try await self.importFiles(of: self.target.folder)
      if Task.isCancelled { return }
      try await self.markMissing()
      if Task.isCancelled { return }
      try await self.finish()
    }
  }

  func copyFiles(from folder: URL) async throws -> ScanReport {
    copies = ManagedFolder(root: target.folder)
    return try await locked {
      // Copying files reports a library's folder that cannot be used.
      if let walk = try? FolderWalk(self.target.folder) { walk.forEach(Self.removeIfAbandoned) }
      try await self.importFiles(of: folder)
    }
  }

  /// Deletes a hidden copy that a killed program has left.
  private static func removeIfAbandoned(_ item: FolderWalk.Item) {
    if case .hiddenCopy(let path) = item { HiddenCopy.removeIfAbandoned(path) }
  }

  private func locked(_ work: () async throws -> Void) async throws -> ScanReport {
    let lock: FileLock?
    do {
      lock = try await StoreLock.scanning.take(of: scanner.store.file) { self.tell(.waiting, 0, 0) }
    } catch is CancellationError {
      report.wasCancelled = true
      return report
    }
    defer { withExtendedLifetime(lock) {} }
    try await work()
    report.wasCancelled = Task.isCancelled
    return report
  }

  private func tell(_ phase: ScanPhase, _ done: Int, _ total: Int, _ file: String? = nil) {
    progress(ScanProgress(phase: phase, done: done, total: total, file: file))
  }

  // MARK: Reading

  private func importFiles(of folder: URL) async throws {
    tell(.counting, 0, 0)
    let walk = try FolderWalk(folder)
    for item in walk {
      if Task.isCancelled { return }
      // The folder that files are copied from stays as it is.
      if copies == nil { Self.removeIfAbandoned(item) }
      if isOfInterest(item) { total += 1 }
    }
    tell(.reading, 0, total)
    for item in walk where isOfInterest(item) {
      switch item {
      case .file(let file): waiting.append(file)
      case .trouble(let error): troubles.append(error)
      case .hiddenCopy: break
      }
      if waiting.count + troubles.count >= FileBatch.size { try await importBatch() }
      if Task.isCancelled { break }
    }
    if !waiting.isEmpty || !troubles.isEmpty, !Task.isCancelled { try await importBatch() }
  }

  private func isOfInterest(_ item: FolderWalk.Item) -> Bool {
    switch item {
    case .file(let file):
      AudioFormat.isNamedAsAudio(file.path) || AudioFile.hasAudioSignature(file.url)
    case .trouble(let error):
      // Missing files and unusable names are ignored unless they are named as audio; a folder may contain audio.
      error.code != .missing && error.code != .unreadableName
        || AudioFormat.isNamedAsAudio(error.path)
    case .hiddenCopy: false
    }
  }

  private func importBatch() async throws {
    let changed = try await changedFiles(among: waiting)
    report.unchangedCount += waiting.count - changed.count
    report.badCount += troubles.count
    if changed.count < waiting.count { tell(.reading, report.fileCount, total) }
    let read = await readFiles(changed)
    let (files, failure) = copies == nil ? (read.map(\.scanned), nil) : try await copy(read)
    let batch = FileBatch(library: target.id, files: files, troubles: troubles, now: scanner.now())
    (waiting, troubles) = ([], [])
    if !batch.files.isEmpty || !batch.troubles.isEmpty { try await store(batch) }
    // Files copied before the failure are stored.
    if let failure { throw failure }
  }

  private func store(_ batch: FileBatch) async throws {
    let outcome = try await inContext { try batch.importFiles(in: $0) }
    report.newCount += outcome.newCount
    report.changedCount += outcome.changedCount
    report.movedCount += outcome.movedCount
    for case .failure in batch.files.map(\.content) { report.badCount += 1 }
  }

  /// Returns the files whose size or modification time differ from the stored values, or that have no track.
  private func changedFiles(among files: [FoundFile]) async throws -> [FoundFile] {
    if copies != nil || files.isEmpty { return files }
    let paths = files.map(\.path)
    let stamps = try await inContext { try StoredStamps.of(paths, in: $0) }
    return files.filter { stamps[PathKey($0.path)] != $0.stamp }
  }

  /// A file and its content.
  private struct Reading: Sendable {
    let file: FoundFile
    let content: Result<AudioFile, AudioFileError>
    var scanned: ScannedFile { ScannedFile(path: file.path, content: content) }
  }

  /// The number of files that are read concurrently.
  private static let width = max(2, min(4, ProcessInfo.processInfo.activeProcessorCount))

  /// Reads files, in order; fewer if the task is canceled.
  private func readFiles(_ files: [FoundFile]) async -> [Reading] {
    let read = scanner.read
    let before = report.fileCount
    return await withTaskGroup(of: (Int, Reading).self) { group in
      var next = 0
      var readings: [Int: Reading] = [:]
      func begin() {
        guard next < files.count, !Task.isCancelled else { return }
        let (place, file) = (next, files[next])
        next += 1
        group.addTask { (place, Reading(file: file, content: Self.read(file, read))) }
      }
      for _ in 0..<Self.width { begin() }
      while let (place, reading) = await group.next() {
        readings[place] = reading
        tell(.reading, before + readings.count, total, reading.file.path)
        begin()
      }
      return readings.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private static func read(
    _ file: FoundFile, _ read: LibraryScanner.Reader
  ) -> Result<AudioFile, AudioFileError> {
    do throws(AudioFileError) { return .success(try read(file.url)) } catch {
      return .failure(error)
    }
  }

  // MARK: Copying

  /// Copies files until the task is canceled or a copy fails.
  ///
  /// - Returns: The copies and the files that could not be read, and the error that stopped the copying.
  private func copy(
    _ readings: [Reading]
  ) async throws -> (files: [ScannedFile], failure: (any Error)?) {
    guard let copies else { return (readings.map(\.scanned), nil) }
    let wanted = Set(readings.compactMap { try? $0.content.get().fingerprint })
    let library = target.id
    var present = try await inContext {
      try StoredStamps.fingerprints(among: wanted, of: library, in: $0)
    }
    var files: [ScannedFile] = []
    for reading in readings {
      guard case .success(let audio) = reading.content else {
        files.append(reading.scanned)
        continue
      }
      if Task.isCancelled { break }
      guard present.insert(audio.fingerprint).inserted else {
        report.duplicateCount += 1
        continue
      }
      do { files.append(try Self.copy(reading.file, audio, to: copies)) } catch {
        return (files, error)
      }
    }
    return (files, nil)
  }

  /// - Throws: Any error that prevents writing to the library's folder.
  private static func copy(
    _ file: FoundFile, _ audio: AudioFile, to folder: ManagedFolder
  ) throws -> ScannedFile {
    do {
      let copy = try folder.copy(file.url, audio)
      return ScannedFile(path: copy.path, content: .success(audio.stamped(copy.stamp)))
    } catch let error as AudioFileError {
      return ScannedFile(
        path: file.path,
        content: .failure(AudioFileError(error.code, path: file.path, error.message)))
    }
  }

  // MARK: The end

  private static let pageSize = 5_000

  private func markMissing() async throws {
    tell(.missing, 0, 0)
    let library = target
    var offset = 0
    while !Task.isCancelled {
      let start = offset
      let paths = try await inContext {
        try StoredStamps.paths(of: library, from: start, limit: Self.pageSize, in: $0)
      }
      let gone = paths.filter(FilePresence.isGone)
      if !gone.isEmpty {
        let now = started
        report.missingCount += try await inContext { try Self.mark(gone, now, in: $0) }
      }
      // Marked tracks are no longer on the pages.
      offset += paths.count - gone.count
      tell(.missing, offset + report.missingCount, 0, paths.last)
      if paths.count < Self.pageSize { return }
    }
  }

  private static func mark(
    _ paths: [String], _ now: Date, in context: NSManagedObjectContext
  ) throws -> Int {
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = NSPredicate(
      format: "filePath IN %@ AND missingSince == nil", argumentArray: [paths])
    let tracks = try context.fetch(request)
    for track in tracks { track.missingSince = now }
    try context.save()
    return tracks.count
  }

  /// Deletes the bad files that this scan has not seen, and records the time.
  private func finish() async throws {
    let (id, started, now) = (target.id, started, scanner.now())
    try await inContext { context in
      let library = try FileBatch.library(id, in: context)
      let request = NSFetchRequest<BadFile>(entityName: "BadFile")
      request.predicate = NSPredicate(
        format: "library == %@ AND seenAt < %@", argumentArray: [library, started])
      for bad in try context.fetch(request) { context.delete(bad) }
      library.lastScannedAt = now
      try context.save()
    }
  }

  /// Runs a closure in a new context while no edit runs, and retries if another process has changed the same objects.
  private func inContext<Result: Sendable>(
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let store = scanner.store
    let isOvertaken = { @Sendable (error: any Error) in
      let code = (error as? CocoaError)?.code
      return code == .managedObjectConstraintMerge || code == .managedObjectMerge
    }
    // An unstructured task, which cancellation does not reach: files read before the scan is canceled are stored.
    let task = Task {
      try await RetryPolicy(attempts: 8, firstDelay: .zero).run(isTransient: isOvertaken) { _ in
        let lock = try await StoreLock.editing.take(of: store.file)
        defer { withExtendedLifetime(lock) {} }
        let context = store.newBackgroundContext()
        // If the user edits the same objects during the scan, the save throws a conflict and the work
        // is repeated, so that no edit is lost.
        context.mergePolicy = NSErrorMergePolicy
        return try await context.perform { try work(context) }
      }
    }
    return try await task.value
  }
}
