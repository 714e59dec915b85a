package import Foundation
import OpenCoreData
package import OpenObjectGraph
package import OpenObjectModel
package import OpenStoreContract

/// A store that a command reads, with the model it is read by. The file and what lies beside it stay as they are.
package struct InspectedStore {
  package let url: URL
  package let model: NSManagedObjectModel
  package let coordinator: NSPersistentStoreCoordinator
  package let store: NSPersistentStore

  /// Opens a store for reading.
  ///
  /// - Parameters:
  ///   - path: The store's file, or a folder that contains one.
  ///   - modelPath: A model that goes before the one in the store; nil for that one.
  ///   - observer: Called with each statement.
  /// - Throws: `ToolError`.
  package init(
    at path: String, modelPath: String?, observer: StatementObserver? = nil
  ) throws {
    let url = try Self.url(at: path)
    try self.init(url, Self.model(of: url, modelPath), observer: observer)
  }

  /// Opens a store for writing.
  ///
  /// - Parameters:
  ///   - path: The store's file, or a folder that contains one.
  ///   - modelPath: A model that goes before the one in the store; nil for that one.
  ///   - options: Further options of the store.
  /// - Throws: `ToolError`.
  package init(writing path: String, modelPath: String?, options: [String: Any]) throws {
    let url = try Self.file(at: path)
    let model = try Self.model(of: url, modelPath)
    // A store that keeps a history is written with it only.
    let hasHistory = try FileFacts(url).changes != .null
    let writing = [
      NSReadOnlyPersistentStoreOption: false, NSPersistentHistoryTrackingKey: hasHistory,
    ]
    try self.init(url, model, options: options.merging(writing) { $1 })
  }

  /// Opens a store's file for reading by a model.
  init(
    _ url: URL, _ model: NSManagedObjectModel, observer: StatementObserver? = nil,
    options others: [String: Any] = [:]
  ) throws {
    self.url = url
    self.model = model
    // The classes of the program that wrote the store are not here, and need not be.
    // A model that another store uses already cannot change, and has none.
    for entity in model.entities
    where ![nil, "NSManagedObject"].contains(entity.managedObjectClassName) {
      entity.managedObjectClassName = nil
    }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    // The store's own model fits by its tables, whatever became of the hashes; info compares those.
    var options: [String: Any] = [
      NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
    ]
    if let observer { options[OpenStatementObserverOption] = observer }
    options.merge(others) { $1 }
    do {
      store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    } catch {
      throw ToolError(.unreadable, "\(Self.name(of: url)): \(Self.sentence(for: error))")
    }
  }

  /// The model in a store, or in a separate file.
  package static func model(of url: URL, _ modelPath: String?) throws -> NSManagedObjectModel {
    if let modelPath { return try model(at: modelPath) }
    if let model = try keptModel(of: url) { return model }
    throw ToolError(
      .unreadable, "\(name(of: url)): The store keeps no model; name one with --model.")
  }

  /// The model that a store keeps; nil for none.
  static func keptModel(of url: URL) throws -> NSManagedObjectModel? {
    do {
      let files = try StoreTypes.opener(of: StoreTypes.type(NSSQLiteStoreType, at: url)).files
      return try files?.model(StoreConfiguration(url: url))
    } catch {
      throw ToolError(.unreadable, "\(name(of: url)): \(sentence(for: error))")
    }
  }

  /// The model at a path: a compiled one, a document, or the one in a store.
  package static func model(at path: String) throws -> NSManagedObjectModel {
    try InputKind.require(path, toBe: "a model")
    let url = URL(fileURLWithPath: path)
    let head = try? FileHandle(forReadingFrom: url).read(upToCount: 16)  // folders have none
    if let head, head.starts(with: Data("SQLite format 3".utf8)) {
      return try model(of: url, nil)
    }
    do {
      return try NSManagedObjectModel.reading(url)
    } catch {
      throw ToolError(.unreadable, "\(path): \(error.message)")
    }
  }

  // MARK: Places

  /// The store at a path or a URL.
  ///
  /// - Throws: `ToolError` for a file that is not there, and for a URL of a kind of store that the program does not have.
  package static func url(at path: String) throws -> URL {
    try serverURL(path) ?? file(at: path)
  }

  /// The place of a store that is to be made.
  ///
  /// - Throws: `ToolError` when a store or another file is there.
  static func newURL(at path: String) throws -> URL {
    guard let url = try serverURL(path) else {
      guard !FileManager.default.fileExists(atPath: path) else {
        throw ToolError(.usage, "\(path): There is a file already; name another one.")
      }
      return URL(fileURLWithPath: path)
    }
    let files = try StoreTypes.opener(of: StoreTypes.type(NSSQLiteStoreType, at: url)).files
    do throws(StoreError) {
      _ = try files?.metadata(StoreConfiguration(url: url))
    } catch {
      if error.code == .incompatibleSchema { return url }
      throw ToolError(.unreadable, "\(name(of: url)): \(error.message)")
    }
    throw ToolError(.usage, "\(name(of: url)): There is a store already; name another schema.")
  }

  /// The URL of a store that is no file; nil for a path.
  private static func serverURL(_ path: String) throws -> URL? {
    guard let scheme = ["postgresql", "postgres"].first(where: { path.hasPrefix($0 + ":") }) else {
      return nil
    }
    guard let url = URL(string: path) else {
      throw ToolError(
        .usage,
        "This is not a URL; a PostgreSQL store has one like \(scheme)://user@host/database?schema=name."
      )
    }
    guard StoreTypes.type(NSSQLiteStoreType, at: url) != NSSQLiteStoreType else {
      throw ToolError(
        .usage,
        "This program has no PostgreSQL stores; use coredata-postgres, which has the same commands."
      )
    }
    return url
  }

  /// A path, or a URL without password, for messages.
  package static func name(of url: URL) -> String {
    if url.isFileURL { return url.path }
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let items = parts?.queryItems?.filter { ["schema", "host", "port"].contains($0.name) }
    parts?.password = nil
    parts?.queryItems = items
    return parts?.string ?? "the store"
  }

  /// Requires a store that is a file, for a command that has nothing to do with others.
  static func requireFile(_ path: String, for command: String) throws {
    if try serverURL(path) != nil {
      throw ToolError(
        .usage, "\(command) is for stores that are files; servers have their own programs.")
    }
  }

  /// The store's file at a path.
  static func file(at path: String) throws -> URL {
    try requireFile(path, for: "The command")
    let url = URL(fileURLWithPath: path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ToolError(.unreadable, "\(path): There is no such file.")
    }
    try InputKind.require(path, toBe: "a store")
    guard isFolder.boolValue else { return url }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let stores = names.filter {
      ["sqlite", "store", "db", "storedata"].contains(($0 as NSString).pathExtension)
    }
    guard stores.count == 1, let only = stores.first else {
      throw ToolError(
        .usage,
        "\(path): The folder contains \(stores.isEmpty ? "no store" : "several stores"); name the file."
      )
    }
    return url.appendingPathComponent(only)
  }

  /// Closes the store; nothing can be read any more.
  package func close() throws { try coordinator.remove(store) }

  /// Closes the store, and deletes it.
  func remove() throws {
    try close()
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    for suffix in url.isFileURL ? ["", "-wal", "-shm", "-lock"] : [] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)  // Not all are there.
    }
  }

  /// What an error says, in one sentence.
  package static func sentence(for error: any Error) -> String {
    if let error = error as? StoreError { return error.message }
    let bridged = error as NSError
    if let inner = bridged.userInfo[OpenStoreErrorKey] as? StoreError { return inner.message }
    return bridged.localizedDescription
  }

  /// The compiled entities, by their number in files.
  package var entities: [CompiledEntity] { coordinator.model.entities }
  package var backend: any StoreBackend { store.backend }
}
