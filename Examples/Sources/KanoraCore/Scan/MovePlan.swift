import AudioFiles
import CoreData
import Foundation
import OpenPersistenceKit

/// Determines the track of each file in a batch: the track at its path, or a track with the same audio whose file is no longer at its path.
///
/// Confined to the queue of its context.
struct MovePlan {
  /// The action for one file.
  enum Step {
    case insert(AudioFile, path: String)
    case update(Track, AudioFile, path: String)
    case move(Track, AudioFile, path: String)
  }

  private(set) var steps: [Step] = []
  private let files: [PathKey: AudioFile]
  private var owners: [PathKey: Track] = [:]
  private var tracksOfAudio: [String: [Track]] = [:]
  /// Tracks that have a file in this batch.
  private var claimed: Set<NSManagedObjectID> = []
  /// Tracks whose path is taken over by another track.
  private var displaced: [Track] = []

  /// Plans a batch, with one fetch by path and one by fingerprint.
  init(
    _ scanned: [ScannedFile], of library: Library, in context: NSManagedObjectContext
  ) throws {
    let readable = scanned.compactMap { file in
      (try? file.content.get()).map { (PathKey(file.path), $0) }
    }
    files = Dictionary(readable, uniquingKeysWith: { first, _ in first })
    try fetch(library, context)
    for (key, file) in readable { steps.append(step(for: file, at: key)) }
  }

  private mutating func fetch(_ library: Library, _ context: NSManagedObjectContext) throws {
    guard !files.isEmpty else { return }
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = NSPredicate(
      format: "filePath IN %@", argumentArray: [files.keys.map(\.path).sorted()])
    request.relationshipKeyPathsForPrefetching = ["album"]
    request.returnsObjectsAsFaults = false
    for track in try context.fetch(request) { owners[PathKey(track.filePath)] = track }
    let audio = NSFetchRequest<Track>(entityName: "Track")
    audio.predicate = NSPredicate(
      format: "fingerprint IN %@ AND album.artist.library == %@",
      argumentArray: [Set(files.values.map(\.fingerprint)).sorted(), library])
    audio.sortDescriptors = [NSSortDescriptor(key: "filePath", ascending: true)]
    audio.relationshipKeyPathsForPrefetching = ["album"]
    audio.returnsObjectsAsFaults = false
    for track in try context.fetch(audio) {
      tracksOfAudio[track.fingerprint ?? "", default: []].append(track)
    }
  }

  private mutating func step(for file: AudioFile, at key: PathKey) -> Step {
    let owner = owners[key].flatMap { claimed.contains($0.objectID) ? nil : $0 }
    if let owner, owner.fingerprint == nil || owner.fingerprint == file.fingerprint {
      claimed.insert(owner.objectID)
      return .update(owner, file, path: key.path)
    }
    if let track = movedTrack(for: file, to: key) {
      claimed.insert(track.objectID)
      if let owner { displaced.append(owner) }
      return .move(track, file, path: key.path)
    }
    guard let owner else { return .insert(file, path: key.path) }
    claimed.insert(owner.objectID)
    return .update(owner, file, path: key.path)
  }

  /// Returns a track with the same audio whose file is no longer at its path, preferring one with the same file name.
  private func movedTrack(for file: AudioFile, to key: PathKey) -> Track? {
    let candidates = (tracksOfAudio[file.fingerprint] ?? []).filter {
      !claimed.contains($0.objectID) && PathKey($0.filePath) != key && hasLeft($0)
    }
    let name = URL(fileURLWithPath: key.path).lastPathComponent
    return candidates.first { URL(fileURLWithPath: $0.filePath).lastPathComponent == name }
      ?? candidates.first
  }

  private func hasLeft(_ track: Track) -> Bool {
    if let other = files[PathKey(track.filePath)] { return other.fingerprint != track.fingerprint }
    return FilePresence.isGone(track.filePath)
  }

  // MARK: Paths

  /// Moves tracks off the paths that other tracks take over, and saves, because a store checks path uniqueness in each statement.
  ///
  /// - Parameter now: The date from which a displaced track counts as missing.
  func freePaths(in context: NSManagedObjectContext, now: Date) throws {
    var targets: Set<PathKey> = []
    var moving: [Track] = []
    for case .move(let track, _, let path) in steps {
      targets.insert(PathKey(path))
      moving.append(track)
    }
    for track in moving + displaced where targets.contains(PathKey(track.filePath)) {
      // The picture at this path now belongs to another track.
      if let album = track.album, album.artworkPath == track.filePath { album.artworkPath = nil }
      // A path without a file; a track that is found elsewhere gets its new path later.
      track.filePath = "\(track.filePath) (missing \(track.id.uuidString))"
      track.update(\.missingSince, to: now)
    }
    if context.hasChanges { try context.save() }
  }
}
