import Foundation
import Presence
import TestDice
import Testing

/// Tests codes as users type them.
@Suite struct InviteCodeTests {
  @Test func `the alphabet is Crockford's`() {
    #expect(InviteCode.alphabet.count == 32 && Set(InviteCode.alphabet).count == 32)
    #expect(Set("ILOU").isDisjoint(with: InviteCode.alphabet))
    // With this alphabet, codes have the same order as texts and as numbers.
    #expect(InviteCode.alphabet.utf8.elementsEqual(InviteCode.alphabet.utf8.sorted()))
  }

  @Test func `a code that is shown is read as the same, however it is typed`() throws {
    var dice = Dice()
    let filler = [" ", "-", "  ", "\u{a0}", "\u{2011}", "\u{2013}", "\t", ""]
    for _ in 0..<2_000 {
      let code = InviteCode.random(using: &dice)
      #expect(InviteCode(code.description) == code && InviteCode(exactly: code.text) == code)
      #expect(code.description.count == 19 && code.text.count == 16)
      let typed = code.text.map { character in
        let looks =
          switch character {
          case "0": ["0", "o", "O"].randomElement(using: &dice)
          case "1": ["1", "i", "I", "l", "L"].randomElement(using: &dice)
          default: [String(character), character.lowercased()].randomElement(using: &dice)
          }
        return (looks ?? "") + (filler.randomElement(using: &dice) ?? "")
      }
      #expect(InviteCode(typed.joined()) == code, "\(dice) \(typed)")
    }
  }

  @Test(arguments: [
    "", "JKMN-PQRS", "JKMNPQRS-ABCD-EFG", "JKMNPQRS-ABCD-EFGHJ", "JKMNPQRS-ABCD-EFGU",
    "JKMNPQRS-ABCD_EFGH", "JKMNPQRS-ABCD.EFGH", "JKMNPQRS-ABCD-EFGÉ", "JKMNPQRSABCDEFGH!",
    "JKMNPQRSＡBCDEFGH", "JKMNPQRSABCDEFGı", "JKMNPQRSABCDEFGH\u{0}",
    "JKMNPQRSABCDEFG\u{301}H", "JKMNPQRSßBCDEFGH",
    "JKMNPQRSABCDEFGH" + String(repeating: " ", count: 60),
  ])
  func `nothing else is read`(text: String) {
    #expect(InviteCode(text) == nil)
  }

  @Test(arguments: [
    "jkmnpqrsabcdefgh", "JKMN-PQRS-ABCD-EFGH", "JKMNPQRSABCDEFG1 ", "JKMNPQRSABCDEFGO",
  ])
  func `the wire has the 16 characters and nothing else`(text: String) {
    #expect(InviteCode(text) != nil && InviteCode(exactly: text) == nil)
  }

  @Test func `codes differ, and every character comes up`() {
    var dice = Dice()
    let codes = Set((0..<2_000).map { _ in InviteCode.random(using: &dice) })
    #expect(codes.count == 2_000, "\(dice)")
    #expect(Set(codes.flatMap(\.text)).count == 32, "\(dice)")
    #expect(InviteCode.random() != InviteCode.random())
  }
}
