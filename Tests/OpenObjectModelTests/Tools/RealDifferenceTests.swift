import Foundation
import OpenObjectModel
import Testing

@Suite(
  "Differences between versions of a real model",
  .disabled(if: RealModels.areMissing, "the folder named by OPENCOREDATA_SHARED is absent"))
struct RealDifferenceTests {
  /// The changes of each step, in the order of the versions.
  static let steps: [(from: String, to: String, changes: [String])] = [
    (
      "Awful", "Awful 3.2-beta6",
      [
        "changed entity Thread: class AwfulThread to Thread",
        "removed attribute Thread.hideFromThreadList", "added attribute Thread.threadListPage",
      ]
    ),
    (
      "Awful 3.2-beta6", "Awful 3.26-beta0",
      [
        "added entity Announcement", "added relationship ThreadTag.announcements",
        "added relationship User.announcements",
      ]
    ),
    (
      "Awful 3.26-beta0", "Awful 3.33-beta0",
      [
        "added fetch index Announcement.compoundIndex",
        "removed compound index Announcement.listIndex",
        "changed attribute Forum.forumID: indexed YES to NO",
        "added fetch index Forum.byForumIDIndex",
        "changed attribute ForumGroup.groupID: indexed YES to NO",
        "added attribute ForumGroup.sectionIdentifier",
        "added fetch index ForumGroup.byGroupIDIndex",
        "changed attribute Post.postID: indexed YES to NO",
        "added fetch index Post.byPostIDIndex",
        "changed attribute PrivateMessage.messageID: indexed YES to NO",
        "added fetch index PrivateMessage.byMessageIDIndex",
        "changed attribute Thread.threadID: indexed YES to NO",
        "added fetch index Thread.byThreadIDIndex",
        "added fetch index ThreadFilter.compoundIndex",
        "removed compound index ThreadFilter.author, thread",
        "changed attribute ThreadTag.imageName: indexed YES to NO",
        "changed attribute ThreadTag.threadTagID: indexed YES to NO",
        "added fetch index ThreadTag.byImageNameIndex",
        "added fetch index ThreadTag.byThreadTagIDIndex",
        "changed attribute User.userID: indexed YES to NO",
        "changed attribute User.username: indexed YES to NO",
        "added fetch index User.byUserIDIndex", "added fetch index User.byUsernameIndex",
      ]
    ),
    ("Awful 3.33-beta0", "Awful 6.2", ["added attribute Thread.ratingImageBasename"]),
    (
      "Awful 6.2", "Awful 6.3",
      [
        "added attribute Announcement.authorRegdateRaw",
        "added attribute Announcement.postedDateRaw", "added attribute Post.postDateRaw",
        "added attribute Post.regDateRaw", "added attribute PrivateMessage.sentDateRaw",
        "changed attribute Profile.homepageURL: transformer nothing to NSSecureUnarchiveFromDataTransformer",
        "added attribute Profile.lastPostDateRaw",
        "changed attribute Profile.profilePictureURL: transformer nothing to NSSecureUnarchiveFromDataTransformer",
        "added attribute Thread.lastPostDateRaw", "added attribute User.regdateRaw",
      ]
    ),
    (
      "Awful 6.3", "Awful 7.11",
      [
        "added relationship PrivateMessage.folder",
        "changed relationship PrivateMessage.from: minimum count 1 to 0",
        "added attribute PrivateMessage.isSent",
        "changed relationship PrivateMessage.to: minimum count 1 to 0",
        "added entity PrivateMessageFolder",
      ]
    ),
  ]

  private func model(_ name: String) throws -> NSManagedObjectModel {
    try NSManagedObjectModel(
      reading: RealModels.folder.appendingPathComponent(
        "models/Awful.xcdatamodeld/\(name).xcdatamodel"))
  }

  @Test(
    "each step of the forum reader's model has the known differences", arguments: steps.indices
  )
  func step(_ index: Int) throws {
    let step = Self.steps[index]
    let difference = try ModelDifference(from: model(step.from), to: model(step.to))
    #expect(difference.changes.map(\.description) == step.changes)
    #expect(difference.needsMigration == (step.to != "Awful 3.33-beta0"))
  }

  @Test("the renamed entity of the sample model is found")
  func renamed() throws {
    let versions = try ModelVersions.read(
      RealModels.folder.appendingPathComponent("stores/coredataplus/SampleModel.xcdatamodeld"))
    let difference = ModelDifference(from: versions[0].model, to: versions[1].model)
    #expect(
      difference.changes.contains {
        $0.description == "renamed entity LuxuryCar from ExpensiveSportCar"
      })
    #expect(difference.changes.allSatisfy { $0.subject != .entity || $0.action != .added })
  }

  @Test("the forum reader's newest model can be used, drawn and checked")
  func findings() throws {
    let model = try model("Awful 7.11")
    let findings = ModelLint.findings(in: model)
    #expect(findings.allSatisfy { $0.severity < .error })
    #expect(
      findings.filter { $0.code == .emptyRequiredToMany }.contains {
        $0.entityName == "Thread" && $0.propertyName == "posts"
      })
    #expect(!ModelDiagram(model).svg.isEmpty)
    if let path = ProcessInfo.processInfo.environment["OPENCOREDATA_DIAGRAM"] {
      try Data(ModelDiagram(model).svg.utf8).write(to: URL(fileURLWithPath: path))
    }
  }
}
