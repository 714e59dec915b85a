import CoreData
import OpenPersistenceKit
import WebPages

/// The commits of all processes, as server-sent events.
///
/// An event's id is a token of the store's history. A client that reconnects with the last id it has received, at any process of the
/// service, receives all later events. A new stream begins with an id, so that a client whose connection ends before the first event also
/// misses nothing.
actor ChangeFeed {
  private let database: MusicDatabase
  private let context: NSManagedObjectContext

  /// An open stream.
  private struct OpenStream {
    let queue: EventQueue
    /// The number of the last transaction that the stream received when it was opened.
    let firstRead: Int64
  }

  private var streams: [ObjectIdentifier: OpenStream] = [:]
  /// The position in the history up to which all streams have the events.
  private var position: NSPersistentHistoryToken?
  private var following: Task<Void, Never>?
  private var isStopped = false

  init(_ database: MusicDatabase) {
    self.database = database
    context = database.container.newBackgroundContext()
    context.name = "Change feed"
  }

  /// Begins to follow the history.
  func start() {
    let coordinator = database.container.persistentStoreCoordinator
    let commits = NotificationCenter.default.notifications(
      named: .NSPersistentStoreRemoteChange, object: coordinator)
    position = coordinator.currentPersistentHistoryToken(fromStores: nil)
    following = Task { [weak self] in
      for await _ in commits {
        guard let self else { return }
        // What cannot be read now is read after the next commit, because the position stays.
        try? await self.sendNews()
      }
    }
  }

  /// Ends all streams.
  func stop() {
    isStopped = true
    following?.cancel()
    for stream in streams.values { stream.queue.end() }
    streams = [:]
  }

  /// Opens a stream of events.
  ///
  /// - Parameter id: The id of the last event that the client has seen; nil for events from now on.
  /// - Throws: `ServiceError.stopping`, or an error of the store.
  func open(after id: String?) throws -> EventQueue {
    guard !isStopped else { throw ServiceError.stopping }
    try sendNews()
    let queue = EventQueue()
    // With an id, the client has not yet received all events up to the position.
    queue.add((id == nil ? positionLine : "") + ": connected\n\n")
    var firstRead: Int64 = 0
    if let id {
      if let missed = try missedTransactions(after: id) {
        for event in missed.compactMap(Self.event) { queue.add(event.text, idLine: event.idLine) }
        // These can include commits after `sendNews()`, which the other streams do not have yet.
        firstRead = missed.last?.transactionNumber ?? 0
      } else {
        queue.add(positionLine + EventQueue.stale)
      }
    }
    streams[ObjectIdentifier(queue)] = OpenStream(queue: queue, firstRead: firstRead)
    return queue
  }

  func close(_ queue: EventQueue) { streams[ObjectIdentifier(queue)] = nil }

  /// The transactions after an event id; nil if the history no longer has them.
  private func missedTransactions(after id: String) throws -> [NSPersistentHistoryTransaction]? {
    guard let token = Self.token(id) else { return nil }
    do {
      return try transactions(after: token)
    } catch {
      guard Self.isExpired(error) else { throw error }
      return nil
    }
  }

  private static func isExpired(_ error: any Error) -> Bool {
    (error as NSError).code == NSPersistentHistoryTokenExpiredError
  }

  /// Sends the commits since the last call. If their history was deleted, clients read everything again.
  private func sendNews() throws {
    do {
      let news = try transactions(after: position)
      for transaction in news {
        guard let event = Self.event(transaction) else { continue }
        for stream in streams.values where stream.firstRead < transaction.transactionNumber {
          stream.queue.add(event.text, idLine: event.idLine)
        }
      }
      if let last = news.last { position = last.token }
    } catch {
      guard Self.isExpired(error) else { throw error }
      let coordinator = database.container.persistentStoreCoordinator
      position = coordinator.currentPersistentHistoryToken(fromStores: nil)
      for stream in streams.values { stream.queue.add(positionLine + EventQueue.stale) }
    }
  }

  /// Reads the history in one round trip. The actor waits for the result, so that each stream receives the events in order.
  private func transactions(
    after token: NSPersistentHistoryToken?
  ) throws -> [NSPersistentHistoryTransaction] {
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
  }

  // MARK: Events

  private struct Event: Encodable {
    struct Change: Encodable {
      let kind: String
      let path: String
    }

    let transaction: Int64
    let changes: [Change]
  }

  private static let kinds: [NSPersistentHistoryChangeType: String] = [
    .insert: "insert", .update: "update", .delete: "delete",
  ]
  private static let paths = ["Album": "albums", "Track": "tracks"]

  /// The event of a transaction, with the line of its id; nil if the transaction changed nothing that clients see.
  private static func event(
    _ transaction: NSPersistentHistoryTransaction
  ) -> (text: String, idLine: String)? {
    let changes = (transaction.changes ?? []).compactMap { change -> Event.Change? in
      guard let kind = kinds[change.changeType],
        let path = paths[change.changedObjectID.entity.name ?? ""]
      else { return nil }
      return .init(kind: kind, path: "/\(path)/\(MusicDatabase.name(of: change.changedObjectID))")
    }
    let event = Event(transaction: transaction.transactionNumber, changes: changes)
    guard !changes.isEmpty, let id = id(transaction.token),
      let data = try? JSONEncoder.service.encode(event)
    else { return nil }
    let idLine = "id: \(id)\n"
    return ("\(idLine)data: \(String(decoding: data, as: UTF8.self))\n\n", idLine)
  }

  /// The line with the id of the position; empty if the history is empty.
  private var positionLine: String {
    position.flatMap { Self.id($0) }.map { "id: \($0)\n" } ?? ""
  }

  private static func id(_ token: NSPersistentHistoryToken) -> String? {
    try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      .base64EncodedString()
  }

  private static func token(_ id: String) -> NSPersistentHistoryToken? {
    Data(base64Encoded: id).flatMap {
      try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: $0)
    }
  }
}
