import Foundation
import OpenObjectModel
import OpenStoreContract

/// Writes a store as XML. Used for only one write.
struct XMLStoreWriter {
  private let model: CompiledModel
  private var text = XMLText()

  init(model: CompiledModel) { self.model = model }

  /// - Parameter lastKey: The greatest used key.
  /// - Throws: `StoreError` with code `.unfitValue` if the file cannot contain the metadata.
  func data(of contents: any StoreBackend, lastKey: Int64) throws(StoreError) -> Data {
    // Throws before anything is written if the file cannot distinguish two names.
    _ = try XMLNames(model)
    var writer = self
    try writer.writeHead(contents, lastKey)
    try StoredObject.forEach(in: contents, of: model) { (object) throws(StoreError) in
      writer.write(object)
    }
    writer.text.append("</database>\n")
    return Data(writer.text.bytes)
  }

  private mutating func writeHead(
    _ contents: any StoreBackend, _ lastKey: Int64
  ) throws(StoreError) {
    text.append(
      """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>
      """)
    text.append(escaping: contents.identifier)
    text.append(
      """
      </UUID>
              <nextObjectID>\(lastKey)</nextObjectID>
              <metadata>

      """)
    try XMLPropertyList.write(
      XMLStoreInformation.stored(try contents.metadata()), to: &text)
    text.append(
      """
              </metadata>
          </databaseInfo>

      """)
  }

  private mutating func write(_ object: StoredObject) {
    let entity = object.entity
    text.append("    <object type=\"")
    text.append(escaping: entity.name.uppercased())
    text.append("\" id=\"z\(object.key)\">\n")
    for value in object.values { write(value, of: entity) }
    for (ordinal, key) in object.toOne { write([key], entity.properties[ordinal]) }
    for (ordinal, keys) in object.toMany { write(keys, entity.properties[ordinal]) }
    text.append("    </object>\n")
  }

  private mutating func write(_ value: SlotValue, of entity: CompiledEntity) {
    let property = entity.properties[entity.slots[value.slot].propertyOrdinal]
    guard let attribute = property.attribute else { return }
    text.append("        <attribute name=\"")
    text.append(escaping: property.name.lowercased())
    text.append("\" type=\"\(AttributeText.typeName(of: attribute.type))\"")
    if AttributeText.isEncoded(value.content) { text.append(" encoding=\"base64\"") }
    text.append(">")
    AttributeText.write(value.content, of: attribute.type, to: &text)
    text.append("</attribute>\n")
  }

  private mutating func write(_ keys: [Int64], _ property: CompiledProperty) {
    guard let relationship = property.relationship else { return }
    text.append("        <relationship name=\"")
    text.append(escaping: property.name.lowercased())
    text.append("\" type=\"\(relationship.isToMany ? "0/0" : "1/1")\" destination=\"")
    text.append(escaping: model.entities[relationship.destinationIndex].name.uppercased())
    text.append("\" idrefs=\"\(keys.map { "z\($0)" }.joined(separator: " "))\"></relationship>\n")
  }
}
