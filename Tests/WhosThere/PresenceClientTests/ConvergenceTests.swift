import Foundation
import Presence
import PresenceApp
import TestDice
import Testing

/// Tests that a phone and a watch that saw the same changes display the same, regardless of the
/// order.
@Suite struct ConvergenceTests {
  @Test func `any order and repetition of the server's events ends in the newest version`() throws {
    var dice = Dice()
    for _ in 0..<300 {
      let history = (1...Int64.random(in: 2...12, using: &dice)).map { version in
        Sample.presence(
          version, isPresent: .random(using: &dice),
          source: Bool.random(using: &dice) ? .manual : .automatic, changed: Double(version) * 40)
      }
      let newest = try #require(history.last)
      for _ in ["phone", "watch"] {
        var machine = PresenceMachine(groupId: "g1", userId: "u1")
        try run(&machine, through: history, &dice)
        #expect(machine.confirmed == newest, "\(dice)")
        #expect(machine.state == (newest.isPresent ? .present : .absent), "\(dice)")
      }
    }
  }

  /// Delivers each version at least once, as an event or a response, among commands that all end.
  private func run(
    _ machine: inout PresenceMachine, through history: [Presence], _ dice: inout Dice
  ) throws {
    let repeated = (0..<history.count).compactMap { _ in history.randomElement(using: &dice) }
    var highest: Int64 = 0
    var number: UInt8 = 0
    for presence in (history + repeated).shuffled(using: &dice) {
      number += 1
      let command = try Sample.command(
        number, Bool.random(using: &dice) ? .checkIn : .checkOut,
        Bool.random(using: &dice) ? .manual : .automatic, at: .random(in: 0...500, using: &dice))
      if Bool.random(using: &dice) { machine.apply(.command(command)) }
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: machine.apply(.presence(presence))
      case 1:
        let answer = PresenceAnswer(outcome: .accepted, presence: presence)
        machine.apply(.answer(answer, to: machine.pending?.id ?? command.id))
      default:
        machine.apply(.failure(.networkUnavailable, of: command.id))
        machine.apply(.presence(presence))
      }
      highest = max(highest, presence.version)
      #expect(machine.confirmed?.version == highest, "\(dice)")
    }
    if let pending = machine.pending {
      machine.apply(.failure(.networkUnavailable, of: pending.id))
    }
  }
}
