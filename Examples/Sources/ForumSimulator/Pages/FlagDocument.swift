/// The image displayed above a forum, as JSON.
struct FlagDocument {
  let context: PageContext
  let forum: SiteForum

  var json: String {
    var random = SplitMix64(seed: context.state.seed ^ UInt64(forum.id) &* 31)
    let author = context.state.users[random.next(below: context.state.users.count)]
    return JSONText.object([
      ("path", .string("/flags/\(forum.id)/\(random.next(in: 1...99)).png")),
      ("username", .string(author.name)),
      ("created", .string(context.clock.postDate(context.state.clock - 86_400))),
    ]).text
  }
}
