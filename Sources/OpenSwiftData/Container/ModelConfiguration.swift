public import Foundation
internal import OpenCoreData
public import OpenObjectGraph

/// The location and the options of a container's store.
///
/// > Concurrency: A value; usable on any thread.
/// > Reference: Apple, ModelConfiguration.
public struct ModelConfiguration: Identifiable, Hashable, Sendable, CustomDebugStringConvertible,
  DataStoreConfiguration
{
  public typealias Store = DefaultStore

  /// The app group whose folder contains the store; not available on this platform.
  ///
  /// > Reference: Apple, ModelConfiguration.GroupContainer. Differs: D-391.
  public struct GroupContainer: Hashable, Sendable {
    let identifier: String?
    public static let automatic = GroupContainer(identifier: nil)
    public static let none = GroupContainer(identifier: nil)
    /// A group by name, which is ignored and logged.
    ///
    /// - Returns: A group by name.
    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(identifier: groupName)
    }
  }

  /// The iCloud database with which a store synchronizes; not available on this platform.
  ///
  /// > Reference: Apple, ModelConfiguration.CloudKitDatabase. Differs: D-391.
  public struct CloudKitDatabase: Hashable, Sendable {
    let identifier: String?
    public static let automatic = CloudKitDatabase(identifier: nil)
    public static let none = CloudKitDatabase(identifier: nil)
    /// A private database, which is ignored and logged.
    ///
    /// - Returns: A private database.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(identifier: privateDBName)
    }
  }

  /// The name of the configuration and of its file.
  public let name: String
  /// The models of the store; nil for all models of the container.
  public var schema: Schema?
  /// The store's file; `/dev/null` for one in memory.
  public let url: URL
  /// Whether models can be saved; if false, the store is opened as read-only.
  public let allowsSave: Bool
  /// Whether the store is in memory.
  public let isStoredInMemoryOnly: Bool
  public let groupContainer: GroupContainer
  public let cloudKitDatabase: CloudKitDatabase
  /// Whether the store keeps an index of the words of attributes with `.spotlight`, for ``FetchDescriptor/search``.
  ///
  /// This is an addition to Apple's API.
  public var indexesText = false
  /// The maximum time to wait for other processes that lock the store, in seconds; nil for the default of stores.
  ///
  /// After this time a save throws `NSPersistentStoreTimeoutError`.
  ///
  /// This is an addition to Apple's API.
  public var timeout: TimeInterval?
  /// Receives each SQL statement that the store runs; nil for no observer.
  ///
  /// This is an addition to Apple's API.
  public var statementObserver: StatementObserver?
  /// Whether the place was given, rather than made from the name.
  let hasOwnURL: Bool

  public var id: URL { url }
  public var groupAppContainerIdentifier: String? { groupContainer.identifier }
  public var cloudKitContainerIdentifier: String? { cloudKitDatabase.identifier }

  /// Creates the configuration of the default store: `default.store` in the program's data folder.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates the configuration of a default store for some models.
  public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration and of its file: `NAME.store` in the program's folder in
  ///     `$XDG_DATA_HOME` or `~/.local/share`; nil for `default.store`.
  ///   - schema: The models; nil for all of the container's.
  ///   - isStoredInMemoryOnly: Whether the store is in memory.
  ///   - allowsSave: Whether the store can be written.
  ///   - groupContainer: Ignored.
  ///   - cloudKitDatabase: Ignored.
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

  /// Creates the configuration of a store in a file.
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

  /// The folder of default stores.
  static var defaultFolder: URL {
    UserFolders.data.appendingPathComponent(ProcessInfo.processInfo.processName)
  }

  /// Checks that the name can be that of a file.
  ///
  /// - Throws: `SwiftDataError.configurationFileNameContainsInvalidCharacters`, `.configurationFileNameTooLong`.
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

  /// Says in the log what of the configuration has no meaning here.
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
