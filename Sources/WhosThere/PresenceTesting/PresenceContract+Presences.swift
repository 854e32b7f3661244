import Foundation
import Presence

extension PresenceContract {
  /// The rules for commands and for the effects of elapsed time.
  public static let presences: [Promise<any PresenceEnvironment>] = [
    Promise("a manual check-in lasts until the check-out, and each change has a version") {
      let ana = try await $0.member("ana")
      try expect(try await ana.send(.checkOut), is: "unchanged")
      try expect(try await ana.send(.checkIn), is: "accepted in by manual since 0, version 1")
      try await ana.move(to: 60)
      try expect(try await ana.send(.checkIn), is: "unchanged in by manual since 0, version 1")
      try expect(try await ana.send(.checkOut), is: "accepted out by manual since 60, version 2")
      try expect(try await ana.send(.checkOut), is: "unchanged out by manual since 60, version 2")
      try await ana.move(to: 90)
      try expect(try await ana.send(.checkIn), is: "accepted in by manual since 90, version 3")
    },
    Promise("the same command of a phone and a watch takes effect once") {
      let ana = try await $0.member("ana")
      let id = UUID()
      try expect(
        try await ana.send(.checkIn, id: id), is: "accepted in by manual since 0, version 1")
      try await ana.move(to: 60)
      for device in PresenceDevice.allCases {
        try expect(
          try await ana.send(.checkIn, id: id, device: device, at: 0, from: .far),
          is: "accepted again in by manual since 0, version 1")
      }
      try await expectRefusal("conflictingRepeat") { _ = try await ana.send(.checkIn, id: id) }
      try await expectRefusal("conflictingRepeat") {
        _ = try await ana.send(.checkOut, id: id, at: 0)
      }
      try await expectRefusal("conflictingRepeat") {
        _ = try await ana.send(.checkIn, id: id, at: 0, stay: 60)
      }
      try await expectRefusal("conflictingRepeat") {
        _ = try await ana.send(.checkIn, .automatic, id: id, at: 0, from: .inside)
      }
      // Two commands with the same id are different commands if they belong to different users. If
      // a command had no effect, repeating it has no effect either.
      let ben = try await ana.environment.member("ben")
      try expect(try await ben.send(.checkOut, id: id), is: "unchanged")
      try expect(try await ben.send(.checkIn), is: "accepted in by manual since 60, version 1")
      try expect(
        try await ben.send(.checkOut, id: id, at: 60),
        is: "unchanged again in by manual since 60, version 1")
    },
    Promise("a manual check-in overrides automatic commands") {
      let ana = try await $0.member("ana")
      try expect(
        try await ana.send(.checkIn, stay: 600),
        is: "accepted in by manual since 0 until 600, version 1")
      for action in PresenceAction.allCases {
        try expect(
          try await ana.send(action, .automatic, from: .far),
          is: "overridden in by manual since 0 until 600, version 1")
      }
      // The check-out at the deadline is an automatic change. For 30 seconds after an automatic
      // change, automatic commands from a device are ignored.
      try await ana.move(to: 620)
      try expect(
        try await ana.send(.checkIn, .automatic, from: .inside),
        is: "throttled out by automatic since 600, version 2")
      try await ana.move(to: 630)
      try expect(
        try await ana.send(.checkIn, .automatic, from: .inside),
        is: "accepted in by automatic since 630, version 3")
      try expect(
        try await ana.send(.checkIn), is: "accepted in by manual since 630, version 4")
    },
    Promise("automatic changes are throttled for 30 seconds, and manual ones are not") {
      let ana = try await $0.member("ana")
      try expect(
        try await ana.send(.checkIn, .automatic, from: .inside),
        is: "accepted in by automatic since 0, version 1")
      try await ana.move(to: 29.75)
      try expect(
        try await ana.send(.checkIn, .automatic, from: .inside),
        is: "unchanged in by automatic since 0, version 1")
      try expect(
        try await ana.send(.checkOut, .automatic),
        is: "throttled in by automatic since 0, version 1")
      try await ana.move(to: 30)
      try expect(
        try await ana.send(.checkOut, .automatic),
        is: "accepted out by automatic since 30, version 2")
      try expect(
        try await ana.send(.checkOut, .automatic),
        is: "unchanged out by automatic since 30, version 2")
      try expect(try await ana.send(.checkIn), is: "accepted in by manual since 30, version 3")
      try expect(try await ana.send(.checkOut), is: "accepted out by manual since 30, version 4")
      try await ana.move(to: 31)
      try expect(
        try await ana.send(.checkIn, .automatic, from: .inside),
        is: "throttled out by manual since 30, version 4")
    },
    Promise("a stay ends at its deadline, which a manual command can move") {
      let ana = try await $0.member("ana")
      _ = try await ana.send(.checkIn, stay: 600)
      try await ana.move(to: 100)
      try expect(
        try await ana.send(.checkIn, stay: 1_000),
        is: "accepted in by manual since 0 until 1100, version 2")
      try await ana.move(to: 200)
      try expect(
        try await ana.send(.checkIn, stay: 60),
        is: "accepted in by manual since 0 until 260, version 3")
      try await ana.move(to: 5_000)
      try expect(
        try await ana.send(.checkOut), is: "unchanged out by automatic since 260, version 4")
      let stats = try await ana.environment.achievements(for: "ana").stats()
      try expect([stats.checkIns, stats.longestStay], is: [1, 260])
      try expect(try await ana.send(.checkIn), is: "accepted in by manual since 5000, version 5")
      for stay in [0, -1, 7 * 86_400 + 1] {
        try await expectRefusal("invalidInput") { _ = try await ana.send(.checkIn, stay: stay) }
      }
      try await expectRefusal("invalidInput") { _ = try await ana.send(.checkOut, stay: 60) }
    },
    Promise("without reports for 12 hours, a presence ended at the last report") {
      let ana = try await $0.member("ana")
      _ = try await ana.send(.checkIn, .automatic, from: .inside)
      try await ana.move(to: 3_600)
      try expect(
        try await ana.send(.checkIn, .automatic, from: .inside),
        is: "unchanged in by automatic since 0, version 1")
      try await ana.move(to: 3_600 + 12 * 3_600 - 1)
      try await ana.environment.settle()
      try expect(try await ana.snapshot().presences.count, is: 1)
      try await ana.move(to: 3_600 + 12 * 3_600 + 20)
      try expect(
        try await ana.send(.checkIn, .automatic, from: .inside),
        is: "throttled out by automatic since 3600, version 2")
      try expect(
        try await ana.environment.achievements(for: "ana").stats().longestStay, is: 3_600)
      // A manual check-in without a stay has no deadline.
      let ben = try await ana.environment.member("ben")
      _ = try await ben.send(.checkIn)
      try await ben.move(to: 200_000)
      try await ben.environment.settle()
      try expect(try await ben.snapshot().presences.map(\.userId), is: ["ben"])
    },
    Promise("a position must be plausible and within the group's shape") {
      let ana = try await $0.member("ana")
      for (source, position, outcome) in [
        (PresenceSource.automatic, nil, "implausible"), (.manual, .vague, "implausible"),
        (.manual, .old, "implausible"), (.manual, .early, "implausible"),
        (.manual, .near(accuracy: 50), "outside"), (.automatic, .far, "outside"),
      ] as [(PresenceSource, Claim?, String)] {
        try expect(try await ana.send(.checkIn, source, from: position), is: outcome)
      }
      try expect(
        try await ana.send(.checkIn, from: .near(accuracy: 150)),
        is: "accepted in by manual since 0, version 1")
      // A check-out does not need a position.
      try expect(
        try await ana.send(.checkOut, from: .far), is: "accepted out by manual since 0, version 2")
    },
    Promise("a user cannot be at two distant places while a position is stored") {
      let ana = try await $0.member("ana")
      let away = try await $0.member("ana", "away", at: .far)
      _ = try await ana.send(.checkIn, from: .inside)
      try await ana.move(to: 60)
      try expect(try await away.send(.checkIn, from: .far), is: "implausible")
      // A check-in without a position is not compared with check-ins in other groups.
      try expect(try await away.send(.checkIn), is: "accepted in by manual since 60, version 1")
      _ = try await ana.send(.checkOut)
      try expect(
        try await away.send(.checkIn, from: .far, stay: 60),
        is: "accepted in by manual since 60 until 120, version 2")
      // The stay in the group `away` has a deadline at 120 s. After the deadline, a check-in in
      // another group is not compared with the expired stay's position. An expired stay's position
      // is ignored even if no call has ended the stay.
      try await ana.move(to: 121)
      try expect(
        try await ana.send(.checkIn, from: .inside),
        is: "accepted in by manual since 121, version 3")
    },
    Promise("only members see who is present, and leaving ends a presence") {
      let ana = try await $0.member("ana")
      let ben = try await $0.member("ben")
      let environment = $0
      try await environment.addUser("eve")
      for (actor, code) in [("eve", "notAMember"), (nil, "notAuthenticated")] {
        let stranger = Visitor(
          environment: environment, user: actor, group: "g",
          presences: try await environment.presences(for: actor))
        try await expectRefusal(code) { _ = try await stranger.send(.checkIn) }
        try await expectRefusal(code) { _ = try await stranger.snapshot() }
      }
      try await expectRefusal("groupNotFound") { _ = try await ana.presences.presences(of: "none") }
      _ = try await ben.send(.checkIn)
      try await ben.move(to: 60)
      try await environment.groups(for: "ben").leaveGroup("g")
      try await environment.settle()
      try expect(try await ana.snapshot().presences, is: [])
      try await expectRefusal("notAMember") { _ = try await ben.send(.checkOut) }
      _ = try await environment.groups(for: "ben").joinPublicGroup("g")
      try expect(
        try await ben.send(.checkOut), is: "unchanged out by automatic since 60, version 2")
      try expect(
        try await environment.achievements(for: "ben").stats().longestStay, is: 60)
    },
    Promise("a group shows present users, newest first, and the first of the date") {
      var visitors: [Visitor] = []
      for (index, user) in ["a", "b", "c", "d", "e", "f", "g"].enumerated() {
        visitors.append(try await $0.member(user))
        try await visitors[index].move(to: Double(index))
        _ = try await visitors[index].send(.checkIn, stay: user == "c" ? 60 : nil)
      }
      try await $0.settle()
      let snapshot = try await visitors[1].snapshot()
      try expect(snapshot.summary.presentCount, is: 7)
      try expect(snapshot.summary.firstToday, is: "a")
      try expect(snapshot.summary.latest, is: ["g", "f", "e", "d", "c"])
      try expect(snapshot.presences.map(\.userId), is: ["g", "f", "e", "d", "c", "b", "a"])
      try expect(snapshot.own?.userId, is: "b")
      _ = try await visitors[6].send(.checkOut)
      try await visitors[0].move(to: 120)
      try await $0.settle()
      let later = try await visitors[6].snapshot()
      try expect(later.summary.latest, is: ["f", "e", "d", "b", "a"])
      try expect(later.summary.version > snapshot.summary.version, is: true)
      try expect(later.own?.isPresent, is: false)
      // Midnight in Berlin is 23:00 UTC, 11 hours after the start of the check.
      try await $0.moveClock(to: $0.hours(11))
      try await $0.settle()
      let tomorrow = try await visitors[6].snapshot()
      try expect(tomorrow.summary.firstToday, is: nil)
      try expect(tomorrow.summary.presentCount, is: 5)
      _ = try await visitors[6].send(.checkIn)
      try await $0.settle()
      try expect(try await visitors[0].snapshot().summary.firstToday, is: "g")
    },
  ]

