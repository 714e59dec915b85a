import Foundation

/// Validates a file before the import changes the library.
enum ArchiveCheck {
  /// The maximum size of a file, in bytes. An export never writes a larger file.
  static let sizeLimit = 256 << 20

  /// Returns the content of a file, or the beginning of a file that is too large.
  ///
  /// - Throws: `StoriesError` with code `.unreadableImport`.
  static func content(of url: URL) throws -> Data {
    do {
      return try start(of: url)
    } catch {
      throw StoriesError(
        .unreadableImport, "The file to import cannot be read. Choose an exported library.",
        path: url.path, underlying: error)
    }
  }

  /// Returns the bytes of a file up to the first byte over the size limit or some more.
  private static func start(of url: URL) throws -> Data {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }  // Closing a file that was only read loses nothing.
    var data = Data()
    while data.count <= sizeLimit, let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
      data += piece
    }
    return data
  }

  /// Validates and decodes the content of a file.
  ///
  /// - Throws: `StoriesError` with code `.invalidImport` if the file is too large or invalid.
  static func archive(_ data: Data) throws -> StoryArchive {
    guard data.count <= sizeLimit else {
      throw failure(
        "The file has more than \(sizeLimit) bytes. To copy a larger library, use a backup.")
    }
    let archive = try decode(data)
    try checkStories(archive.stories)
    try checkLinks(archive)
    if let profile = archive.profile { try checkProfile(profile) }
    return archive
  }

  private static func decode(_ data: Data) throws -> StoryArchive {
    let decoder = JSONDecoder()
    do {
      let head = try decoder.decode(StoryArchive.Head.self, from: data)
      guard head.format == StoryArchive.format else {
        throw failure("The file's format is not “\(StoryArchive.format)”.")
      }
      switch head.version {
      case 1: return try decoder.decode(FormerArchive.self, from: data).upgraded()
      case StoryArchive.currentVersion: return try decoder.decode(StoryArchive.self, from: data)
      default:
        throw failure(
          "The file has version \(head.version), which this application does not support.")
      }
    } catch let error as StoriesError {
      throw error
    } catch {
      throw failure("The file is not an exported story library.", error)
    }
  }

  /// Titles, texts and names may be blank, because libraries that were migrated from the first version may contain blank ones.
  private static func checkStories(_ stories: [StoryValue]) throws {
    var ids: Set<UUID> = []
    for story in stories {
      guard ids.insert(story.id).inserted else {
        throw failure("The story \(story.id) is in the file twice.")
      }
      if story.readCount < 0 {
        throw failure("The story “\(story.title)” has a negative read count (\(story.readCount)).")
      }
      if story.pages.enumerated().contains(where: { $1.number != $0 + 1 }) {
        throw failure("The pages of the story “\(story.title)” are not numbered from 1.")
      }
      for page in story.pages where !ids.insert(page.id).inserted {
        throw failure("The page \(page.id) is in the file twice.")
      }
      try check(story.createdAt, story.lastReadAt, of: "“\(story.title)”")
    }
  }

  private static func check(_ dates: Date?..., of subject: String) throws {
    // The range of dates that calendars support.
    let limit = 1e12
    for date in dates.compactMap({ $0 })
    where !(abs(date.timeIntervalSinceReferenceDate) < limit) {
      throw failure("A date of \(subject) is out of range.")
    }
  }

  private static func checkLinks(_ archive: StoryArchive) throws {
    let stories = Set(archive.stories.map(\.id))
    var ids: Set<UUID> = []
    for collection in archive.collections {
      guard ids.insert(collection.id).inserted else {
        throw failure("The collection \(collection.id) is in the file twice.")
      }
      if let id = collection.storyIDs.first(where: { !stories.contains($0) }) {
        throw failure(
          "The collection “\(collection.name)” contains the story \(id), which is not in the file.")
      }
      try check(collection.createdAt, of: "“\(collection.name)”")
    }
    for achievement in archive.achievements {
      guard ids.insert(achievement.id).inserted else {
        throw failure("The achievement \(achievement.id) is in the file twice.")
      }
      if let id = achievement.storyID, !stories.contains(id) {
        throw failure(
          "The achievement “\(achievement.name)” belongs to the story \(id), which is not in the file."
        )
      }
      try check(achievement.earnedAt, of: "“\(achievement.name)”")
    }
  }

  private static func checkProfile(_ profile: ProfileValue) throws {
    let streak = profile.streak
    if min(streak.storiesRead, streak.days, streak.longest) < 0 {
      throw failure("A count in the profile's reading streak is negative.")
    }
    let lastDay = streak.lastDay.map { Date(timeIntervalSince1970: Double($0) * 86_400) }
    try check(profile.createdAt, profile.dateOfBirth, lastDay, of: "the profile")
  }

  private static func failure(_ reason: String, _ underlying: (any Error)? = nil) -> StoriesError {
    StoriesError(
      .invalidImport, "\(reason) Nothing was imported.", underlying: underlying)
  }
}
