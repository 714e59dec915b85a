public import Foundation
public import OpenObjectModel

extension NSMappingModel {
  /// Reads a mapping model from a file; returns nil if the file cannot be read.
  ///
  /// The method ``reading(_:)`` throws an error with the reason instead of returning nil.
  ///
  /// - Parameter url: The URL of a `.cdm` file or an `.xcmappingmodel` folder.
  /// > Reference: Apple, NSMappingModel, init(contentsOf:). Differs: D-304.
  public convenience init?(contentsOf url: URL?) {
    // `reading(_:)` says why.
    guard let url, let model = try? NSMappingModel.reading(url) else { return nil }
    self.init()
    entityMappings = model.entityMappings
  }

  /// Reads a mapping model: a compiled `.cdm` file, or an `.xcmappingmodel` document of Xcode.
  ///
  /// A document is compiled for the two models to which the document refers. The models, as Xcode
  /// documents or in compiled form, are searched in the folder that contains the document and in
  /// its parent folders. This is an addition to Apple's API.
  ///
  /// - Parameter url: The URL of the file or folder.
  /// - Returns: The mapping model.
  /// - Throws: `MigrationError` with the path, and with the entity and the property if they are
  ///   known.
  public class func reading(_ url: URL) throws(MigrationError) -> NSMappingModel {
    do throws(ModelError) {
      return NSMappingModel(records: try MappingModelFile.mappings(at: url))
    } catch {
      throw MigrationError(error, path: url.path)
    }
  }

  /// Reads a mapping model. An Xcode document is compiled for the given models instead of the
  /// models to which the document refers.
  ///
  /// The entities of a compiled mapping model are not compared with the models. Use
  /// ``isMapping(from:to:)`` to compare them. This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - url: The URL of a `.cdm` file or an `.xcmappingmodel` folder.
  ///   - source: The source model.
  ///   - destination: The destination model.
  /// - Returns: The mapping model.
  /// - Throws: `MigrationError`. The code is `.foreignMapping` if a document refers to an entity or
  ///   a property that its model lacks.
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

  /// Writes the mapping model in compiled form, in the format of Xcode.
  ///
  /// Equal mapping models are written as equal bytes. The file is replaced atomically. This is an
  /// addition to Apple's API.
  ///
  /// - Parameter url: The URL of the file, whose name should end in `.cdm`.
  /// - Throws: `MigrationError` with code `.unarchivableMapping` if an expression or a value cannot
  ///   be archived, `.unwritableMapping` if the file cannot be written.
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
        "The mapping model cannot be written: \(error.localizedDescription) Choose another place.",
        path: url.path, underlying: error)
    }
  }

  private convenience init(records: [EntityMappingRecord]) {
    self.init()
    entityMappings = records.map { NSEntityMapping($0) }
  }
}
