import BenchModel
import Foundation

/// The attributes of a post, for workloads that run on both stacks.
protocol MeasuredPost: AnyObject {
  var postID: String? { get set }
  var title: String? { get set }
  var innerHTML: String? { get set }
  var editable: Bool { get set }
  var ignored: Bool { get set }
  var threadIndex: Int32 { get set }
  var score: Double { get set }
  var postDate: Date? { get set }
}

extension MeasuredPost {
  /// Sets the attributes of the post.
  func fill(from content: some PostContent) {
    editable = content.head.editable
    ignored = content.head.ignored
    threadIndex = content.head.threadIndex
    postDate = Date(timeIntervalSinceReferenceDate: content.head.postDate)
    score = content.head.score
    innerHTML = content.html
    postID = content.id
    title = content.title
  }

  /// A checksum over all attributes.
  var sumOfAttributes: Int64 {
    let html = innerHTML ?? ""
    var sum = Int64(threadIndex) + (editable ? 1 : 0) + (ignored ? 1 : 0)
    sum += Int64(postDate?.timeIntervalSinceReferenceDate ?? 0) + Int64(score * 1000)
    sum += Int64(html.utf8.count + (postID?.utf8.count ?? 0) + (title?.utf8.count ?? 0))
    return sum + Int64(html.utf8.first ?? 0)
  }
}

extension Models.Post: MeasuredPost {}
extension Objects.Post: MeasuredPost {}
