import Foundation
import OpenCoreData
import Testing

/// A delegate that records its calls, and applies them to a copy of the list, like a table view.
final class ResultsRecorder: NSFetchedResultsControllerDelegate {
  struct Change {
    var object: NSManagedObject
    var old: IndexPath?
    var new: IndexPath?
    var type: NSFetchedResultsChangeType
  }

  /// One line for each call since the log was last cleared.
  var calls: [String] = []
  private(set) var changes: [Change] = []
  private(set) var sectionCounts: [String: Int] = [:]
  private(set) var list: [[NSManagedObject]] = []
  /// Whether the number of moves is compared with the smallest possible one.
  var checksMoves = false
  private var listBefore: [[NSManagedObject]] = []
  private var deletedSections: [Int] = []
  private var insertedSections: [Int] = []
  private(set) var controllers: [NSFetchedResultsController<any NSFetchRequestResult>] = []
  /// The controller's content before the change.
  private(set) var contentBefore: [Int] = []

  /// Copies the controller's content.
  func mirror<Result>(_ controller: NSFetchedResultsController<Result>) {
    list = (controller.sections ?? []).map { section in
      (section.objects ?? []).compactMap { $0 as? NSManagedObject }
    }
  }

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    calls.append("will")
    controllers.append(controller)
    (changes, deletedSections, insertedSections) = ([], [], [])
    listBefore = checksMoves ? list : []
    contentBefore = (controller.sections ?? []).map(\.numberOfObjects)
    #expect(contentBefore == list.map(\.count))
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    #expect(
      changes.allSatisfy { $0.type == .delete },
      "sections are told before all changes of objects but deletions")
    let kind = type == .insert ? "insert" : "delete"
    calls.append("\(kind) section \(sectionInfo.name) at \(sectionIndex)")
    sectionCounts["\(kind) \(sectionInfo.name)"] = sectionInfo.numberOfObjects
    if type == .insert { insertedSections.append(sectionIndex) }
    if type == .delete { deletedSections.append(sectionIndex) }
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? NSManagedObject else { return }
    changes.append(Change(object: object, old: indexPath, new: newIndexPath, type: type))
    func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }
    calls.append("\(type) \(text(indexPath)) \(text(newIndexPath))")
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    calls.append("did")
    apply()
    let shown = (controller.sections ?? []).map { section in
      (section.objects ?? []).compactMap { ($0 as? NSManagedObject).map(ObjectIdentifier.init) }
    }
    #expect(
      list.map { $0.map(ObjectIdentifier.init) } == shown, "the mirrored list is the shown one")
    if checksMoves, insertedSections.isEmpty, deletedSections.isEmpty {
      #expect(count(.move) == fewestMoves(), "no more moves than needed")
    }
  }

  /// The minimum number of moves: the rows that changed their section, and in each section the rows outside a
  /// longest increasing subsequence.
  private func fewestMoves() -> Int {
    var places: [ObjectIdentifier: (section: Int, item: Int)] = [:]
    for (section, rows) in listBefore.enumerated() {
      for (item, object) in rows.enumerated() { places[ObjectIdentifier(object)] = (section, item) }
    }
    var moves = 0
    for (section, rows) in list.enumerated() {
      var ends: [Int] = []
      var stayed = 0
      for object in rows {
        guard let place = places[ObjectIdentifier(object)] else { continue }
        guard place.section == section else {
          moves += 1
          continue
        }
        stayed += 1
        if place.item > ends.last ?? -1 {
          ends.append(place.item)
        } else if let position = ends.firstIndex(where: { $0 > place.item }) {
          ends[position] = place.item
        }
      }
      moves += stayed - ends.count
    }
    return moves
  }

  /// The number of changes of a kind in the last announcement.
  func count(_ type: NSFetchedResultsChangeType) -> Int {
    changes.count { $0.type == type }
  }

  /// Applies deletions by old indexes, then insertions by new indexes.
  private func apply() {
    for change in changes where change.type == .move || change.type == .delete {
      guard let old = change.old, list.indices.contains(old.section),
        list[old.section].indices.contains(old.item)
      else {
        Issue.record("no row at the old place")
        continue
      }
      #expect(list[old.section][old.item] === change.object)
    }
    let removed = changes.filter { $0.type == .move || $0.type == .delete }.compactMap(\.old)
    for path in removed.sorted(by: >) { list[path.section].remove(at: path.item) }
    for section in deletedSections.sorted(by: >) {
      #expect(list[section].isEmpty)
      list.remove(at: section)
    }
    for section in insertedSections.sorted() { list.insert([], at: section) }
    let inserted = changes.filter { $0.type == .move || $0.type == .insert }
    let places = inserted.compactMap { change in change.new.map { ($0, change.object) } }
    for (path, object) in places.sorted(by: { $0.0 < $1.0 }) {
      list[path.section].insert(object, at: path.item)
    }
    for change in changes where change.type == .update {
      guard let new = change.new else { continue }
      #expect(list[new.section][new.item] === change.object)
    }
  }
}
