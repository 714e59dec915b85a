// Generated from the model Chest. Changes are lost when the model is built again.

public import Foundation
public import OpenCoreData

nonisolated public class Chart: NSManagedObject {
  public override class var __validatesMore: Bool {
    self != Chart.self || NSManagedObject.__validatesMore
  }
}

extension Chart {
  public class func fetchRequest() -> NSFetchRequest<Chart> {
    NSFetchRequest<Chart>(entityName: "Chart")
  }

  public var pages: Int32 {
    get { (Int32).__read(self, Self.__key_pages) }
    set { (Int32).__write(self, Self.__key_pages, newValue) }
  }

  public var primitiveNumber: NSNumber? {
    get { (NSNumber?).__read(self, Self.__key_primitiveNumber) }
    set { (NSNumber?).__write(self, Self.__key_primitiveNumber, newValue) }
  }

  public var title: String? {
    get { (String?).__read(self, Self.__key_title) }
    set { (String?).__write(self, Self.__key_title, newValue) }
  }

  public var chest: Chest? {
    get { (Chest?).__read(self, Self.__key_chest) }
    set { (Chest?).__write(self, Self.__key_chest, newValue) }
  }

  public var tags: NSSet? {
    get { (NSSet?).__read(self, Self.__key_tags) }
    set { (NSSet?).__write(self, Self.__key_tags, newValue) }
  }

  private nonisolated static let __key_pages = __ManagedKey("pages")
  private nonisolated static let __key_primitiveNumber = __ManagedKey("primitiveNumber")
  private nonisolated static let __key_title = __ManagedKey("title")
  private nonisolated static let __key_chest = __ManagedKey("chest")
  private nonisolated static let __key_tags = __ManagedKey("tags")
}

// MARK: Accessors of tags

extension Chart {
  public func addToTags(_ value: Seal) {
    __addMember(value, "tags")
  }
  public func removeFromTags(_ value: Seal) {
    __removeMember(value, "tags")
  }
  public func addToTags(_ values: NSSet) {
    __addMembers(values, "tags")
  }
  public func removeFromTags(_ values: NSSet) {
    __removeMembers(values, "tags")
  }
}

extension Chart: Identifiable {}

nonisolated public class Chest: NSManagedObject {
  public override class var __validatesMore: Bool {
    self != Chest.self || NSManagedObject.__validatesMore
  }
}

extension Chest {
  public class func fetchRequest() -> NSFetchRequest<Chest> {
    NSFetchRequest<Chest>(entityName: "Chest")
  }

  public var name: String? {
    get { (String?).__read(self, Self.__key_name) }
    set { (String?).__write(self, Self.__key_name, newValue) }
  }

  public var charts: NSOrderedSet? {
    get { (NSOrderedSet?).__read(self, Self.__key_charts) }
    set { (NSOrderedSet?).__write(self, Self.__key_charts, newValue) }
  }

  private nonisolated static let __key_name = __ManagedKey("name")
  private nonisolated static let __key_charts = __ManagedKey("charts")
}

// MARK: Accessors of charts

extension Chest {
  public func insertIntoCharts(_ value: Chart, at idx: Int) {
    __insertMember(value, "charts", at: idx)
  }
  public func removeFromCharts(at idx: Int) {
    __removeMember("charts", at: idx)
  }
  public func insertIntoCharts(_ values: [Chart], at indexes: NSIndexSet) {
    __insertMembers(values, "charts", at: indexes)
  }
  public func removeFromCharts(at indexes: NSIndexSet) {
    __removeMembers("charts", at: indexes)
  }
  public func replaceCharts(at idx: Int, with value: Chart) {
    __replaceMember("charts", at: idx, with: value)
  }
  public func replaceCharts(at indexes: NSIndexSet, with values: [Chart]) {
    __replaceMembers("charts", at: indexes, with: values)
  }
  public func addToCharts(_ value: Chart) {
    __addMember(value, "charts")
  }
  public func removeFromCharts(_ value: Chart) {
    __removeMember(value, "charts")
  }
  public func addToCharts(_ values: NSOrderedSet) {
    __addMembers(values, "charts")
  }
  public func removeFromCharts(_ values: NSOrderedSet) {
    __removeMembers(values, "charts")
  }
}

extension Chest: Identifiable {}

nonisolated public class Portolan: Chart {
  public override class var __validatesMore: Bool {
    self != Portolan.self || Chart.__validatesMore
  }
}

extension Portolan {
  public class func fetchRequest() -> NSFetchRequest<Portolan> {
    NSFetchRequest<Portolan>(entityName: "Portolan")
  }

  public var genre: String? {
    get { (String?).__read(self, Self.__key_genre) }
    set { (String?).__write(self, Self.__key_genre, newValue) }
  }

  private nonisolated static let __key_genre = __ManagedKey("genre")
}

nonisolated public class Seal: NSManagedObject {
  public override class var __validatesMore: Bool {
    self != Seal.self || NSManagedObject.__validatesMore
  }
}

extension Seal {
  public class func fetchRequest() -> NSFetchRequest<Seal> {
    NSFetchRequest<Seal>(entityName: "Seal")
  }

  public var word: String? {
    get { (String?).__read(self, Self.__key_word) }
    set { (String?).__write(self, Self.__key_word, newValue) }
  }

  public var charts: NSSet? {
    get { (NSSet?).__read(self, Self.__key_charts) }
    set { (NSSet?).__write(self, Self.__key_charts, newValue) }
  }

  private nonisolated static let __key_word = __ManagedKey("word")
  private nonisolated static let __key_charts = __ManagedKey("charts")
}

// MARK: Accessors of charts

extension Seal {
  public func addToCharts(_ value: Chart) {
    __addMember(value, "charts")
  }
  public func removeFromCharts(_ value: Chart) {
    __removeMember(value, "charts")
  }
  public func addToCharts(_ values: NSSet) {
    __addMembers(values, "charts")
  }
  public func removeFromCharts(_ values: NSSet) {
    __removeMembers(values, "charts")
  }
}

extension Seal: Identifiable {}
