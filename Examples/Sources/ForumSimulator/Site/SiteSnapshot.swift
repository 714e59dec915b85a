import Foundation

/// The error of loading a saved site.
public struct SnapshotError: Error, Sendable, CustomStringConvertible {
  /// The reason, as one sentence.
  public let description: String
  /// The error of the decoder; `nil` if there is none.
  public let underlying: (any Error)?
}

/// Reads a saved site, and rejects a site whose pages cannot be rendered.
enum SiteSnapshot {
  private static let numbers = 0...1_000_000_000_000

  static func state(from data: Data) throws -> SiteState {
    var state: SiteState
    do {
      state = try JSONDecoder().decode(SiteState.self, from: data)
    } catch {
      throw SnapshotError(
        description: "The data is not a saved site of this version.", underlying: error)
    }
    state.indexPositions()
    for (isRight, subject) in checks(of: state) where !isRight {
      throw SnapshotError(
        description: "The saved site is damaged: \(subject) is invalid.", underlying: nil)
    }
    return state
  }

  private static func checks(of state: SiteState) -> [(isRight: Bool, subject: String)] {
    let size = state.size
    let rebuilt = SiteSize(
      name: size.name, groups: size.groups, forums: size.forums, threads: size.threads,
      posts: size.posts, users: size.users, secondsBetweenPosts: size.secondsBetweenPosts)
    return [
      (
        size == rebuilt && areSmall([size.threads, size.users, size.secondsBetweenPosts]),
        "its size"
      ),
      (areDates([state.clock, state.revision]), "its clock"),
      (
        min(state.nextPostDate, state.nextThreadDate, state.script.first?.date ?? .max)
          >= state.clock
          && areDates([state.nextPostDate, state.nextThreadDate] + state.script.map(\.date))
          && state.script.allSatisfy { (0...10_000).contains($0.times) },
        "the time of a scheduled event"
      ),
      (areUsers(state.users, size), "the list of members"),
      (areForums(state.forums), "the list of forums"), (areThreads(state.threads), "a thread"),
      (state.busyThreads.allSatisfy(state.threads.indices.contains), "the list of busy threads"),
      (state.readers.values.allSatisfy(isReader), "the read state of a member"),
      (areMessages(state), "a message"),
      (
        areSmall([state.nextPostID, state.nextThreadID, state.nextMessageID, state.nextSearchID])
          && areSmall(state.searches.map(\.id)), "a number"
      ),
      (
        areDates(state.punishments.map(\.date) + state.announcements.map(\.date))
          && areDates(state.reports.map(\.date)), "a date"
      ),
    ]
  }

  private static func areSmall(_ values: [Int]) -> Bool {
    values.allSatisfy(numbers.contains)
  }

  /// Returns whether all values are valid dates: until the end of the year 9999, less the time that pages add.
  private static func areDates(_ values: [Int]) -> Bool {
    values.allSatisfy((0...253_000_000_000).contains)
  }

  private static func areUnique(_ ids: [Int]) -> Bool {
    areSmall(ids) && Set(ids).count == ids.count
  }

  private static func areUsers(_ users: [SiteUser], _ size: SiteSize) -> Bool {
    users.count >= size.users && areUnique(users.map(\.id)) && areDates(users.map(\.registered))
  }

  private static func areForums(_ forums: [SiteForum]) -> Bool {
    areUnique(forums.map(\.id)) && forums.contains { !$0.isGroup }
  }

  private static func areThreads(_ threads: [SiteThread]) -> Bool {
    areUnique(threads.map(\.id))
      && threads.allSatisfy { thread in
        !thread.posts.isEmpty && areUnique(thread.posts.map(\.id))
          && areDates(thread.posts.map(\.date) + thread.posts.compactMap(\.editDate))
          && areSmall([thread.voteCount, thread.voteSum, thread.baseViews])
          && (0...1_000).contains(thread.activity)
      }
  }

  private static func isReader(_ reader: Reader) -> Bool {
    areSmall(Array(reader.seenCounts.values) + Array(reader.bookmarks.values))
      && areSmall([reader.sessionNumber] + reader.folders.map(\.id))
      && reader.votes.values.allSatisfy((1...5).contains)
      && areDates([reader.lastSearchDate ?? 0])
  }

  private static func areMessages(_ state: SiteState) -> Bool {
    areUnique(state.messages.map(\.id)) && areDates(state.messages.map(\.date))
  }
}
