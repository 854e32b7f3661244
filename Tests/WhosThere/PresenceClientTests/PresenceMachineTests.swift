import Foundation
import Presence
import PresenceApp
import Testing

/// Tests the state of one group on one device: each state with each event.
@Suite struct PresenceMachineTests {
  private static func machine(_ confirmed: Presence?, pending: PresenceCommand? = nil)
    -> PresenceMachine
  {
    var machine = PresenceMachine(groupId: "g1", userId: "u1", confirmed: confirmed)
    if let pending { #expect(machine.apply(.command(pending)) == .send(pending)) }
    return machine
  }

  /// Two kinds of absence and two of presence, and a pending command of each kind.
  private static let absent = Sample.presence(5, isPresent: false)
  private static let left = Sample.presence(5, isPresent: false, source: .automatic)
  private static let byHand = Sample.presence(5, deadline: 3_600)
  private static let noticed = Sample.presence(5, source: .automatic)

  private static func effect(
    _ machine: PresenceMachine, _ action: PresenceAction, _ source: PresenceSource,
    at seconds: TimeInterval = 60, stay: Int? = nil
  ) throws -> String {
    var machine = machine
    let command = try Sample.command(9, action, source, at: seconds, stay: stay)
    switch machine.apply(.command(command)) {
    case .send(command): return machine.isPresent == (action == .checkIn) ? "sent" : "not shown"
    case .skipped(let outcome): return outcome.rawValue
    default: return "?"
    }
  }

  /// Returns the effects of the four commands, in this order: manual check-in, manual check-out,
  /// automatic check-in, automatic check-out.
  private static func effects(
    _ machine: PresenceMachine, at seconds: TimeInterval = 60
  ) throws -> [String] {
    try [
      effect(machine, .checkIn, .manual, at: seconds),
      effect(machine, .checkOut, .manual, at: seconds),
      effect(machine, .checkIn, .automatic, at: seconds),
      effect(machine, .checkOut, .automatic, at: seconds),
    ]
  }

  @Test func `commands of a settled state are sent, or skipped as the server would`() throws {
    #expect(try Self.effects(Self.machine(nil)) == ["sent", "sent", "sent", "sent"])
    #expect(
      try Self.effects(Self.machine(Self.absent)) == ["sent", "unchanged", "sent", "unchanged"])
    #expect(
      try Self.effects(Self.machine(Self.byHand)) == [
        "unchanged", "sent", "overridden", "overridden",
      ])
    #expect(try Self.effects(Self.machine(Self.noticed)) == ["sent", "sent", "unchanged", "sent"])
    // After the deadline, automatic commands are allowed again.
    #expect(try Self.effect(Self.machine(Self.byHand), .checkOut, .automatic, at: 3_600) == "sent")
    // A second manual check-in with another end.
    #expect(try Self.effect(Self.machine(Self.byHand), .checkIn, .manual, stay: 60) == "sent")
  }

  @Test func `automatic changes are throttled for 30 seconds, and manual ones are not`() throws {
    let noticed = Self.machine(Self.noticed), left = Self.machine(Self.left)
    for (seconds, outcome) in [(0.0, "throttled"), (29.9, "throttled"), (30, "sent"), (-1, "sent")]
    {
      #expect(try Self.effect(noticed, .checkOut, .automatic, at: seconds) == outcome)
      #expect(try Self.effect(left, .checkIn, .automatic, at: seconds) == outcome)
    }
    #expect(try Self.effects(noticed, at: 1) == ["sent", "sent", "unchanged", "throttled"])
    #expect(try Self.effect(Self.machine(Self.absent), .checkIn, .automatic, at: 1) == "sent")
  }

  @Test func `a command under way is followed by another wish by hand alone`() throws {
    let manual = ["unchanged", "sent", "overridden", "overridden"]
    let automatic = ["sent", "sent", "throttled", "throttled"]
    for confirmed in [nil, Self.absent] {
      #expect(
        try Self.effects(Self.machine(confirmed, pending: Sample.command(1, .checkIn))) == manual)
      #expect(
        try Self.effects(Self.machine(confirmed, pending: Sample.command(1, .checkIn, .automatic)))
          == automatic)
    }
    for confirmed in [nil, Self.byHand] {
      #expect(
        try Self.effects(Self.machine(confirmed, pending: Sample.command(1, .checkOut))) == [
          "sent", "unchanged", "overridden", "overridden",
        ])
    }
    #expect(
      try Self.effects(
        Self.machine(Self.noticed, pending: Sample.command(1, .checkOut, .automatic)))
        == automatic)
  }

  @Test func `a command shows at once, with what was before`() throws {
    let command = try Sample.command(1, .checkIn, stay: 600)
    let machine = Self.machine(Self.absent, pending: command)
    #expect(machine.state == .checkingIn(before: Self.absent) && machine.isPresent)
    #expect(machine.deadline == Sample.at(660) && machine.isManualOverride(at: Sample.at(100)))
    #expect(machine.shown?.since == Sample.at(60) && machine.shown?.version == 5)
    let out = Self.machine(Self.byHand, pending: try Sample.command(1, .checkOut))
    #expect(out.state == .checkingOut(before: Self.byHand) && !out.isPresent)
    #expect(out.deadline == nil && !out.isManualOverride(at: Sample.at(100)))
    // A user who was present remains present since the earlier time.
    let again = Self.machine(Self.noticed, pending: try Sample.command(1, .checkIn))
    #expect(again.shown?.since == Self.noticed.since && again.shown?.isManual == true)
  }

  @Test func `an answer settles its command, by its version`() throws {
    let present = Sample.presence(6)
    for outcome in PresenceOutcome.allCases {
      var machine = Self.machine(Self.absent, pending: try Sample.command(1, .checkIn))
      let presence = outcome == .accepted ? present : Self.absent
      let answer = PresenceAnswer(outcome: outcome, presence: presence)
      #expect(machine.apply(.answer(answer, to: Sample.id(1))) == .settled(outcome))
      #expect(machine.state == (outcome == .accepted ? .present : .absent))
      // The answer counts only once.
      #expect(machine.apply(.answer(answer, to: Sample.id(1))) == .nothing)
      #expect(machine.confirmed == presence && machine.pending == nil)
    }
  }

  @Test func `an answer that is older than what is known settles, and changes nothing`() throws {
    var machine = Self.machine(Self.absent, pending: try Sample.command(1, .checkIn))
    machine.apply(.presence(Sample.presence(7, isPresent: false)))
    #expect(machine.state == .checkingIn(before: Sample.presence(7, isPresent: false)))
    let answer = PresenceAnswer(outcome: .accepted, presence: Sample.presence(6))
    #expect(machine.apply(.answer(answer, to: Sample.id(1))) == .settled(.accepted))
    #expect(machine.state == .absent && machine.confirmed?.version == 7)
  }

  @Test func `a failure goes back to what the server said last`() throws {
    for (confirmed, action, state) in [
      (nil, PresenceAction.checkIn, PresenceMachine.State.absent), (Self.absent, .checkIn, .absent),
      (Self.byHand, .checkOut, .present),
    ] {
      var machine = Self.machine(confirmed, pending: try Sample.command(1, action))
      #expect(
        machine.apply(.failure(.networkUnavailable, of: Sample.id(1)))
          == .rolledBack(.networkUnavailable))
      #expect(machine.state == state && machine.shown == confirmed)
      #expect(machine.apply(.failure(.networkUnavailable, of: Sample.id(1))) == .nothing)
    }
    // The server had accepted the command, and reported this in another way.
    var machine = Self.machine(Self.absent, pending: try Sample.command(1, .checkIn))
    machine.apply(.presence(Sample.presence(6)))
    machine.apply(.failure(.networkUnavailable, of: Sample.id(1)))
    #expect(machine.state == .present)
  }

  @Test func `what becomes of an earlier command leaves the last one under way`() throws {
    let events: [PresenceMachine.Event] = [
      .failure(.networkUnavailable, of: Sample.id(1)),
      .answer(
        PresenceAnswer(outcome: .accepted, presence: Sample.presence(6)), to: Sample.id(1)),
      .command(try Sample.command(2, .checkOut)), .time(Sample.at(60)),
    ]
    for event in events {
      var machine = Self.machine(Self.absent, pending: try Sample.command(1, .checkIn))
      let last = try Sample.command(2, .checkOut)
      #expect(machine.apply(.command(last)) == .send(last))
      #expect(machine.apply(event) == .nothing)
      #expect(machine.pending == last && !machine.isPresent)
    }
  }

  @Test func `settled states take newer versions, and neither answers nor failures of others`()
    throws
  {
    for confirmed in [nil, Self.absent, Self.byHand] {
      var machine = Self.machine(confirmed)
      let state = machine.state
      #expect(machine.apply(.failure(.groupFull, of: Sample.id(1))) == .nothing)
      let none = PresenceAnswer(outcome: .outside, presence: nil)
      #expect(machine.apply(.answer(none, to: Sample.id(1))) == .nothing)
      #expect(machine.apply(.presence(Sample.presence(4, isPresent: false))) == .nothing)
      if confirmed != nil { #expect(machine.state == state && machine.confirmed == confirmed) }
      machine.apply(.presence(Sample.presence(6)))
      #expect(machine.state == .present)
      machine.apply(
        .answer(
          PresenceAnswer(outcome: .accepted, presence: Sample.presence(7, isPresent: false)),
          to: Sample.id(1)))
      #expect(machine.state == .absent)
    }
  }

  @Test func `what is of another group or user is not taken in`() throws {
    var machine = Self.machine(Self.absent)
    for (group, user) in [("g2", "u1"), ("g1", "u2")] {
      let other = Presence(
        groupId: group, userId: user, isPresent: true, source: .manual, since: Sample.instant,
        version: 9, changedAt: Sample.instant)
      machine.apply(.presence(other))
      #expect(PresenceMachine(groupId: "g1", userId: "u1", confirmed: other).confirmed == nil)
    }
    let elsewhere = try PresenceCommand(
      groupId: "g2", action: .checkIn, source: .manual, at: Sample.instant)
    #expect(machine.apply(.command(elsewhere)) == .nothing)
    #expect(machine == Self.machine(Self.absent))
  }

  @Test func `behind its deadline a presence is over, until a newer version says otherwise`() throws
  {
    var machine = Self.machine(Self.byHand)
    machine.apply(.time(Sample.at(3_599)))
    #expect(machine.state == .present)
    machine.apply(.time(Sample.at(3_600)))
    #expect(machine.state == .absent && machine.deadline == nil)
    #expect(machine.shown?.since == Sample.at(3_600) && machine.confirmed == Self.byHand)
    machine.apply(.presence(Self.byHand))
    #expect(machine.state == .absent)
    #expect(try Self.effect(machine, .checkIn, .manual, at: 3_601) == "sent")
    // The stay was extended on the watch.
    machine.apply(.presence(Sample.presence(6, deadline: 7_200)))
    #expect(machine.state == .present)
    for confirmed in [nil, Self.absent, Self.noticed] {
      var machine = Self.machine(confirmed)
      machine.apply(.time(.distantFuture))
      #expect(machine == Self.machine(confirmed))
    }
    var checkingIn = Self.machine(Self.absent, pending: try Sample.command(1, .checkIn, stay: 1))
    checkingIn.apply(.time(Sample.at(100)))
    #expect(checkingIn.isPresent)
  }

  @Test func `all groups have their overrides and deadlines by id`() {
    let machines = [
      "g1": Self.machine(Self.byHand), "g2": Self.machine(Self.noticed), "g3": Self.machine(nil),
    ]
    #expect(machines.manualOverrides(at: Sample.at(0)) == ["g1": true, "g2": false, "g3": false])
    #expect(machines.autoCheckOutTimers == ["g1": Sample.at(3_600)])
  }
}
