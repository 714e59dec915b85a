import AudioSamples
import CoreData
import ForumHTML
import Foundation
import KanoraCore
import KanoraWeb
import StoreSharing
import Testing
import WebPages
import WebTestClient

/// One program scans while another shows the library.
@Suite("Scans by another program")
struct OtherProgramTests {
  @Test("tracks that another program scans reach an open page", .timeLimit(.minutes(30)))
  func openPage() async throws {
    let folder = try AudioSamples.newFolder()
    let music = folder.appendingPathComponent("music")
    try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
    try TextAudio.content(["TITLE": "Arrived Later", "ARTIST": "A", "ALBUM": "B"])
      .write(to: music.appendingPathComponent("1.mp3"))
    let file = folder.appendingPathComponent("Kanora.sqlite")
    let lists = LiveLists()
    let pages = LibraryPages(of: try KanoraStore.openOrMake(file), lists: lists)
    let site = WebSite(pages, lists: lists, token: "t")
    let port = try #require(URL(string: try await site.start())?.port)
    do {
      let cookie = ["Cookie": "site-token-\(port)=t"]
      let page = try HTMLParser.parse(try await send(port, "/", "GET", cookie).text)
      let events = try WebTestStream(port, try #require(page.body["data-events"]), cookie)
      let scan = try ScanProgram.begin(music, into: file)
      #expect(await events.text(until: "Arrived Later").contains("event: insert"))
      scan.waitUntilExit()
      #expect(scan.terminationStatus == 0)
    } catch {
      await site.stop()
      throw error
    }
    await site.stop()
  }
}
