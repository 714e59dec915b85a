import CoreData
import ForumClient
import ForumHTML
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Performs the reader's actions on private messages: opens, writes, moves and deletes them on the site and in the store.
///
/// The store changes only after the site has accepted a change. A value over shared state; safe to use from any thread.
public struct MessageDesk: Sendable {
  private let store: ForumStore
  private let pages: SitePages

  init(_ pages: SitePages) {
    store = pages.store
    self.pages = pages
  }

  // MARK: Reading

  /// Fetches and stores a message. The site then counts the message as read.
  ///
  /// - Throws: `SiteRequestError`.
  public func fetch(_ id: String) async throws {
    _ = try await message(id, .store)
  }

  private func message(_ id: String, _ use: SitePages.Use) async throws -> MessagePage {
    try await SiteRequestError.explaining {
      try await pages.page(
        "private.php", [("action", "show"), ("privatemessageid", id)], use
      ).expectMessage()
    }
  }

  /// Fetches and stores the list of a folder.
  ///
  /// - Throws: `SiteRequestError`.
  public func fetchFolder(_ id: String) async throws {
    _ = try await folder([("folderid", id)])
  }

  private func folder(_ selection: [(String, String)]) async throws -> MessageListPage {
    try await SiteRequestError.explaining {
      try await pages.page("private.php", selection + [("pagenumber", "1")], .store)
        .expectMessageList()
    }
  }

  // MARK: Writing

  /// The purpose of a message.
  public enum Purpose: Sendable, Hashable {
    /// A new message.
    case new
    /// A reply to a message.
    case reply(to: String)
    /// A copy of a message for another member.
    case forward(String)
  }

  /// The contents of a message.
  public struct Text: Sendable, Equatable {
    /// The name of the recipient.
    public var recipient: String
    /// The subject.
    public var subject: String
    /// The text, with the site's markup codes.
    public var body: String
    /// Whether the site keeps a copy in the sent items.
    public var keepsCopy: Bool

    /// Creates the contents of a message.
    public init(recipient: String, subject: String, body: String, keepsCopy: Bool = true) {
      self.recipient = recipient
      self.subject = subject
      self.body = body
      self.keepsCopy = keepsCopy
    }
  }

  /// Returns the initial contents of the site's message form. A reply starts with the recipient, a subject, and the quoted message.
  ///
  /// - Throws: `SiteRequestError`.
  public func beginning(of purpose: Purpose) async throws -> Text {
    let form = try await form(for: purpose).form
    func value(_ name: String) -> String { form.controls(named: name).first?.value ?? "" }
    return Text(
      recipient: value("touser"), subject: value("title"), body: value("message"),
      keepsCopy: form.controls(named: "savecopy").first?.isChosen ?? true)
  }

  /// Sends a message once.
  ///
  /// - Throws: `SiteRequestError`. If the code is `.unclear`, the message may have been sent.
  public func send(_ text: Text, _ purpose: Purpose) async throws {
    try Self.requireComplete(text)
    _ = try await post(text, purpose)
    try await noteSent(purpose)
  }

  /// Sends a draft once, and deletes the draft as soon as the site has accepted the message.
  ///
  /// Simultaneous calls with the same text share one sending, because the reader may have submitted a form twice. If another window changes
  /// the draft in the meantime, the changed draft stays.
  ///
  /// - Parameters:
  ///   - draft: The stored draft.
  ///   - drafts: The drafts that contain it.
  /// - Throws: `SiteRequestError`. If the code is `.gone`, the draft was sent or discarded before, and the method sends nothing. If the code
  ///   is `.unclear`, the message may have been sent.
  public func send(_ draft: MessageDrafts.Row, from drafts: MessageDrafts) async throws {
    let (text, purpose) = (draft.text, draft.purpose)
    try Self.requireComplete(text)
    _ = try await pages.inFlight("message \(purpose) \(text)") {
      guard try await drafts.draft(for: purpose) != nil else {
        throw SiteRequestError(
          .gone, "The message has already been sent or discarded. It was not sent again.")
      }
      let answer = try await post(text, purpose)
      try await drafts.discard(purpose, ifUnchangedFrom: text)
      try await noteSent(purpose)
      return answer
    }
  }

  /// Sends the site's form with a message.
  private func post(_ text: Text, _ purpose: Purpose) async throws -> ScrapedPage {
    let form = try await form(for: purpose).form
    for name in ["touser", "title", "message"] where form.controls(named: name).isEmpty {
      throw SiteRequestError(.form, "The site's message form has no field \(name).")
    }
    var fields: [(String, String)] = []
    for entry in form.submission(pressing: "submit") {
      switch entry.name {
      case "touser": fields.append((entry.name, text.recipient))
      case "title": fields.append((entry.name, text.subject))
      case "message": fields.append((entry.name, text.body))
      case "savecopy": break
      default: fields.append((entry.name, entry.value))
      }
    }
    if text.keepsCopy, let copy = form.controls(named: "savecopy").first {
      fields.append((copy.name, copy.value))
    }
    let answer = try await pages.send(form, fields)
    if case .form = answer {
      throw SiteRequestError(
        .refused, "The site did not send the message and showed the form again. Check the fields.")
    }
    return answer
  }

