/// An announcement that every thread list shows above its threads.
struct SiteAnnouncement: Codable, Sendable, Hashable {
  let title: String
  let authorID: Int
  let date: Int
  let textSeed: UInt64
}
