import Foundation
import OpenCoreData
import OpenSQLiteStore
import OpenStoreContract
import ProcessModel
import Testing

/// Stores that other processes migrate.
extension SharedStore {
  /// The versions of the model, in their order.
  enum Version: Equatable, CaseIterable {
    case old, next, last

    fileprivate var model: NSManagedObjectModel {
      switch self {
      case .old: ProcessModel.make()
      case .next: ProcessModel.makeNext()
      case .last: ProcessModel.makeLast()
      }
    }
    fileprivate var table: String { self == .old ? "ZENTRY" : "ZITEM" }
  }

  /// A store of the old version.
  static func old(rowCount: Int) throws -> SharedStore {
    let store = try SharedStore()
    try store.opened { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      let rows = (0..<rowCount).map { ["amount": $0, "note": String(repeating: "x", count: 40)] }
      try context.performAndWait {
        _ = try context.execute(NSBatchInsertRequest(entityName: "Entry", objects: rows))
      }
    }
    return store
  }

  /// A copy of all files in another folder.
  func copy() throws -> SharedStore {
    let copy = try SharedStore()
    for name in try names {
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(name), to: copy.folder.appendingPathComponent(name))
    }
    return copy
  }

  /// Requires that the store has one of the versions and is intact.
  ///
  /// - Parameters:
  ///   - rowCount: The number of its entries or items.
  ///   - leftovers: The prefixes of other allowed names in the folder.
  /// - Returns: Its version.
  func wholeVersion(rowCount: Int, leftovers: [String] = []) throws -> Version {
    let metadata = try SQLiteStore.metadata(at: url)
    let version = try #require(
      Version.allCases.first {
        $0.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      })
    var configuration = StoreConfiguration(url: url)
    configuration.tracksHistory = true
    let opened = try SQLiteStore.open(configuration, model: version.model.compiled())
    #expect(try opened.damage() == [])
    opened.close()
    let unexpected = try names.filter { name in
      name != "shared.sqlite" && !leftovers.contains { name.hasPrefix($0) }
    }
    #expect(unexpected == [])
    let sums = try StoreInspection.rows(
      of: "SELECT count(*), sum(ZAMOUNT) FROM \(version.table)", inStoreAt: url)
    #expect(sums == [[.int(Int64(rowCount)), .int(Int64(rowCount * (rowCount - 1) / 2))]])
    return version
  }

  /// The other files of a store whose migration over several steps did not end.
  static let migrationState = ".shared.sqlite.migration-state"
  /// Where a migration over several steps puts its backup.
  static let backups = "shared.sqlite.backups"
}
