import ForumScraping

/// The places of a page's posts in their thread, starting at 1, including posts whose place the page does not show.
///
/// A value. The place of such a post is counted from a neighbouring post with a known place, or else from the page number.
struct PostPlaces {
  private var places: [Int] = []

  /// Computes the places.
  ///
  /// - Parameters:
  ///   - posts: The posts, in page order.
  ///   - page: The number of the page.
  init(_ posts: [ScrapedPost], page: Int) {
    let first =
      (min(max(page, 1), Self.largest / ForumThread.postsPerPage) - 1)
      * ForumThread.postsPerPage
    let known = posts.enumerated().compactMap { position, post in
      post.index.flatMap { (1...Self.largest).contains($0) ? (position, $0) : nil }
    }
    var next = 0
    for position in posts.indices {
      while next + 1 < known.count, known[next + 1].0 <= position { next += 1 }
      let place =
        known.indices.contains(next)
        ? known[next].1 + position - known[next].0 : first + position + 1
      places.append(max(1, place))
    }
  }

  /// The largest place that is accepted; no real thread is longer.
  private static let largest = 100_000_000

  /// Returns the place of the post at a position on the page.
  subscript(position: Int) -> Int { places[position] }

  /// The place of the last post, or nil if the page has no posts.
  var last: Int? { places.last }
}
