import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports one private message and its author.
///
/// Confined to its context.
struct MessageImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports a message. The message counts as seen, because the site shows its page only to a reader who opens it.
  func importMessage(_ page: MessagePage) throws {
    let messages = try UpsertBatch<PrivateMessage>(
      in: context, key: "messageID", values: [page.id])
    let message = messages[page.id]
    message.updateUnlessEmpty(\.subject, to: page.subject)
    message.update(\.innerHTML, to: page.bodyHTML)
    message.update(\.seen, to: true)
    // The page of a message that was replied to may omit that status; lists always show it.
    if page.status.isRepliedTo { message.update(\.replied, to: true) }
    if page.status.isForwarded { message.update(\.forwarded, to: true) }
    message.importDate(page.sent)
    if let author = try AuthorImporter(context).importAuthor(page.author) {
      message.update(\.from, to: author)
    }
    if message.isSent {
      try importRecipient(of: message)
    } else {
      message.updateUnlessEmpty(\.rawFromUsername, to: page.author.name)
    }
  }

  /// Finds the recipient of a sent message by name. The message's page does not name the recipient; the list does.
  private func importRecipient(of message: PrivateMessage) throws {
    guard message.to == nil, let name = message.rawFromUsername else { return }
    let request = NSFetchRequest<User>(entityName: "User")
    request.predicate = NSPredicate(format: "username == %@", argumentArray: [name])
    request.sortDescriptors = [NSSortDescriptor(key: "userID", ascending: true)]
    message.updateIfPresent(\.to, to: try context.fetch(request).first)
  }
}

extension PrivateMessage {
  /// Stores the sent date. Lists and the message's page print the same minute in different formats, so the printed text changes only when
  /// the date changes.
  func importDate(_ sent: PrintedDate?) {
    guard let sent, sentDate == nil || sent.date != nil && sentDate != sent.date else { return }
    update(\.sentDateRaw, to: sent.printed)
    updateIfPresent(\.sentDate, to: sent.date)
  }
}
