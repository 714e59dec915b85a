import CoreData
import OpenPersistenceKit
import SampleSupport

private func document(_ attributes: [String]) -> String {
  let lines = attributes.map {
    "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
  }
  return """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Book" representedClassName="NSManagedObject">\(lines.joined())</entity>
    </model>
    """
}

/// The model's folder with two versions.
let folder = {
  let folder = sampleFolder.appendingPathComponent("Library.xcdatamodeld")
  let current = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Library 2.xcdatamodel</string></dict></plist>
    """
  do {
    for (name, attributes) in [("Library", ["title"]), ("Library 2", ["title", "publisher"])] {
      let version = folder.appendingPathComponent("\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(document(attributes).utf8).write(to: version.appendingPathComponent("contents"))
    }
    try Data(current.utf8).write(to: folder.appendingPathComponent(".xccurrentversion"))
  } catch { preconditionFailure("The model is not written: \(error)") }
  return folder
}()

/// A store of the first version.
@MainActor let url = {
  let url = sampleFolder.appendingPathComponent("Library.sqlite")
  do {
    let model = try NSManagedObjectModel(
      reading: folder.appendingPathComponent("Library.xcdatamodel"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    try coordinator.remove(store)
  } catch { preconditionFailure("The store is not made: \(error)") }
  return url
}()

@MainActor func newest() throws {
  try expect(try !StoreMigration(storeAt: url, modelAt: folder).isNeeded())
}
