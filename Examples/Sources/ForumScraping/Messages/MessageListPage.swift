import ForumHTML

/// A folder of private messages.
public struct MessageListPage: Sendable, Equatable {
  /// A folder.
  public struct Folder: Sendable, Equatable {
    /// The id; 0 for the inbox, -1 for the sent messages.
    public let id: String
    /// The name.
    public let name: String
  }

  /// One row of the folder.
  public struct Message: Sendable, Equatable {
    /// The message's id.
    public let id: String
    /// The subject.
    public let subject: String
    /// The other party's name: the sender, or the recipient of a sent message.
    public let otherPartyName: String
    /// Whether the name links to a profile.
    public let isOtherPartyLinked: Bool
    /// The date of sending.
    public let sent: PrintedDate?
    /// The status of the message for the reader.
    public let status: MessageStatus
    /// The icon.
    public let icon: ThreadIcon?
    /// The description of the icon; empty without an icon.
    public let iconDescription: String
  }

  /// The folders, in order.
  public let folders: [Folder]
  /// The selected folder.
  public let selectedFolder: Folder?
  /// Whether the site shows only the last fifty messages.
  public let isOnlyLastFifty: Bool
  /// The messages, in order.
  public let messages: [Message]
  /// The page number and the number of pages.
  public let pages: PageNumbers
  /// The form that moves and deletes messages; nil if the page has none.
  public let form: ScrapedForm?

  init(_ document: HTMLDocument) throws {
    guard try document.first("table.standard tbody") != nil else {
      throw PageError(
        .missingMarker, "The page has no list of messages.", marker: "table.standard tbody")
    }
    (folders, selectedFolder) = try Self.folders(of: document)
    // Without the list of folders, the messages of the other folders would look like deleted ones.
    guard !folders.isEmpty else {
      throw PageError(
        .missingMarker, "The page has no list of folders.", marker: "select[name='folderid']")
    }
    isOnlyLastFifty = try document.first("div.pmwarn a[href*='showall']") != nil
    var messages: [Message] = []
    for row in try document.select("table.standard tbody tr") {
      if let message = try Self.message(row) { messages.append(message) }
    }
    self.messages = messages
    pages = try PageNumbers(of: document)
    form = try ScrapedForm.first(of: document, action: "dostuff")
  }

  static func folders(of document: HTMLDocument) throws -> ([Folder], Folder?) {
    let list =
      try document.first("form.folder select[name='folderid']")
      ?? document.first("select[name='folderid']")
    guard let list else { return ([], nil) }
    var folders: [Folder] = []
    var selected: Folder?
    for option in try list.select("option") {
      guard let id = option["value"]?.nonEmpty else { continue }
      let folder = Folder(id: id, name: option.trimmedText)
      folders.append(folder)
      if option["selected"] != nil { selected = folder }
    }
    return (folders, selected ?? folders.first)
  }

  private static func message(_ row: HTMLElement) throws -> Message? {
    let title = try row.first("td.title a[href*='privatemessageid=']")
    let sender = try row.first("td.sender")
    guard let title, let id = Link.parameter("privatemessageid", in: title["href"]) else {
      if sender == nil { return nil }
      // Without the row, its message would look like a deleted one.
      throw PageError(
        .missingMarker, "A row of the folder does not identify a message.",
        marker: "td.title a[href*='privatemessageid=']")
    }
    let icon = try row.first("td.icon img")
    return Message(
      id: id, subject: title.trimmedText, otherPartyName: sender?.trimmedText ?? "",
      isOtherPartyLinked: try sender?.first("a[href]") != nil,
      sent: PrintedDate(try row.first("td.date")?.text),
      status: MessageStatus(imageAddress: try row.first("td.status img")?["src"]),
      icon: ThreadIcon(icon?["src"]), iconDescription: icon?["alt"] ?? "")
  }
}
