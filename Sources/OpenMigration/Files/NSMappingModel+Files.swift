public import Foundation
public import OpenObjectModel

extension NSMappingModel {
  /// Reads a mapping model; nil if it cannot be read.
  ///
  /// ``reading(_:)`` throws the reason.
  ///
  /// - Parameter url: A `.cdm` file, or an `.xcmappingmodel` folder as for ``reading(_:)``.
  /// > Reference: Apple, NSMappingModel, init(contentsOf:). Differs: D-304.
  public convenience init?(contentsOf url: URL?) {
    // `reading(_:)` says why.
    guard let url, let model = try? NSMappingModel.reading(url) else { return nil }
    self.init()
    entityMappings = model.entityMappings
  }

  /// Reads a mapping model: a compiled one, `.cdm`, or a document of Xcode's, `.xcmappingmodel`.
  ///
  /// A document is compiled for the two models that it names. The models are searched in the document's folder and
  /// its parent folders, as documents or in compiled form.
  ///
  /// - Parameter url: The file or folder.
  /// - Returns: The mapping model.
  /// - Throws: `MigrationError` with the path, and entity and property if they are known.
  /// > Reference: Addition.
  public class func reading(_ url: URL) throws(MigrationError) -> NSMappingModel {
    do throws(ModelError) {
      return NSMappingModel(records: try MappingModelFile.mappings(at: url))
    } catch {
      throw MigrationError(error, path: url.path)
    }
  }

  /// Reads a mapping model, for documents with the given models.
  ///
  /// Entities of a compiled mapping model are not compared with the models; ``isMapping(from:to:)`` does that.
  ///
  /// - Parameters:
  ///   - url: A `.cdm` file, or an `.xcmappingmodel` folder.
  ///   - source: The model of the objects.
  ///   - destination: The destination model.
  /// - Returns: The mapping model.
  /// - Throws: `MigrationError`; code `.foreignMapping` when a document names what a model lacks.
  /// > Reference: Addition.
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

  /// Writes the mapping model in compiled form, as Xcode does.
  ///
  /// Equal mapping models are written as equal bytes. Writing is atomic.
  ///
  /// - Parameter url: The file, whose name should end in `.cdm`.
  /// - Throws: `MigrationError` with code `.unarchivableMapping` for an expression or a value that archives cannot
  ///   contain, `.unwritableMapping` if the file cannot be written.
  /// > Reference: Addition.
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
