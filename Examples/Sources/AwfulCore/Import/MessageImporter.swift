import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports one private message with its author.
///
/// Confined to its context.
struct MessageImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports a message. The site shows it to readers who open it; so it counts as seen.
  func importMessage(_ page: MessagePage) throws {
    let messages = try UpsertBatch<PrivateMessage>(
      in: context, key: "messageID", values: [page.id])
    let message = messages[page.id]
    message.updateUnlessEmpty(\.subject, to: page.subject)
    message.update(\.innerHTML, to: page.bodyHTML)
    message.update(\.seen, to: true)
    // The page of a message that was replied to may not say so; lists always do.
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

  /// The page of a sent message does not name the recipient; the list does.
  private func importRecipient(of message: PrivateMessage) throws {
    guard message.to == nil, let name = message.rawFromUsername else { return }
    let request = NSFetchRequest<User>(entityName: "User")
    request.predicate = NSPredicate(format: "username == %@", argumentArray: [name])
    request.sortDescriptors = [NSSortDescriptor(key: "userID", ascending: true)]
    message.updateIfPresent(\.to, to: try context.fetch(request).first)
  }
}

extension PrivateMessage {
  /// Takes over when the message was sent. Lists and the message print the same minute in different forms: the print is changed only
  /// with the instant.
  func importDate(_ sent: PrintedDate?) {
    guard let sent, sentDate == nil || sent.date != nil && sentDate != sent.date else { return }
    update(\.sentDateRaw, to: sent.printed)
    updateIfPresent(\.sentDate, to: sent.date)
  }
}