  /// The rules for a stream's snapshots.
  public static let streams: [Promise<any PresenceEnvironment>] = [
    Promise("a stream sends the present users and each change, until the membership ends") {
      let ana = try await $0.member("ana")
      let ben = try await $0.member("ben")
      let snapshots = ana.presences.observe("g")
      try expect(try await next(0, of: snapshots)?.own, is: nil)
      _ = try await ben.send(.checkIn)
      try await $0.settle()
      try expect(try await next(1, of: snapshots)?.presences.map(\.userId), is: ["ben"])
      _ = try await ana.send(.checkIn, stay: 60)
      try await $0.settle()
      try expect(try await next(2, of: snapshots)?.own?.version, is: 1)
      try await ana.move(to: 60)
      try await $0.settle()
      try expect(try await next(1, of: snapshots)?.own?.version, is: 2)
      try await $0.groups(for: "ana").leaveGroup("g")
      try await $0.settle()
      var last: AppError?
      for await result in snapshots {
        if case .failure(let error) = result { last = error }
      }
      try expect(last, is: .notAMember)
    }
  ]

  /// Returns the next snapshot with the given number of users at the place.
  ///
  /// The method skips each snapshot whose number of users is not `count`, because a stream may send
  /// an unchanged snapshot again.
  private static func next(
    _ count: Int, of snapshots: AsyncStream<Result<PresenceSnapshot, AppError>>
  ) async throws -> PresenceSnapshot? {
    for await result in snapshots {
      let snapshot = try result.get()
      if snapshot.presences.count == count { return snapshot }
    }
    return nil
  }
}