  private func form(for purpose: Purpose) async throws -> FormPage {
    let query: [(String, String)] =
      switch purpose {
      case .new: []
      case .reply(let id): [("privatemessageid", id)]
      case .forward(let id): [("forward", "true"), ("privatemessageid", id)]
      }
    return try await SiteRequestError.explaining {
      try await pages.page("private.php", [("action", "newmessage")] + query)
        .expectForm(.composeForm)
    }
  }

  private static func requireComplete(_ text: Text) throws {
    func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
    if isBlank(text.recipient) {
      throw incomplete("The message has no recipient yet. Enter a name.")
    }
    if isBlank(text.subject) { throw incomplete("The message has no subject yet.") }
    if isBlank(text.body) { throw incomplete("The message has no text yet.") }
  }

  private static func incomplete(_ sentence: String) -> SiteRequestError {
    SiteRequestError(.incomplete, sentence)
  }

  private func noteSent(_ purpose: Purpose) async throws {
    switch purpose {
    case .new: break
    case .reply(let id): try await change(id) { $0.update(\.replied, to: true) }
    case .forward(let id): try await change(id) { $0.update(\.forwarded, to: true) }
    }
    // The message has been sent. If the list cannot be fetched now, the next sync brings it.
    try? await fetchFolder(PrivateMessageFolder.sentItemsID)
  }

  // MARK: Organizing

  /// Deletes a message permanently.
  ///
  /// - Throws: `SiteRequestError`.
  public func delete(_ id: String) async throws {
    guard let form = try await message(id, .read).deletionForm else {
      throw SiteRequestError(.form, "The site's page has no form for deleting the message.")
    }
    let fields = form.submission(pressing: "").filter { $0.name != "delete" }
    try await pages.send(form, fields.map { ($0.name, $0.value) } + [("delete", "yes")])
    try await change(id) { $0.managedObjectContext?.delete($0) }
  }

  /// Moves a message to another folder.
  ///
  /// - Throws: `SiteRequestError`.
  public func move(_ id: String, toFolder target: String) async throws {
    let source = try await SiteRequestError.explaining {
      try await store.performBackgroundTask { context in
        try context.fetch(PrivateMessage.request(id: id)).first?.folder?.folderID
      }
    }
    let list = try await folder([
      ("folderid", source ?? PrivateMessageFolder.inboxID), ("showall", "1"),
    ])
    guard list.messages.contains(where: { $0.id == id }) else {
      throw SiteRequestError(
        .missing,
        "The message is no longer in its folder on the site. Fetch new content and try again.")
    }
    guard let form = list.form, form.controls.contains(where: { $0.name == "move" }) else {
      throw SiteRequestError(.form, "The site's list has no form for moving messages.")
    }
    let offered = form.controls(named: "folderid").map(\.value)
    guard offered.contains(target) else {
      throw SiteRequestError(
        .missing, "The folder does not exist on the site. Fetch new content and try again.")
    }
    let fields = form.submission(pressing: "move").filter { $0.name != "folderid" }
    try await pages.send(
      form,
      fields.map { ($0.name, $0.value) } + [
        ("privatemessage[\(id)]", "yes"), ("folderid", target),
      ])
    try await change(id) { message in
      let request = NSFetchRequest<PrivateMessageFolder>(entityName: "PrivateMessageFolder")
      request.predicate = NSPredicate(format: "folderID == %@", argumentArray: [target])
      let folder = try message.managedObjectContext?.fetch(request).first
      message.update(\.folder, to: folder)
    }
  }

  /// A text field in the site's form for folders.
  public struct FolderBox: Sendable, Equatable {
    /// The name of the field.
    public let name: String
    /// The folder's name; empty for a field that creates a new folder.
    public let folder: String
  }

  /// Returns the fields with the names of the reader's own folders.
  ///
  /// - Throws: `SiteRequestError`.
  public func folderBoxes() async throws -> [FolderBox] {
    try await folderForm().controls.filter { $0.kind == .text }
      .map { FolderBox(name: $0.name, folder: $0.value) }
  }

  /// Renames, creates and removes folders. Messages in a removed folder move to the inbox.
  ///
  /// - Parameter names: The folder names by field name. Omitted fields keep their names; an empty name removes the folder.
  /// - Throws: `SiteRequestError`.
  public func setFolders(_ names: [String: String]) async throws {
    let form = try await folderForm()
    let boxes = Set(form.controls.filter { $0.kind == .text }.map(\.name))
    let fields = form.submission(pressing: "submit").map { entry in
      (entry.name, boxes.contains(entry.name) ? names[entry.name] ?? entry.value : entry.value)
    }
    try await pages.send(form, fields)
    try await fetchFolder(PrivateMessageFolder.inboxID)
  }

  private func folderForm() async throws -> ScrapedForm {
    try await SiteRequestError.explaining {
      try await pages.page("private.php", [("action", "editfolders")])
        .expectForm(.editFoldersForm).form
    }
  }

  // MARK: The store

  private func change(
    _ id: String, _ work: @escaping @Sendable (PrivateMessage) throws -> Void
  ) async throws {
    try await SiteRequestError.explaining {
      try await store.performBackgroundTask { context in
        for message in try context.fetch(PrivateMessage.request(id: id)) { try work(message) }
      }
    }
  }
}
