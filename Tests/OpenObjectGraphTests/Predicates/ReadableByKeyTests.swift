import Foundation
import OpenCoreData
import OpenManagedMacros
import Testing

@ReadableByKey
private struct Album {
  let title: String
  var year: Int?
  var tracks: [Track]
  var label: Label?
}

@ReadableByKey
private final class Label: NSObject {
  let name: String

  init(name: String) { self.name = name }
}

@ReadableByKey
private class Track: NSObject {
  var title: String
  var length: Double
  /// Computed properties are readable like stored ones.
  var isLong: Bool { length > 300 }

  init(_ title: String, length: Double) {
    self.title = title
    self.length = length
  }
}

@ReadableByKey
private final class LiveTrack: Track {
  var place = "Leeds"
}

@ReadableByKey
private final class Box<Content> {
  let content: Content

  init(_ content: Content) { self.content = content }
}

@ReadableByKey
private struct Cover {
  var album: Album
}

@ReadableByKey
private class Song {
  var cover: Cover
  weak var next: Song?
  private(set) var rating = 0

  init(cover: Cover) { self.cover = cover }
}

@Suite("Types readable by key")
struct ReadableByKeyTests {
  private let album = Album(
    title: "Blue", year: nil,
    tracks: [Track("One", length: 100), LiveTrack("Two", length: 400)], label: Label(name: "Apple"))

  private func holds(_ format: String, _ object: Any) -> Bool {
    NSPredicate(format: format).evaluate(with: object)
  }

  @Test("predicates read stored and computed properties of structures, classes and subclasses")
  func evaluation() {
    #expect(holds("title == 'Blue' AND year == nil", album))
    #expect(holds("label.name BEGINSWITH 'A'", album))
    #expect(holds("ANY tracks.isLong == YES AND tracks.@count == 2", album))
    #expect(holds("tracks.@sum.length == 500", album))
    #expect(holds("place == 'Leeds' AND title == 'Two'", album.tracks[1]))
    #expect(holds("content.title == 'Blue'", Box(album)))
    #expect(!holds("title == 'Red'", album))
  }

  @Test("an unknown name evaluates to nil and is distinguishable from a property")
  func unknownNames() {
    #expect(holds("composer == nil", album))
    #expect(album.readableValue(forKey: "composer") is NoSuchKey)
    #expect(album.tracks[1].readableValue(forKey: "composer") is NoSuchKey)
    #expect(album.readableValue(forKey: "year") == nil)
  }

  @Test("sort descriptors order such objects by key")
  func sorting() {
    let descriptor = NSSortDescriptor(key: "length", ascending: false)
    #expect(descriptor.compare(album.tracks[0], to: album.tracks[1]) == .orderedDescending)
    #expect(descriptor.compare(album.tracks[1], to: album.tracks[0]) == .orderedAscending)
  }

  /// Swift, `_kvcKeyPathString`, for properties visible to Objective-C; `@ReadableByKey` replaces it here.
  @Test(
    "key paths over readable properties have their names, also in subclasses and after optionals")
  func names() {
    let paths: [(AnyKeyPath, String?)] = [
      (\Album.title, "title"), (\Album.year, "year"), (\Album.label?.name, "label.name"),
      (\Track.isLong, "isLong"), (\LiveTrack.title, "title"), (\LiveTrack.place, "place"),
      (\LiveTrack.title.count, nil), (\Box<Album>.content.label?.name, "content.label.name"),
      (\Song.cover.album.title, "cover.album.title"), (\Song.next?.next?.next, "next.next.next"),
      (\Song.next?.cover.album.label?.name, nil), (\Song.rating, "rating"),
      (\Song.next!.rating, nil), (\Album.tracks[0].title, nil), (\String.count, nil),
    ]
    for (path, name) in paths { #expect(path._kvcKeyPathString == name, "\(path)") }
    #expect(NSSortDescriptor(keyPath: \Album.label?.name, ascending: true).key == "label.name")
    let expression = NSExpression(forKeyPath: \Album.label?.name)
    #expect(expression.keyPath == "label.name")
    #expect(expression.expressionValue(with: album, context: nil) as? String == "Apple")
  }
}
