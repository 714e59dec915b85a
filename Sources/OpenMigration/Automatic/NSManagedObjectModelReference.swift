public import Foundation
internal import OpenObjectGraph
public import OpenObjectModel

/// A reference that identifies a model version by its checksum and location.
///
/// The reference loads the model when ``resolvedModel`` or ``resolve()`` is first used.
///
/// > Concurrency: Shared; usable on any thread.
/// > Reference: Apple, NSManagedObjectModelReference.
// Invariant of the unchecked conformance: immutable but for the model found, which is behind its
// lock.
open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
  /// The location of a version.
  private enum Place {
    case model(NSManagedObjectModel)
    case file(URL)
    case name(String, Bundle?)
    case hashes([String: Data], Bundle?)
  }

  /// The version checksum, which equals the `versionChecksum` of the model.
  public let versionChecksum: String
  private let place: Place
  private let lock = NSLock()
  private var found: NSManagedObjectModel?

  private init(_ place: Place, _ versionChecksum: String) {
    self.place = place
    self.versionChecksum = versionChecksum
  }

  /// Creates a reference to a loaded model.
  ///
  /// If the model has another checksum than `versionChecksum`, ``resolve()`` throws `CocoaError`
  /// 134504.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - versionChecksum: The checksum of the model version.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init(.model(model), versionChecksum)
  }

  /// Creates a reference to a model version in a file or folder.
  ///
  /// - Parameters:
  ///   - fileURL: The URL of a model file, or of a folder with model versions. In a folder, the
  ///     reference uses the version with the given checksum.
  ///   - versionChecksum: The checksum of the model version.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(.file(fileURL), versionChecksum)
  }

  /// Creates a reference to a named model version in a bundle.
  ///
  /// - Parameters:
  ///   - modelName: The name of the version's file, or of the folder that contains the versions,
  ///     without the extension.
  ///   - bundle: The bundle to search, or nil to search all bundles of the program.
  ///   - versionChecksum: The checksum of the model version.
  public convenience init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    self.init(.name(modelName, bundle), versionChecksum)
  }

  /// Creates a reference to a model version in a bundle, with the version hashes of the version's
  /// entities.
  ///
  /// The reference finds the model by its checksum, and does not compare the version hashes. Error
  /// messages identify the model by the entity names in `versionHash`.
  ///
  /// - Parameters:
  ///   - versionHash: The version hashes, keyed by entity name.
  ///   - bundle: The bundle to search, or nil to search all bundles of the program.
  ///   - versionChecksum: The checksum of the model version.
  public convenience init(
    entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?,
    versionChecksum: String
  ) {
    var hashes: [String: Data] = [:]
    for (name, hash) in versionHash {
      if let name = name as? String, let hash = hash as? Data { hashes[name] = hash }
    }
    self.init(.hashes(hashes, bundle), versionChecksum)
  }

  /// The model whose checksum is ``versionChecksum``.
  ///
  /// If there is no such model, the property logs an error and returns an empty model.
  ///
  /// > Reference: Apple, resolvedModel. Differs: on Apple platforms, a missing model raises an
  /// > exception. To get an error instead, call ``resolve()``.
  open var resolvedModel: NSManagedObjectModel {
    do { return try resolve() } catch {
      GraphLog.error(error.localizedDescription)
      return NSManagedObjectModel()
    }
  }

  /// Finds and returns the model whose checksum is ``versionChecksum``.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Returns: The model.
  /// - Throws: `CocoaError` 134504 if the reference's file or folder cannot be read, if no model is
  ///   found, or if none of the models has the checksum.
  public final func resolve() throws -> NSManagedObjectModel {
    lock.lock()
    defer { lock.unlock() }
    if let found { return found }
    let candidates = try candidates()
    guard let model = candidates.first(where: { $0.versionChecksum == versionChecksum }) else {
      let others = candidates.map(\.versionChecksum).joined(separator: ", ")
      throw notFound(
        candidates.isEmpty
          ? "The model does not exist."
          : "The available versions have other checksums: \(others). The version may have been changed after its release.",
        unreadableVersions)
    }
    found = model
    return model
  }

  private func candidates() throws -> [NSManagedObjectModel] {
    switch place {
    case .model(let model): return [model]
    case .file(let url):
      do { return try ModelVersions.read(url).map(\.model) } catch {
        throw notFound("\(error)")
      }
    case .name(let name, let bundle):
      return ModelLibrary(in: bundle.map { [$0] }).models(named: name)
    case .hashes(_, let bundle):
      return ModelLibrary(in: bundle.map { [$0] }).model(checksum: versionChecksum).map { [$0] }
        ?? []
    }
  }

  private var placeName: String {
    switch place {
    case .model: "the specified model"
    case .file(let url): url.path
    case .name(let name, _): name
    case .hashes(let hashes, _): hashes.keys.sorted().joined(separator: ", ")
    }
  }

  private var unreadableVersions: String {
    switch place {
    case .model, .file: ""
    case .name(_, let bundle), .hashes(_, let bundle):
      ModelLibrary(in: bundle.map { [$0] }).unreadableVersions
    }
  }

  private func notFound(_ reason: String, _ note: String = "") -> CocoaError {
    CocoaError.make(
      CocoaError.Code(rawValue: NSManagedObjectModelReferenceNotFoundError),
      "The model version with the checksum \(versionChecksum) (\(placeName)) was not found. \(reason)\(note)"
    )
  }
}
