public import Foundation
public import OpenObjectModel

extension NSMappingModel {
  /// Reads a mapping model from a file; returns nil if the file cannot be read.
  ///
  /// The method ``reading(_:)`` throws an error with the reason instead of returning nil.
  ///
  /// - Parameter url: The URL of a `.cdm` file or an `.xcmappingmodel` folder. If the URL is nil,
  ///   the initializer returns nil.
  /// > Reference: Apple, NSMappingModel, init(contentsOf:). Differs: D-304.
  public convenience init?(contentsOf url: URL?) {
    // `reading(_:)` throws the reason.
    guard let url, let model = try? NSMappingModel.reading(url) else { return nil }
    self.init()
    entityMappings = model.entityMappings
  }

  /// Reads a mapping model from a compiled `.cdm` file or an Xcode `.xcmappingmodel` document.
  ///
  /// The method compiles an Xcode document for the source model and the destination model to which
  /// the document refers. The method searches for these models in the document's folder and in the
  /// parent folders of this folder. The models may be Xcode documents or compiled models.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter url: The URL of a `.cdm` file or an `.xcmappingmodel` folder.
  /// - Returns: The mapping model.
  /// - Throws: `MigrationError` with the path of the file, and with one of the following codes:
  ///   - `.unreadableMapping`: The file, or a model to which the document refers, is missing or
  ///     cannot be read.
  ///   - `.malformedMapping`: The file is not a mapping model, or is damaged.
  ///   - `.foreignMapping`: The document refers to an entity or a property that its models do not
  ///     contain. The error contains the names of the entity and the property.
  public class func reading(_ url: URL) throws(MigrationError) -> NSMappingModel {
    do throws(ModelError) {
      return NSMappingModel(records: try MappingModelFile.mappings(at: url))
    } catch {
      throw MigrationError(error, path: url.path)
    }
  }

  /// Reads a mapping model from a compiled `.cdm` file, or from an Xcode `.xcmappingmodel` document
  /// that the method compiles for the given models.
  ///
  /// For an Xcode document, the method uses the given models instead of the models to which the
  /// document refers. For a compiled file, the method does not compare the entities of the mapping
  /// model with the given models. To compare the entities, call ``isMapping(from:to:)``.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - url: The URL of a `.cdm` file or an `.xcmappingmodel` folder.
  ///   - source: The source model.
  ///   - destination: The destination model.
  /// - Returns: The mapping model.
  /// - Throws: `MigrationError` with one of the following codes:
  ///   - `.unreadableMapping`: The file is missing or cannot be read.
  ///   - `.malformedMapping`: The file is not a mapping model, or is damaged.
  ///   - `.foreignMapping`: An Xcode document refers to an entity or a property that the given
  ///     models do not contain.
  public class func reading(
    _ url: URL, forSourceModel source: NSManagedObjectModel,
    destinationModel destination: NSManagedObjectModel
  ) throws(MigrationError) -> NSMappingModel {
    do throws(ModelError) {
      return NSMappingModel(
        records: try MappingModelFile.mappings(at: url, from: source, to: destination))
    } catch {
      throw MigrationError(error, path: url.path)
    }
  }

  /// Writes the mapping model to a file in Xcode's compiled format.
  ///
  /// For equal mapping models, the method writes equal bytes. The method replaces an existing file
  /// atomically.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter url: The URL of the file, whose name should end in `.cdm`.
  /// - Throws: `MigrationError` with code `.unarchivableMapping` if an expression or a value cannot
  ///   be archived, or `.unwritableMapping` if the file cannot be written.
  public func write(to url: URL) throws(MigrationError) {
    let data: Data
    do throws(ModelError) {
      data = try MappingArchive.write((entityMappings ?? []).map(\.record))
    } catch {
      throw MigrationError(error, path: url.path)
    }
    do {
      try data.write(to: url, options: .atomic)
    } catch {
      throw MigrationError(
        .unwritableMapping,
        "The mapping model cannot be written: \(error.localizedDescription) Choose another location.",
        path: url.path, underlying: error)
    }
  }

  private convenience init(records: [EntityMappingRecord]) {
    self.init()
    entityMappings = records.map { NSEntityMapping($0) }
  }
}
