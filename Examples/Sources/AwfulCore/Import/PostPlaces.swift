import ForumScraping

/// The places of a page's posts in their thread, from 1, also of those the page does not tell.
///
/// A value. A post without place is counted on from a neighbour with one, else from the page.
struct PostPlaces {
  private var places: [Int] = []

  /// Works out the places.
  ///
  /// - Parameters:
  ///   - posts: The posts, in the page's order.
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

  /// Larger numbers are no places of a real thread.
  private static let largest = 100_000_000

  /// The place of a post by its position on the page.
  subscript(position: Int) -> Int { places[position] }

  /// The place of the last post; nil for a page without posts.
  var last: Int? { places.last }
}
