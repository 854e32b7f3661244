import Challenges
import Foundation
import TestDice
import Testing

/// Tests that damaged JSON is either an entity or an immediate error, and that every decoded entity
/// can be encoded.
@Suite struct DecoderFuzzTests {
  private func tries<Value: Codable & Equatable & Sendable>(
    _ value: Value, _ dice: inout Dice
  ) throws {
    let whole = Array(try WireFormat.data(of: value))
    var read = 0
    for _ in 0..<1_500 {
      let bytes = Data(dice.damaged(whole))
      guard let other = try? WireFormat.read(Value.self, from: bytes) else { continue }
      read += 1
      let written = try WireFormat.data(of: other)
      #expect(try WireFormat.read(Value.self, from: written) == other, "\(dice)")
    }
    // Some damage has no effect, such as another digit, or another letter of a name.
    #expect(read > 0 && read < 1_400, "\(Value.self) \(read) \(dice)")
  }

  @Test func `damaged entities are entities or errors`() throws {
    var dice = Dice()
    try tries(EntityTests.user, &dice)
    try tries(EntityTests.group, &dice)
    try tries(EntityTests.member, &dice)
    try tries(EntityTests.challenge, &dice)
    try tries(EntityTests.snapshot, &dice)
    try tries(EntityTests.notification, &dice)
    try tries(EntityTests.workout, &dice)
    try tries(WorkoutAnswer(outcome: .accepted, week: EntityTests.week, isReplayed: true), &dice)
    try tries(DomainError.alreadyInGroup(groupId: "g1"), &dice)
  }

  @Test func `absurd texts are errors`() {
    // These texts are not arguments of the test, because arguments are printed.
    let texts = [
      "", " ", "null", "[]", "{}", "\u{0}", #"{"id":1e999}"#, #"{"id":"\ud800"}"#,
      String(repeating: "[", count: 200_000), String(repeating: #"{"a":"#, count: 50_000),
      "\"" + String(repeating: "a", count: 1 << 20),
    ]
    for text in texts {
      #expect(throws: (any Error).self) {
        try WireFormat.read(LeaderboardSnapshot.self, from: Data(text.utf8))
      }
    }
  }

  @Test func `too much is not read at all`() {
    let data = Data(count: WireFormat.mostBytes + 1)
    #expect(throws: WireFormat.TooLarge.self) {
      try WireFormat.read(SocialUser.self, from: data)
    }
  }
}
