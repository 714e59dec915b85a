public import Foundation
internal import OpenCoreData
public import OpenObjectGraph

/// The location and the options of a container's store.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, ModelConfiguration.
public struct ModelConfiguration: Identifiable, Hashable, Sendable, CustomDebugStringConvertible,
  DataStoreConfiguration
{
  public typealias Store = DefaultStore

  /// The app group whose folder contains the store. App groups are not available on this platform.
  ///
  /// > Reference: Apple, ModelConfiguration.GroupContainer. Differs: D-391.
  public struct GroupContainer: Hashable, Sendable {
    let identifier: String?
    /// The app group of the program, which does not exist on this platform.
    public static let automatic = GroupContainer(identifier: nil)
    /// No app group.
    public static let none = GroupContainer(identifier: nil)
    /// Returns a named app group. The library ignores the group and writes a notice to the log.
    ///
    /// - Parameter groupName: The name of the app group.
    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(identifier: groupName)
    }
  }

  /// The iCloud database that a store synchronizes with. CloudKit is not available on this
  /// platform.
  ///
  /// > Reference: Apple, ModelConfiguration.CloudKitDatabase. Differs: D-391.
  public struct CloudKitDatabase: Hashable, Sendable {
    let identifier: String?
    /// The iCloud database of the program, which does not exist on this platform.
    public static let automatic = CloudKitDatabase(identifier: nil)
    /// No iCloud database.
    public static let none = CloudKitDatabase(identifier: nil)
    /// Returns a private database. The library ignores the database and writes a notice to the log.
    ///
    /// - Parameter privateDBName: The name of the database.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(identifier: privateDBName)
    }
  }

  /// The name of the configuration. By default, the file of the store is `NAME.store`.
  public let name: String
  /// The models in the store; `nil` for all models of the container.
  public var schema: Schema?
  /// The file of the store; `/dev/null` for a store in memory.
  public let url: URL
  /// Whether models can be saved. If the value is `false`, the container opens the store as
  /// read-only.
  public let allowsSave: Bool
  /// Whether the store exists only in memory.
  public let isStoredInMemoryOnly: Bool
  /// The app group of the configuration, which has no effect on this platform.
  public let groupContainer: GroupContainer
  /// The iCloud database of the configuration, which has no effect on this platform.
  public let cloudKitDatabase: CloudKitDatabase
  /// Whether the store has a full-text index of the attributes with the option `.spotlight`.
  ///
  /// ``FetchDescriptor/search`` requires the index.
  ///
  /// This is an addition to Apple's API.
  public var indexesText = false
  /// The maximum time to wait for other processes that lock the store, in seconds; `nil` for 240
  /// seconds.
  ///
  /// A save that waits longer throws `NSPersistentStoreTimeoutError`.
  ///
  /// This is an addition to Apple's API.
  public var timeout: TimeInterval?
  /// An observer that receives each SQL statement of the store; `nil` for no observer.
  ///
  /// This is an addition to Apple's API.
  public var statementObserver: StatementObserver?
  /// Whether the caller gave the URL. Otherwise, the URL is derived from the name.
  let hasOwnURL: Bool

  public var id: URL { url }
  /// The name of the app group; `nil` if the configuration names none.
  public var groupAppContainerIdentifier: String? { groupContainer.identifier }
  /// The name of the iCloud database; `nil` if the configuration names none.
  public var cloudKitContainerIdentifier: String? { cloudKitDatabase.identifier }

  /// Creates the configuration `default` for all models of the container.
  ///
  /// - Parameter isStoredInMemoryOnly: Whether the store exists only in memory. Otherwise, the
  ///   store is the file `default.store` in the program's folder in `$XDG_DATA_HOME`, or in
  ///   `~/.local/share` if the variable is not set.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates the configuration `default` for the given models.
  ///
  /// - Parameters:
  ///   - types: The models in the store. The store also contains the models that the relationships
  ///     of these models lead to.
  ///   - isStoredInMemoryOnly: Whether the store exists only in memory. Otherwise, the store is the
  ///     file `default.store`, as with ``init(isStoredInMemoryOnly:)``.
  public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates a configuration with a name, whose store is in the default folder or in memory.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration; `nil` for `default`. The file of the store is
  ///     `NAME.store` in the program's folder in `$XDG_DATA_HOME`, or in `~/.local/share` if the
  ///     variable is not set.
  ///   - schema: The models in the store; `nil` for all models of the container.
  ///   - isStoredInMemoryOnly: Whether the store exists only in memory.
  ///   - allowsSave: Whether models can be saved.
  ///   - groupContainer: The app group, which has no effect on this platform.
  ///   - cloudKitDatabase: The iCloud database, which has no effect on this platform.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? "default"
    self.schema = schema
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.allowsSave = allowsSave
    self.groupContainer = groupContainer
    self.cloudKitDatabase = cloudKitDatabase
    hasOwnURL = false
    url =
      isStoredInMemoryOnly
      ? URL(fileURLWithPath: "/dev/null")
      : Self.defaultFolder.appendingPathComponent("\(name ?? "default").store")
  }

  /// Creates the configuration of a store in a given file.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration; `nil` for the name of the file without its extension.
  ///   - schema: The models in the store; `nil` for all models of the container.
  ///   - url: The file of the store; `/dev/null` for a store in memory.
  ///   - allowsSave: Whether models can be saved.
  ///   - cloudKitDatabase: The iCloud database, which has no effect on this platform.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? url.deletingPathExtension().lastPathComponent
    self.schema = schema
    self.url = url
    self.allowsSave = allowsSave
    self.cloudKitDatabase = cloudKitDatabase
    groupContainer = .automatic
    isStoredInMemoryOnly = url.path == "/dev/null"
    hasOwnURL = true
  }

  /// The folder for stores without a given URL.
  static var defaultFolder: URL {
    UserFolders.data.appendingPathComponent(ProcessInfo.processInfo.processName)
  }

  /// Checks that the name of the configuration can be the name of the store's file.
  ///
  /// The method accepts any name if the configuration has a given URL or the store is in memory.
  ///
  /// - Throws: `SwiftDataError.configurationFileNameContainsInvalidCharacters` if the name is
  ///   empty, `.` or `..`, or contains a slash or a null character; `.configurationFileNameTooLong`
  ///   if the name is too long for a file name.
  /// > Reference: Apple, validate().
  public func validate() throws {
    if hasOwnURL || isStoredInMemoryOnly { return }
    guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), name != ".", name != ".." else {
      throw SwiftDataError(
        .configurationFileNameContainsInvalidCharacters,
        "The configuration's name \"\(name)\" cannot be a file name. Give another one, or a URL.")
    }
    guard "\(name).store-journal".utf8.count <= 255 else {
      throw SwiftDataError(
        .configurationFileNameTooLong,
        "The configuration's name \"\(name)\" is too long for a file name. Give a shorter one.")
    }
  }

  /// Writes a notice to the log for each option that has no effect on this platform.
  func logIgnored() {
    if let group = groupContainer.identifier {
      GraphLog.notice("The app group \(group) is ignored: the store is at \(url.path).")
    }
    if let database = cloudKitDatabase.identifier {
      GraphLog.notice(
        "The CloudKit database \(database) is ignored: the store is not synchronized.")
    }
  }

  public var debugDescription: String { "ModelConfiguration(\(name), \(url.path))" }
}
