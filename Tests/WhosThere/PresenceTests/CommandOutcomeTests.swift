import TestSupport
import Testing

/// Tests the outcomes of commands, rule by rule.
///
/// No user's outcomes depend on another user's commands.
@Suite(.timeLimit(.minutes(5))) struct CommandOutcomeTests {
  /// The seconds since noon, the command, and its outcome.
  private typealias Step = (second: Int, said: String, outcome: String)

  private static let byHand: [[Step]] = [
    [
      (0, "in", "accepted t 1"), (1, "in", "unchanged t 1"), (2, "in 60", "accepted t 2"),
      (3, "in", "unchanged t 2"), (4, "in 30", "accepted t 3"), (5, "out", "accepted f 4"),
      (6, "out", "unchanged f 4"), (7, "in", "accepted t 5"),
    ],
    [(0, "out", "unchanged"), (0, "noticed out", "unchanged")],
    [
      (0, "in 0", "invalidInput"), (0, "in 604801", "invalidInput"),
      (0, "in 604800", "accepted t 1"),
    ],
  ]

  private static let noticed: [[Step]] = [
    [
      (0, "noticed in", "accepted t 1"), (1, "noticed in", "unchanged t 1"),
      (29, "noticed out", "throttled t 1"), (30, "noticed out", "accepted f 2"),
      (59, "noticed in", "throttled f 2"), (60, "noticed in", "accepted t 3"),
    ],
    // A manual command takes precedence until the check-out, and never waits.
    [
      (0, "in", "accepted t 1"), (100, "noticed out", "overridden t 1"),
      (100, "noticed in", "overridden t 1"), (101, "out", "accepted f 2"),
      (102, "noticed in", "accepted t 3"), (103, "out", "accepted f 4"),
      (104, "in", "accepted t 5"), (105, "noticed out", "overridden t 5"),
    ],
    // A manual command also takes precedence until the deadline, which is an automatic change.
    [
      (0, "in 60", "accepted t 1"), (59, "noticed out", "overridden t 1"),
      (60, "noticed in", "throttled f 2"), (90, "noticed in", "accepted t 3"),
      (95, "in", "accepted t 4"), (200, "noticed out", "overridden t 4"),
    ],
    // If a user has sent nothing for 12 hours, the user counts as gone since the last command.
    [
      (0, "noticed in", "accepted t 1"), (43_199, "noticed in", "unchanged t 1"),
      (86_398, "noticed in", "unchanged t 1"), (129_598, "noticed in", "throttled f 2"),
      (129_628, "noticed in", "accepted t 3"), (129_629, "in", "accepted t 4"),
      (300_000, "in", "unchanged t 4"),
    ],
  ]

  private static let claimed: [[Step]] = [
    [
      (0, "noticed nowhere", "implausible"), (0, "noticed far", "outside"), (0, "far", "outside"),
      (0, "coarse", "implausible"), (0, "old", "implausible"), (0, "ahead", "implausible"),
      (0, "edge", "accepted t 1"),
    ],
    // A distance of 11.1 km in 100 seconds is too fast, but not in 112 seconds. After a check-out,
    // no last place is stored.
    [
      (0, "noticed in", "accepted t 1"), (110, "there", "implausible"),
      (112, "there", "accepted t 1"),
    ],
    [
      (0, "noticed in", "accepted t 1"), (40, "out", "accepted f 2"), (41, "there", "accepted t 1"),
    ],
    // After a deadline, no last place is stored either, even if the job has not run.
    [(0, "in 10", "accepted t 1"), (10, "there", "accepted t 1"), (11, "in", "accepted t 3")],
    [
      (0, "edge", "accepted t 1"), (1, "0, null, null, null", "invalidInput"),
      (1, "'NaN', 0, 1, now()", "invalidInput"), (1, "0, 181, 1, now()", "invalidInput"),
      (1, "0, 0, -1, now()", "invalidInput"), (1, "0, 0, 'infinity', now()", "invalidInput"),
      (1, "0, 0, 1, 'infinity'", "invalidInput"),
    ],
  ]

  /// The degrees, metres and times of the places above.
  private static let places = [
    "nowhere": Places.nowhere, "far": "52.503, 13.4, 100, domain_now()",
    "edge": "52.5025, 13.4, 200, domain_now()", "coarse": "52.5, 13.4, 200.1, domain_now()",
    "old": "52.5, 13.4, 10, domain_now() - interval '121 s'",
    "ahead": "52.5, 13.4, 10, domain_now() + interval '121 s'",
    "there": "52.6, 13.4, 10, domain_now()",
  ]

  private func sql(_ said: String, of user: String, _ id: Int) -> String {
    let words = said.split(separator: " ").map(String.init)
    switch said {
    case "in": return Places.checkIn(user, id)
    case "out": return Places.checkOut(user, id)
    case "noticed in": return Places.noticed(user, id)
    case "noticed out": return Places.checkOut(user, id, by: "automatic")
    default:
      if words[0] == "in" {
        // A place is stored if the command contains one.
        let stay = Int(words[1])
        return Places.checkIn(user, id, stay: stay, at: stay == 10 ? Places.here : Places.nowhere)
      }
      let source = words[0] == "noticed" ? "automatic" : "manual"
      let place = words.last.flatMap { Self.places[$0] } ?? said
      return Places.checkIn(user, id, said == "there" ? "h" : "g", by: source, at: place)
    }
  }

  @Test(.sampled()) func `each rule, one after the other`() async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("boss")
      try await places.found("g", by: "boss", most: 100)
      try await places.call(
        "create_group('boss', 'h', 'H', \(Places.circle(52.6, 13.4)), 'UTC', true)")
      var id = 0
      for (number, steps) in (Self.byHand + Self.noticed + Self.claimed).enumerated() {
        let user = "u\(number)"
        try await places.accounts(user)
        for group in ["g", "h"] {
          try await places.call("join_public_group('\(user)', '\(group)')")
        }
        for step in steps {
          id += 1
          try await places.stand(step.second)
          let outcome = try await places.outcome(sql(step.said, of: user, id))
          #expect(outcome == step.outcome, "\(user), \(step)")
        }
      }
      #expect(try await places.broken() == [])
      // One place is stored, and none for absent users.
      #expect(
        try await places.sql("select count(*) from presence where not is_present and latitude <> 0")
          == ["0"])
    }
  }
}
