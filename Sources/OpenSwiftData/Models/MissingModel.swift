internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// A placeholder for a model whose identifier belongs to no store of a container.
final class MissingModel: PersistentModel {
  var __object: __ModelObject

  init(__object object: __ModelObject) { __object = object }

  convenience init(backingData: any BackingData<MissingModel>) {
    self.init(__object: Self.emptyObject)
  }

  var persistentBackingData: any BackingData<MissingModel> {
    get { __ModelBacking(__object) }
    set { __object = __ModelObject.make(from: newValue, replacing: __object) }
  }

  /// Creates an object without an entity.
  static var emptyObject: __ModelObject {
    __ModelObject(entity: NSEntityDescription(), insertInto: nil)
  }

  static var schemaMetadata: [Schema.PropertyMetadata] { [] }

  func __bind() {}
}
