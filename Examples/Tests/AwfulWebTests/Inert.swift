import ForumHTML
import Testing

/// Checks that nothing in a page acts but the scripts that are expected.
func expectInert(_ page: HTMLDocument, scripts: [String]) throws {
  #expect(try page.select("script").map { $0["src"] ?? "" } == scripts)
  for element in page.root.descendants {
    let names = element.attributes.map(\.name)
    #expect(!names.contains { $0.hasPrefix("on") || $0 == "style" || $0 == "srcdoc" })
    for address in ["href", "src", "action"].compactMap({ element[$0] }) {
      #expect(["http://", "https://", "/", "#"].contains { address.hasPrefix($0) }, "\(address)")
    }
    #expect(!["iframe", "object", "embed", "svg", "base"].contains(element.name))
  }
}
