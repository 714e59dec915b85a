/// Adds the data of accounts to a site: messages, folders and punishments.
///
/// The generator draws from a separate sequence, so that forums, threads and posts do not depend on it.
struct MemberGenerator {
  private static let day = 86_400

  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed ^ 0x6D65_6D62_6572)
  }

  mutating func fill(_ state: inout SiteState) {
    addMessages(to: &state)
    addPunishments(to: &state)
  }

  /// Adds a folder and messages, some of which the default account has read, answered or forwarded.
  private mutating func addMessages(to state: inout SiteState) {
    let owner = state.users[0].id
    let folder = SiteFolder(id: 1, name: "Kept & signed")
    state.readers[owner, default: Reader()].folders = [folder]
    for number in 0..<18 {
      let other = state.users[random.next(in: 1...state.size.users - 1)].id
      let isSent = number % 6 == 5
      var maker = TextMaker(seed: random.next())
      let title = maker.threadTitle()
      state.nextMessageID += random.next(in: 1...30)
      var message = SiteMessage(
        id: state.nextMessageID, ownerID: owner, senderID: isSent ? owner : other,
        recipientID: isSent ? other : owner, title: number % 3 == 1 ? "Re: \(title)" : title,
        iconID: number % 2 == 0 ? random.pick(SiteThread.Tag.all.map(\.id), or: 0) : 0,
        text: maker.paragraphs().joined(separator: "\n\n"),
        date: state.clock - (18 - number) * Self.day + random.next(below: Self.day),
        folderID: isSent ? SiteMessage.sentItems : number % 7 == 3 ? folder.id : SiteMessage.inbox,
        isSeen: isSent || number < 15)
      message.isRepliedTo = !isSent && number % 5 == 1
      message.isForwarded = !isSent && number % 5 == 2
      state.messages.append(message)
    }
  }

  /// Adds two pages of punishments, beginning with those of the banned accounts and the accounts on probation.
  private mutating func addPunishments(to state: inout SiteState) {
    let staff = state.users.filter(\.isStaff).map(\.id)
    let troubled = state.users.filter { $0.standing != .good }
    let posts = state.threads.flatMap(\.posts)
    for number in 0..<70 {
      var maker = TextMaker(seed: random.next())
      let post = random.happens(percent: 80) ? posts[random.next(below: posts.count)] : nil
      let user = state.users[random.next(in: 1...state.size.users - 1)].id
      let sentences = SitePunishment.Sentence.allCases
      var sentence = sentences[random.next(below: sentences.count)]
      if number < troubled.count {
        sentence = troubled[number].standing == .banned ? .ban : .probation
      }
      state.punishments.append(
        SitePunishment(
          sentence: sentence,
          userID: number < troubled.count ? troubled[number].id : post?.authorID ?? user,
          postID: number < troubled.count ? nil : post?.id,
          date: state.clock - (number * 6 + 1) * Self.day / 2 - random.next(below: 3_600),
          reason: maker.sentence(), requesterID: random.pick(staff, or: 0),
          approverID: random.pick(staff, or: 0)))
    }
  }
}
