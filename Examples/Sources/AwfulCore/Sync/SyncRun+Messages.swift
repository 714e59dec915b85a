import CoreData
import ForumScraping
import OpenPersistenceKit

extension SyncRun {
  /// Fetches the lists of all private message folders, unless the stored lists are young. Deletes messages that are no longer in any
  /// folder. The messages themselves are fetched when the reader opens them.
  mutating func fetchMessages() async throws {
    if ages.isYoung(.messages) { return }
    announce(.messages, 0, of: 1)
    var pass = FolderPass()
    let inbox = PrivateMessageFolder.inboxID
    let folders = try await fetchFolder(inbox, &pass)
    let others = folders.map(\.id).filter { $0 != inbox }.uniqued(by: \.self)
    let total = others.count + 1
    announce(.messages, 1, of: total)
    for (place, folderID) in others.enumerated() {
      _ = try await fetchFolder(folderID, &pass)
      announce(.messages, place + 2, of: total)
    }
    if pass.isIncomplete { return }
    if pass.isWhole { try await keepMessages(pass.messageIDs) }
    try inPhase(.messages) { try ages.note(.messages) }
  }

  /// The messages on the lists that have been read.
  private struct FolderPass {
    var messageIDs: Set<String> = []
    /// Whether a list was refused or could not be read.
    var isIncomplete = false
    /// Whether the lists contain every message of every folder, apart from lists that failed.
    var isWhole = true
  }

  /// The page limit. No real folder has more pages; it ends the sync if a page is broken.
  private static let folderPageLimit = 1_000

  /// Fetches all pages of a folder, then rereads pages from the first one until a page contains no new message. A message that arrives or
  /// leaves during the pass moves other messages to another page.
  ///
  /// - Returns: The reader's folders; empty if the list failed.
  private mutating func fetchFolder(
    _ id: String, _ pass: inout FolderPass
  ) async throws -> [MessageListPage.Folder] {
    var selection = [("folderid", id)]
    guard var list = try await fetchFolderPage(selection, 1) else {
      pass.isIncomplete = true
      return []
    }
    if list.isOnlyLastFifty {
      selection.append(("showall", "1"))
      guard let whole = try await fetchFolderPage(selection, 1) else {
        pass.isIncomplete = true
        return list.folders
      }
      list = whole
    }
    let folders = list.folders
    var ids = Set(list.messages.map(\.id))
    let count = min(list.pages.count, Self.folderPageLimit)
    let rereading = count > 1 ? Array(1...count) : []
    for (place, number) in (Array(1...count).dropFirst() + rereading).enumerated() {
      guard let next = try await fetchFolderPage(selection, number) else {
        pass.isIncomplete = true
        break
      }
      let isKnown = ids.isSuperset(of: next.messages.map(\.id))
      ids.formUnion(next.messages.map(\.id))
      if place >= count - 1, isKnown { break }
    }
    if list.isOnlyLastFifty { pass.isWhole = false }
    pass.messageIDs.formUnion(ids)
    return folders
  }

  /// - Returns: The stored page, or nil if it was recorded as a failure.
  private mutating func fetchFolderPage(
    _ selection: [(String, String)], _ number: Int
  ) async throws -> MessageListPage? {
    let request = Request(
      phase: .messages, subject: "folder \(selection[0].1), page \(number)",
      path: "private.php", query: selection + [("pagenumber", "\(number)")])
    guard case .read(let page, let list) = try await read(request, { try $0.expectMessageList() })
    else { return nil }
    try await store(page, request)
    return list
  }

  /// Deletes the stored messages that are in none of the folders.
  private mutating func keepMessages(_ messageIDs: Set<String>) async throws {
    report.imported += try await inStore(.messages) { context in
      let stored = try QueryBuilder<PrivateMessage>(entityName: "PrivateMessage")
        .where("folder != nil").execute(in: context)
      for message in stored where !messageIDs.contains(message.messageID) {
        context.delete(message)
      }
      return ImportSummary(pendingIn: context)
    }
  }
}
