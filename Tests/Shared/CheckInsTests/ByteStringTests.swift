import CheckIns
import Testing

struct ByteStringTests {
  @Test func `two spellings of one letter are two texts`() {
    let composed = ByteString("Zo\u{e9}")
    let decomposed = ByteString("Zoe\u{301}")
    #expect(composed.string == decomposed.string)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, ByteString("Zo\u{e9}")]).count == 2)
  }

  @Test func `order is that of the bytes`() {
    // U+FF61 is before U+1F600 in UTF-8, and after it in UTF-16.
    let ordered = ["", "B", "Ba", "a", "e\u{301}", "z", "\u{e9}", "\u{ff61}", "\u{1f600}"]
    #expect(ordered.reversed().map(ByteString.init).sorted().map(\.string) == ordered)
  }
}
