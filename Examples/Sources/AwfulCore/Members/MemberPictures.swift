import ForumClient
import Foundation
import OpenPersistenceKit
import StoreSharing

/// The members' avatars and the pictures in their profiles.
///
/// An image is fetched when a page first shows it, and is then stored in a cache: in memory, and in a folder beside the store. Images are
/// fetched only from the site and from the hosts that `ForumClient` may request images from.
public actor MemberPictures {
  /// The time in seconds for which stored images stay valid.
  private static let timeToLive = 30 * 86_400.0
  /// The size limit of the folder, in bytes.
  private static let sizeLimit = 100_000_000
  /// The time in seconds during which an image that could not be fetched is not requested again.
  private static let failureSpacing = 600.0
  /// The time in seconds during which no image is requested after the site could not be reached.
  private static let offlineSpacing = 60.0
  /// The number of failures that are remembered.
  private static let failureLimit = 1_000

  private nonisolated let client: ForumClient?
  /// The stored images; nil for an in-memory store, and if the folder cannot be created.
  private nonisolated let disk: DiskCache?
  private nonisolated let now: @Sendable () -> Date
  private let memory = MemoryCache<String, MemberPicture>(
    countLimit: 100, totalCostLimit: 50_000_000)
  private var flights: [String: Task<MemberPicture?, Never>] = [:]
  /// The dates until which images are not requested again, by address.
  private var failures: [String: Date] = [:]
  private var offlineUntil = Date.distantPast

  /// Creates the images of a program that does not connect to the site. `SiteConnection` provides those that are fetched.
  ///
  /// - Parameter store: The store of the members.
  public init(of store: ForumStore) { self.init(of: store, client: nil) { Date() } }

  init(of store: ForumStore, client: ForumClient?, now: @escaping @Sendable () -> Date) {
    self.client = client
    self.now = now
    // Without a folder, images are only kept in memory.
    disk = Self.folder(of: store).flatMap {
      try? DiskCache(
        folder: $0, timeToLive: Self.timeToLive, sizeLimit: Self.sizeLimit, now: now)
    }
  }

  /// Returns the folder of a store's images: `awful-avatars` beside `awful.sqlite`. Returns `nil` for an in-memory store.
  private static func folder(of store: ForumStore) -> URL? {
    guard let file = store.file else { return nil }
    let name = file.deletingPathExtension().lastPathComponent
    return file.deletingLastPathComponent().appendingPathComponent("\(name)-avatars")
  }

  /// Returns whether an image can be stored: its host is one of those from which images are fetched, or the program does not connect to
  /// the site and shows only stored images.
  ///
  /// - Parameter address: The address as the site sent it.
  public nonisolated func mayStore(_ address: String) -> Bool {
    client.map { $0.imageAddress(address) != nil } ?? true
  }

  /// Returns an image, and fetches it if it is not stored. Concurrent calls for the same image share one request.
  ///
  /// - Parameter address: The address as the site sent it.
  /// - Returns: The image; nil if it is not stored and cannot be fetched now.
  public func picture(at address: String) async -> MemberPicture? {
    if let known = memory.value(forKey: address) { return known }
    if let stored = disk?.data(forKey: address).flatMap({ MemberPicture($0) }) {
      memory.setValue(stored, forKey: address, cost: stored.data.count)
      return stored
    }
    if let flight = flights[address] { return await flight.value }
    guard let client, client.imageAddress(address) != nil, mayRequest(address) else { return nil }
    let flight = Task { await self.fetch(address, client) }
    flights[address] = flight
    defer { flights[address] = nil }
    return await flight.value
  }

  private func mayRequest(_ address: String) -> Bool {
    let instant = now()
    return instant >= offlineUntil && instant >= failures[address] ?? .distantPast
  }

  private func fetch(_ address: String, _ client: ForumClient) async -> MemberPicture? {
    do {
      guard let picture = MemberPicture(Data(try await client.image(address))) else {
        note(failureOf: address)
        return nil
      }
      // An image that cannot be stored is fetched again later.
      try? disk?.setData(picture.data, forKey: address)
      memory.setValue(picture, forKey: address, cost: picture.data.count)
      return picture
    } catch let error as ClientError where [.offline, .timeout].contains(error.code) {
      offlineUntil = now().addingTimeInterval(Self.offlineSpacing)
    } catch {
      note(failureOf: address)
    }
    return nil
  }

  private func note(failureOf address: String) {
    if failures.count >= Self.failureLimit { failures.removeAll() }
    failures[address] = now().addingTimeInterval(Self.failureSpacing)
  }

  // MARK: The folder

  /// The size of the stored images in bytes. Reading the property examines every file.
  public nonisolated var byteCount: Int { disk?.size ?? 0 }

  /// Deletes stored images that are older than 30 days.
  ///
  /// - Returns: The number of deleted images.
  @discardableResult
  public nonisolated func removeExpired() -> Int { disk?.removeExpired() ?? 0 }
}
