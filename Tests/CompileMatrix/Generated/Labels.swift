// Generated from the model Labels. Changes are lost when the model is built again.

public import OpenCoreData

nonisolated public class Label: NSManagedObject {
  public override class var __validatesMore: Bool {
    self != Label.self || NSManagedObject.__validatesMore
  }
}

extension Label {
  public class func fetchRequest() -> NSFetchRequest<Label> {
    NSFetchRequest<Label>(entityName: "Label")
  }

  public var isPinned: Bool {
    get { (Bool).__read(self, Self.__key_isPinned) }
    set { (Bool).__write(self, Self.__key_isPinned, newValue) }
  }

  public var text: String? {
    get { (String?).__read(self, Self.__key_text) }
    set { (String?).__write(self, Self.__key_text, newValue) }
  }

  public var next: Label? {
    get { (Label?).__read(self, Self.__key_next) }
    set { (Label?).__write(self, Self.__key_next, newValue) }
  }

  private nonisolated static let __key_isPinned = __ManagedKey("isPinned")
  private nonisolated static let __key_text = __ManagedKey("text")
  private nonisolated static let __key_next = __ManagedKey("next")
}

extension Label: Identifiable {}
