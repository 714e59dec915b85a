import CoreData
import Foundation
import OpenPersistenceKit
import Synchronization

extension PersistenceController.Configuration {
  /// The configuration of a music app, its texts going to a journal.
  static func kanora(
    _ storage: PersistenceController.Storage, journal: Journal? = nil
  ) -> PersistenceController.Configuration {
    var configuration = PersistenceController.Configuration(
      name: "Kanora", storage: storage, makeModel: MusicModel.make)
    configuration.makeSampleData = { CoreDataTestUtilities.createSampleData(in: $0) }
    if let journal { configuration.report = { journal.add($0) } }
    return configuration
  }
}

// What an application adds to the kit's controller.
extension PersistenceController {
  static let shared = PersistenceController(opening: .kanora(.inMemory))

  @MainActor
  static let preview = PersistenceController(previewing: .kanora(.standard))

  convenience init(inMemory: Bool) {
    let configuration = Configuration.kanora(.standard)
    self.init(opening: inMemory ? configuration.inMemory : configuration)
  }
}

/// The texts that a controller reported.
final class Journal: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}

enum CoreDataTestUtilities {
  static func createSampleData(in context: NSManagedObjectContext) {
    let library = Library(context: context)
    library.name = "Local"
    let artist = Artist(context: context)
    artist.name = "The Beatles"
    artist.library = library
    let album = Album(context: context)
    album.title = "Abbey Road"
    album.artist = artist
    for title in ["Come Together", "Something"] {
      let track = Track(title: title, context: context)
      track.album = album
      track.filePath = "/music/\(title).flac"
    }
  }

  /// Rules of the application; its model allows all of it.
  static let rules = [
    IntegrityCheck.Rule(
      entityName: "Track", violation: "album == nil", message: "The track has no album."),
    IntegrityCheck.Rule(
      entityName: "Album", violation: "artist == nil", message: "The album has no artist."),
    IntegrityCheck.Rule(
      entityName: "Artist", violation: "library == nil", message: "The artist has no library."),
  ]

  static func verifyDataIntegrity(in context: NSManagedObjectContext) -> [String] {
    do {
      return try IntegrityCheck(rules: rules).findings(in: context).map(\.description)
    } catch {
      return ["\(error)"]
    }
  }
}

/// A folder that is deleted with the test.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("kit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var store: URL { url.appendingPathComponent("Kanora.sqlite") }

  /// A music stack with its store in the folder.
  func open(journal: Journal? = nil) -> PersistenceController {
    PersistenceController(opening: .kanora(.file(store), journal: journal))
  }

  /// A music stack whose store reports each statement.
  func open(observer: StatementObserver) -> PersistenceController {
    var configuration = PersistenceController.Configuration.kanora(.file(store))
    configuration.prepareStore = { $0.setOption(observer, forKey: OpenStatementObserverOption) }
    return PersistenceController(opening: configuration)
  }
}
