import ForumScraping
import Foundation
import Testing

@Suite("Printed dates")
struct ForumClockTests {
  @Test(
    "Every form the site prints is read in the site's time zone",
    arguments: [
      ("Sep 20, 2012 11:16", "2012-09-20T16:16:00Z"),
      ("Jan 18, 2013  7:28 PM", "2013-01-19T01:28:00Z"),
      ("19:42 Feb 25, 2012", "2012-02-26T01:42:00Z"),
      ("6:02 AM Nov  6, 2013", "2013-11-06T12:02:00Z"),
      ("Sep  9, 2003", "2003-09-09T05:00:00Z"), ("Nov  8, 2012 at 21:30", "2012-11-09T03:30:00Z"),
      ("July 4, 2016 at 18:05", "2016-07-04T23:05:00Z"),
      ("July 4, 2016 at 6:05 PM", "2016-07-04T23:05:00Z"),
      ("11/10/13 10:10am", "2013-11-10T16:10:00Z"), ("11/09/13 12:43am", "2013-11-09T06:43:00Z"),
      ("\n\t Dec 28, 2012 00:43\n\t\t", "2012-12-28T06:43:00Z"),
      ("Mar 14, 2010 02:15", "2010-03-14T08:15:00Z"),
      ("Nov  7, 2010 01:30", "2010-11-07T07:30:00Z"),
      ("Feb 29, 2012 23:59", "2012-03-01T05:59:00Z"),
      ("12:05 AM Jan  1, 2000", "2000-01-01T06:05:00Z"),
    ])
  func forms(printed: String, instant: String) throws {
    let date = try #require(PrintedDate(printed)?.date)
    #expect(date == (try Date(instant, strategy: .iso8601)))
  }

  @Test(
    "What is no date keeps its print and has no instant",
    arguments: [
      "yesterday", "Feb 30, 2012", "Sep 20, 2012 25:00", "Sep 2012", "13/40/13 1:00am",
      "Sep 20, 2012 1:2:3:4",
    ])
  func nonsense(printed: String) throws {
    let date = try #require(PrintedDate(printed))
    #expect(date.printed == printed)
    #expect(date.date == nil)
  }

  @Test("Blank text is no date at all")
  func blank() {
    #expect(PrintedDate(" \n") == nil)
    #expect(PrintedDate(nil) == nil)
  }
}
