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
    /// The default app group of the program. The value has no effect on this platform.
    public static let automatic = GroupContainer(identifier: nil)
    /// A value that specifies no app group.
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
    /// The default iCloud database of the program. The value has no effect on this platform.
    public static let automatic = CloudKitDatabase(identifier: nil)
    /// A value that specifies no iCloud database.
    public static let none = CloudKitDatabase(identifier: nil)
    /// Returns a private database. The library ignores the database and writes a notice to the log.
    ///
    /// - Parameter privateDBName: The name of the database.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(identifier: privateDBName)
    }
  }

  /// The name of the configuration. By default, the store is the file `NAME.store`, where `NAME` is
  /// the name of the configuration.
  public let name: String
  /// The models in the store; `nil` if the store contains all models of the container.
  public var schema: Schema?
  /// The URL of the store's file; `/dev/null` for a store in memory.
  public let url: URL
  /// Whether models can be saved. If the value is `false`, the container opens the store as
  /// read-only, and does not migrate the store.
  public let allowsSave: Bool
  /// Whether the store exists only in memory.
  public let isStoredInMemoryOnly: Bool
  /// The app group of the configuration. App groups have no effect on this platform.
  public let groupContainer: GroupContainer
  /// The iCloud database of the configuration. iCloud databases have no effect on this platform.
  public let cloudKitDatabase: CloudKitDatabase
  /// Whether the store has a full-text index of the attributes with the option `.spotlight`.
  ///
  /// The index makes a fetch with ``FetchDescriptor/search`` faster. The default is `false`.
  ///
  /// This is an addition to Apple's API.
  public var indexesText = false
  /// The maximum time, in seconds, that a save waits while another process holds a lock on the
  /// store; `nil` for 240 seconds.
  ///
  /// If the other process holds the lock longer, the save throws `CocoaError` 134090.
  ///
  /// This is an addition to Apple's API.
  public var timeout: TimeInterval?
  /// An observer of the SQL statements that the store executes; `nil` for no observer.
  ///
  /// This is an addition to Apple's API.
  public var statementObserver: StatementObserver?
  /// Whether the caller gave the URL. Otherwise, the URL is derived from the name.
  let hasOwnURL: Bool
  /// The name of the configuration in the model of a container with several stores. An in-memory
  /// configuration without a name does not conflict with the configuration of the default file.
  var modelName: String {
    isStoredInMemoryOnly && name == "default" ? "default in memory" : name
  }

  public var id: URL { url }
  /// The name of the app group; `nil` if the configuration has no named app group.
  public var groupAppContainerIdentifier: String? { groupContainer.identifier }
  /// The name of the iCloud database; `nil` if the configuration has no named database.
  public var cloudKitContainerIdentifier: String? { cloudKitDatabase.identifier }

  /// Creates a configuration with the name `default` for all models of the container.
  ///
  /// - Parameter isStoredInMemoryOnly: Whether the store exists only in memory. If the value is
  ///   `false`, the store is the file `$XDG_DATA_HOME/PROCESS/default.store`, where `PROCESS` is
  ///   the name of the process. If the environment variable `XDG_DATA_HOME` is not set, the path
  ///   begins with `~/.local/share` instead.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates a configuration with the name `default` for the given models.
  ///
  /// - Parameters:
  ///   - types: The model types in the store. The store also contains the model types at the
  ///     destinations of their relationships.
  ///   - isStoredInMemoryOnly: Whether the store exists only in memory. If the value is `false`,
  ///     the store is the file that ``init(isStoredInMemoryOnly:)`` describes.
  public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates a named configuration for a store in the default folder or in memory.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration; `nil` for `default`. The store is the file
  ///     `$XDG_DATA_HOME/PROCESS/NAME.store`, where `PROCESS` is the name of the process. If the
  ///     environment variable `XDG_DATA_HOME` is not set, the path begins with `~/.local/share`
  ///     instead.
  ///   - schema: The models in the store; `nil` if the store contains all models of the container.
  ///   - isStoredInMemoryOnly: Whether the store exists only in memory.
  ///   - allowsSave: Whether models can be saved.
  ///   - groupContainer: The app group. App groups have no effect on this platform.
  ///   - cloudKitDatabase: The iCloud database. iCloud databases have no effect on this platform.
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

  /// Creates a configuration for a store in the given file.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration; `nil` to use the name of the file without its
  ///     extension.
  ///   - schema: The models in the store; `nil` if the store contains all models of the container.
  ///   - url: The URL of the store's file; `/dev/null` for a store in memory. If models can be
  ///     saved, the container creates any missing folders in the file's path.
  ///   - allowsSave: Whether models can be saved.
  ///   - cloudKitDatabase: The iCloud database. iCloud databases have no effect on this platform.
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

  /// Throws an error if the name of the configuration cannot be used as a file name.
  ///
  /// The method accepts every name if the configuration was created with a URL or if the store is
  /// in memory.
  ///
  /// - Throws: `SwiftDataError.configurationFileNameContainsInvalidCharacters` if the name is
  ///   empty, `.` or `..`, or if the name contains a slash or a null character;
  ///   `.configurationFileNameTooLong` if the name has more than 241 UTF-8 bytes.
  /// > Reference: Apple, validate().
  public func validate() throws {
    if hasOwnURL || isStoredInMemoryOnly { return }
    guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), name != ".", name != ".." else {
      throw SwiftDataError(
        .configurationFileNameContainsInvalidCharacters,
        "The configuration's name \"\(name)\" cannot be a file name. Use another name, or set a URL."
      )
    }
    guard "\(name).store-journal".utf8.count <= 255 else {
      throw SwiftDataError(
        .configurationFileNameTooLong,
        "The configuration's name \"\(name)\" is too long for a file name. Use a shorter name.")
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
