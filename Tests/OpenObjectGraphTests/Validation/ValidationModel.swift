import Foundation
import OpenCoreData
import OpenManagedMacros

/// An object with every rule that a model document can state.
@ManagedObject
class RuledThing: NSManagedObject {
  @Managed var name: String?
  @Managed var code: String?
  @Managed var rank: Int64
  @Managed var date: Date?
  @Managed var shelf: RuledShelf?
}

/// Has two or three things, and cannot be deleted while it has any.
@ManagedObject
class RuledShelf: NSManagedObject {
  @Managed var things: NSSet?
}

enum ValidationModel {
  /// The rules in the model editor's format.
  private static let document = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
      <entity name="RuledThing" representedClassName="RuledThing">
        <attribute name="name" attributeType="String" minValueString="2" maxValueString="6"/>
        <attribute name="code" optional="YES" attributeType="String" regularExpressionString="[A-Z]{2}"/>
        <attribute name="rank" attributeType="Integer 64" defaultValueString="5" minValueString="1" maxValueString="9"/>
        <attribute name="date" optional="YES" attributeType="Date" minDateTimeInterval="10" maxDateTimeInterval="20"/>
        <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="RuledShelf" inverseName="things" inverseEntity="RuledShelf"/>
      </entity>
      <entity name="RuledShelf" representedClassName="RuledShelf">
        <relationship name="things" optional="YES" toMany="YES" minCount="2" maxCount="3" deletionRule="Deny" destinationEntity="RuledThing" inverseName="shelf" inverseEntity="RuledThing"/>
      </entity>
    </model>
    """

  private static func makeModel() throws -> NSManagedObjectModel {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(document.utf8).write(to: folder.appendingPathComponent("contents"))
    return try .reading(folder)
  }

  /// A context on a new store in memory.
  ///
  /// - Parameter change: Changes the model before it is used.
  static func makeContext(
    _ change: (NSManagedObjectModel) -> Void = { _ in }
  ) throws -> NSManagedObjectContext {
    let model = try makeModel()
    change(model)
    return try context(of: model)
  }

  /// A context on a new store in memory for a model.
  static func context(of model: NSManagedObjectModel) throws -> NSManagedObjectContext {
    let store = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    return try NSPersistentContainer.loaded("Ruled", model, [store]).newBackgroundContext()
  }
}

extension NSManagedObjectContext {
  /// Returns the individual errors of a save; empty if the save succeeds.
  func failuresOfSave() -> [CocoaError] {
    do {
      try save()
      return []
    } catch let error as CocoaError {
      return error.userInfo[NSDetailedErrorsKey] as? [CocoaError] ?? [error]
    } catch {
      return [CocoaError(.featureUnsupported, userInfo: [NSUnderlyingErrorKey: error])]
    }
  }
}
