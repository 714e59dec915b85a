package import Foundation
import OpenCoreData
package import OpenObjectGraph
package import OpenObjectModel
package import OpenStoreContract

/// A store that a command has opened, with the model that the command uses.
///
/// Opening a store for reading changes neither the store nor the files next to it.
package struct InspectedStore {
  package let url: URL
  package let model: NSManagedObjectModel
  package let coordinator: NSPersistentStoreCoordinator
  package let store: NSPersistentStore

  /// Opens a store for reading only.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file, or of a folder that contains one store.
  ///   - modelPath: The path of a model to use instead of the store's own model; nil to use the
  ///     store's own model.
  ///   - observer: An observer that receives each SQL statement; nil for no observer.
  /// - Throws: `ToolError` with status `.unreadable` if the store or the model cannot be read; the
  ///   errors of ``url(at:)`` and ``model(at:)``.
  package init(
    at path: String, modelPath: String?, observer: StatementObserver? = nil
  ) throws {
    let url = try Self.url(at: path)
    try self.init(url, Self.model(of: url, modelPath), observer: observer)
  }

  /// Opens a store for writing.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file, or of a folder that contains one store.
  ///   - modelPath: The path of a model to use instead of the store's own model; nil to use the
  ///     store's own model.
  ///   - options: Options for opening the store. The options that the initializer itself sets take
  ///     precedence.
  /// - Throws: `ToolError` with status `.unreadable` if the store or the model cannot be read, or
  ///   if the store cannot be opened for writing. Throws `ToolError` with status `.usage` if the
  ///   path is the URL of a store on a server, or a folder that does not contain exactly one store.
  ///   Also throws the errors of ``model(at:)``.
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

  /// Opens a store at a URL with a model. Without other options, the store is opened for reading
  /// only.
  init(
    _ url: URL, _ model: NSManagedObjectModel, observer: StatementObserver? = nil,
    options others: [String: Any] = [:]
  ) throws {
    self.url = url
    self.model = model
    // The classes of the program that wrote the store are not here, and need not be.
    // A model that another store already uses cannot be changed, and is already set.
    if !model.isFrozen { model.usesPlainObjects = true }
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

  /// Returns the model at `modelPath`, or the model in the store if `modelPath` is nil.
  ///
  /// - Parameters:
  ///   - url: The URL of the store.
  ///   - modelPath: The path of a model; nil to use the model in the store.
  /// - Throws: `ToolError` with status `.unreadable` if the model cannot be read, or if the store
  ///   contains no model; the errors of ``model(at:)``.
  package static func model(of url: URL, _ modelPath: String?) throws -> NSManagedObjectModel {
    if let modelPath { return try model(at: modelPath) }
    if let model = try keptModel(of: url) { return model }
    throw ToolError(
      .unreadable, "\(name(of: url)): The store contains no model. Specify one with --model.")
  }

  /// Returns the model that a store contains; nil if the store contains no model.
  static func keptModel(of url: URL) throws -> NSManagedObjectModel? {
    do {
      let files = try StoreTypes.opener(of: StoreTypes.type(NSSQLiteStoreType, at: url)).files
      return try files?.model(StoreConfiguration(url: url))
    } catch {
      throw ToolError(.unreadable, "\(name(of: url)): \(sentence(for: error))")
    }
  }

  /// Returns the model in a compiled model, a model document or a store file at a path, or in a
  /// store on a server.
  ///
  /// - Throws: `ToolError` with status `.unreadable` if there is no model, or if the model cannot
  ///   be read. Throws `ToolError` with status `.usage` if the path is a server URL that is not
  ///   valid or that the program does not support.
  package static func model(at path: String) throws -> NSManagedObjectModel {
    if let url = try serverURL(path) { return try model(of: url, nil) }
    try InputKind.require(path, toBe: "a model")
    let url = URL(fileURLWithPath: path)
    let head = try? FileHandle(forReadingFrom: url).read(upToCount: 16)  // folders have none
    if let head, head.starts(with: Data("SQLite format 3".utf8)) {
      return try model(of: url, nil)
    }
    do {
      return try NSManagedObjectModel.reading(url)
    } catch {
      throw ToolError(.unreadable, text(of: error, at: path))
    }
  }

  /// Turns off warnings about missing classes.
  ///
  /// The tool does not contain the classes that models name, so the warnings would have no meaning.
  package static func omitClassWarnings() { GraphLog.omitMissingClasses() }

  // MARK: Places

  /// Returns the URL of the store file at a path, or the URL of a store on a server.
  ///
  /// - Throws: `ToolError` with status `.unreadable` if the file does not exist, or if it is a
  ///   pipe, socket, device or mapping model. Throws `ToolError` with status `.usage` if a folder
  ///   at the path does not contain exactly one store, if the URL is not valid, or if the program
  ///   does not support the kind of store at the URL.
  package static func url(at path: String) throws -> URL {
    try serverURL(path) ?? file(at: path)
  }

  /// Returns the URL for a new store.
  ///
  /// - Throws: `ToolError` if a store or another file exists at the path.
  static func newURL(at path: String) throws -> URL {
    guard let url = try serverURL(path) else {
      guard !FileManager.default.fileExists(atPath: path) else {
        throw ToolError(.usage, "\(path): The file already exists. Choose another one.")
      }
      return URL(fileURLWithPath: path)
    }
    let files = try StoreTypes.opener(of: StoreTypes.type(NSSQLiteStoreType, at: url)).files
    do throws(StoreError) {
      _ = try files?.metadata(StoreConfiguration(url: url))
    } catch {
      if error.code == .missingFile { return url }
      throw ToolError(.unreadable, "\(name(of: url)): \(error.message)")
    }
    throw ToolError(.usage, "\(name(of: url)): The store already exists. Choose another schema.")
  }

  /// Returns the URL of a store on a server; nil if the text is a file path.
  private static func serverURL(_ path: String) throws -> URL? {
    guard let scheme = ["postgresql", "postgres"].first(where: { path.hasPrefix($0 + ":") }) else {
      return nil
    }
    guard let url = URL(string: path) else {
      throw ToolError(
        .usage,
        "The URL is not valid. The URL of a PostgreSQL store has the form \(scheme)://user@host/database?schema=name."
      )
    }
    guard StoreTypes.type(NSSQLiteStoreType, at: url) != NSSQLiteStoreType else {
      throw ToolError(
        .usage,
        "This program does not support PostgreSQL stores. Use coredata-postgres, which has the same commands."
      )
    }
    return url
  }

  /// Returns the name of a store for messages: the path of a file, or a URL without its password
  /// and without query parameters other than `schema`, `host` and `port`.
  package static func name(of url: URL) -> String {
    if url.isFileURL { return url.path }
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let items = parts?.queryItems?.filter { ["schema", "host", "port"].contains($0.name) }
    parts?.password = nil
    parts?.queryItems = items
    return parts?.string ?? "the store"
  }

  /// Throws an error if a store is not a file, for commands that support only files.
  static func requireFile(_ path: String, for command: String) throws {
    if try serverURL(path) != nil {
      throw ToolError(
        .usage, "\(command) is only for store files. For servers, use the server's own programs.")
    }
  }

  /// Returns the URL of the store's file at a path, which may be a folder that contains one store.
  static func file(at path: String) throws -> URL {
    try requireFile(path, for: "The command")
    let url = URL(fileURLWithPath: path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ToolError(.unreadable, "\(path): There is no such file.")
    }
    try InputKind.require(path, toBe: "a store")
    guard isFolder.boolValue else { return url }
    let names = try ToolError.reporting(path) {
      try FileManager.default.contentsOfDirectory(atPath: path)
    }
    let stores = names.filter {
      ["sqlite", "store", "db", "storedata"].contains(($0 as NSString).pathExtension)
    }
    guard stores.count == 1, let only = stores.first else {
      throw ToolError(
        .usage,
        "\(path): The folder contains \(stores.isEmpty ? "no store" : "several stores"). Specify the store file."
      )
    }
    return url.appendingPathComponent(only)
  }

  /// Closes the store. Afterward, the store cannot be used.
  ///
  /// - Throws: No error, because closing a store does not fail.
  package func close() throws { try coordinator.remove(store) }

  /// Closes and deletes the store.
  func remove() throws {
    try close()
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    for suffix in url.isFileURL ? ["", "-wal", "-shm", "-lock"] : [] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)  // Not all are there.
    }
  }

  /// Returns a sentence that describes an error. For a value that cannot be read, or whose external
  /// file is missing, the sentence is followed by the names of the entity and the property.
  package static func sentence(for error: any Error) -> String {
    let bridged = error as NSError
    guard let inner = error as? StoreError ?? bridged.userInfo[OpenStoreErrorKey] as? StoreError
    else { return bridged.localizedDescription }
    guard [.corrupt, .missingFile].contains(inner.code) else { return inner.message }
    return inner.message + place(entity: inner.entityName, property: inner.propertyName)
  }

  /// Returns the names of an entity and a property in parentheses; empty if both are unknown.
  private static func place(entity: String?, property: String?) -> String {
    let names = [entity.map { "entity \($0)" }, property.map { "property \($0)" }]
      .compactMap(\.self)
    return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
  }

  /// Returns a sentence that describes an error. If the error contains the path of a file, the
  /// result begins with the path.
  package static func locatedSentence(for error: any Error) -> String {
    let inner = (error as NSError).userInfo[OpenStoreErrorKey] as? StoreError
    let path = (error as? StoreError ?? inner)?.path
    return (path.map { "\($0): " } ?? "") + sentence(for: error)
  }

  /// Returns the description of an error in a model: the problem and, if they are known, the file,
  /// the line, the entity and the property.
  ///
  /// - Parameter path: The path to use if the error does not contain a path.
  static func text(of error: ModelError, at path: String) -> String {
    let line = error.line.map { ":\($0)" } ?? ""
    return "\(error.path ?? path)\(line): \(error.message)"
      + place(entity: error.entityName, property: error.propertyName)
  }

  /// The compiled entities, in the order of their numbers in the store.
  package var entities: [CompiledEntity] { coordinator.model.entities }
  package var backend: any StoreBackend { store.backend }
}
