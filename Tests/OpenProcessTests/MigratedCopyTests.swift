import Foundation
import OpenCoreData
import OpenMigration
import OpenSQLiteStore
import OpenStoreContract
import ProcessModel
import Testing

@Suite("A migrated copy of a store that another process has open")
struct MigratedCopyTests {
  @Test("the copy's locks remain while another thread reads the store's metadata")
  func locks() throws {
    let store = try SharedStore.old(rowCount: 100)
    let process = try store.startProcess()
    #expect(try process.ask("save").hasPrefix("saved"))
    let copy = try SharedStore()
    let transition = try ModelTransition.inferred(
      from: ProcessModel.make().compiled(), to: ProcessModel.makeNext().compiled())
    let log = store.url.path + "-wal"
    var answer: String?
    var hasLog = false
    try SQLiteStore.migrateCopy(
      of: StoreConfiguration(url: store.url), to: StoreConfiguration(url: copy.url), transition
    ) { fraction in
      guard answer == nil, fraction > 0 else { return true }
      _ = try? SQLiteStore.metadata(at: store.url)
      // The last connection to a store deletes the log; the copy still has the store open.
      answer = (try? process.ask("close")) ?? "no answer"
      hasLog = FileManager.default.fileExists(atPath: log)
      return true
    }
    #expect(answer == "closed")
    #expect(hasLog)
    let count = try StoreInspection.rows(
      of: "SELECT count(*) FROM ZITEM", inStoreAt: copy.url)
    #expect(count == [[.int(101)]])
  }
}
