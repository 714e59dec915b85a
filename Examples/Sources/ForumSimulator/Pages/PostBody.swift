/// The text of a post as HTML.
struct PostBody {
  let context: PageContext
  let thread: SiteThread
  let post: SitePost

  var html: String {
    BBCode.html(context.state.source(of: post, in: thread))
  }
}
