import Foundation
import OpenObjectModel
import Testing

@Suite("SHA-256 and SHA-512")
struct SHA2Tests {
  /// Messages and hashes of the standard's examples.
  private static let examples = [
    (
      "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c33596fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
  ]

  @Test("the examples of FIPS 180-4 have their hashes", arguments: examples)
  func standard(_ message: String, _ hash256: String, _ hash512: String) {
    #expect(SHA2.hash256(Array(message.utf8)).hexadecimal == hash256)
    #expect(SHA2.hash512(Array(message.utf8)).hexadecimal == hash512)
  }

  @Test("messages of every length around the blocks have the hashes of other implementations")
  func everyLength() {
    let messages = (0..<260).map { length in (0..<length).map { UInt8($0 % 251) } }
    let all256 = SHA2.hash256(messages.flatMap(SHA2.hash256))
    let all512 = SHA2.hash256(messages.flatMap(SHA2.hash512))
    #expect(
      all256.hexadecimal == "5c1a7f92faa4af460c9773f9f78fc95ef823ce056675566b7495fdef14d13e8d")
    #expect(
      all512.hexadecimal == "9e6bb12bf74d83cf3bfaa27ba8dfb4a4291d6722f5993b963e17141855264625")
  }
}

extension Sequence<UInt8> {
  /// Two lower-case digits for each byte.
  var hexadecimal: String {
    reduce(into: "") { text, byte in
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
