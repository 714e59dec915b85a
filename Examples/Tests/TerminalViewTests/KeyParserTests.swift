import TerminalView
import Testing

/// The keys in the bytes that a terminal sends.
@Suite("Keys of a terminal")
struct KeyParserTests {
  @Test(
    "known keys, characters and the escape key are recognized",
    arguments: [
      ("\u{1B}[A\u{1B}OB\u{1B}[6~", [.up, .down, .pageDown]), ("a\r", [.character("a"), .enter]),
      ("\u{1B}", [.back]), ("\u{1B}\u{1B}[A", [.back, .up]), ("\u{7F}", [.back]),
      ("e\u{301}日", [.character("e\u{301}"), .character("日")]), ("", []),
    ] as [(String, [Key])])
  func known(text: String, keys: [Key]) {
    #expect(KeyParser().keys(in: Array(text.utf8)) == keys)
  }

  @Test(
    "keys with an unknown escape sequence are ignored, so that they do not type or rate",
    arguments: ["[3~", "[15~", "[1;2C", "[Z", "[[A", "OP", "[200~", "[<0;3;4M"])
  func unknown(sequence: String) {
    #expect(
      KeyParser().keys(in: Array("x\u{1B}\(sequence)y".utf8)) == [.character("x"), .character("y")])
  }

  @Test("characters and sequences that are split between reads stay whole")
  func split() {
    let bytes = Array("ä日\u{1F600}\u{1B}[5~\u{1B}OAz".utf8)
    for place in bytes.indices where bytes[place] != 0x1B {
      let parser = KeyParser()
      let keys =
        parser.keys(in: Array(bytes[...place])) + parser.keys(in: Array(bytes[(place + 1)...]))
      #expect(
        keys == [
          .character("ä"), .character("日"), .character("\u{1F600}"), .pageUp, .up, .character("z"),
        ])
    }
  }

  @Test("Control-C and Control-D end the program, even while the user types a line")
  func end() {
    #expect(KeyParser().keys(in: [3, 4]) == [.closed, .closed])
  }
}
