import Foundation
import Presence
import PresenceTesting
import TestSupport
import Testing

/// Tests random commands at random times: PostgreSQL and the in-memory server give the same
/// answers, regardless of when jobs run.
@Suite(.timeLimit(.minutes(20))) struct PresenceAgreementTests {
  private static let users = ["ann", "bob", "cid"]
  private static let groups = ["g", "h"]
  private static let park = try? Coordinate(latitude: 52.5, longitude: 13.4)

  /// One of the possible next steps.
  private enum Step {
    case send(String, PresenceCommand)
    case leave(String, String)
    case join(String, String)
    case look
  }

  private static func step(
    _ random: inout SeededGenerator, at now: Date, _ sent: inout [PresenceCommand]
  ) throws -> Step {
    let user = users.randomElement(using: &random) ?? "ann"
    let group = groups.randomElement(using: &random) ?? "g"
    switch Int.random(in: 0..<40, using: &random) {
    case 0 where user != "ann": return .leave(user, group)
    case 0, 1: return .join(user, group)
    case 2, 3: return .look
    // A lost response: any user's command is sent again.
    case 4...6:
      // Commands from 30 days ago are purged. Only the server knows when.
      sent.removeAll { $0.at < now - 29 * 86_400 }
      if let old = sent.randomElement(using: &random) { return .send(user, old) }
      return .look
    default:
      let isIn = Bool.random(using: &random)
      let stay: Int? = [nil, nil, 5, 60, 3_600, 40_000].randomElement(using: &random) ?? nil
      let command = try PresenceCommand(
        id: UUID(), groupId: group, action: isIn ? .checkIn : .checkOut,
        source: Bool.random(using: &random) ? .manual : .automatic, at: now,
        position: try position(&random, at: now), stay: isIn ? stay : nil)
      sent.append(command)
      return .send(user, command)
    }
  }

  /// Returns a position in the circle, near it, a town away or farther, or no position.
  private static func position(
    _ random: inout SeededGenerator, at now: Date
  ) throws -> ClaimedPosition? {
    let offsets: [Double?] = [nil, 0, 50, 180, 500, 9_000]
    guard let metres = offsets.randomElement(using: &random) ?? nil,
      let park
    else { return nil }
    return try ClaimedPosition(
      coordinate: Coordinate(latitude: park.latitude + metres / 111_195, longitude: 13.4),
      accuracy: [5, 100, 200, 201].randomElement(using: &random) ?? 5,
      at: now.addingTimeInterval(
        [0, -60, -120, -121, 120, 121].randomElement(using: &random) ?? 0))
  }

  private static func take(_ step: Step, in server: any PresenceEnvironment) async throws -> String
  {
    let result = await AppResult<String>.calling {
      switch step {
      case .send(let user, let command):
        return "\(try await server.presences(for: user).send(command))"
      case .leave(let user, let group):
        try await server.groups(for: user).leaveGroup(group)
        return "left"
      case .join(let user, let group):
        return try await server.groups(for: user).joinPublicGroup(group).id
      case .look: return try await look(at: server)
      }
    }
    switch result {
    case .success(let text): return text
    case .failure(let error): return error.code
    }
  }

  /// Returns everything that a user can see.
  private static func look(at server: any PresenceEnvironment) async throws -> String {
    try await server.settle()
    var lines: [String] = []
    for user in users {
      for group in groups {
        let snapshot = await AppResult<PresenceSnapshot>.calling {
          try await server.presences(for: user).presences(of: group)
        }
        guard case .success(let it) = snapshot else { continue }
        lines.append("\(it.presences) \(String(describing: it.own)) \(it.summary.presentCount)")
        lines.append("\(it.summary.latest) \(it.summary.firstToday ?? "nobody")")
      }
      let achievements = try await server.achievements(for: user)
      lines.append("\(try await achievements.stats())")
      lines.append("\(try await achievements.earned().map(\.type.rawValue).sorted())")
      lines.append("\(try await server.watch(for: user).payload())")
    }
    return lines.joined(separator: "\n")
  }

  @Test(.sampled()) func `PostgreSQL and memory say the same of any commands`() async throws {
    let randomness = Randomness()
    var random = randomness.generator
    let memory = InMemoryPlaces(at: PresenceContract.beginning)
    try await PostgresEnvironment.with { server in
      for environment in [memory, server] as [any PresenceEnvironment] {
        for user in Self.users {
          try await environment.addUser(user)
          let groups = try await environment.groups(for: user)
          for group in Self.groups {
            guard user == "ann", let park = Self.park else {
              _ = try await groups.joinPublicGroup(group)
              continue
            }
            _ = try await groups.createGroup(
              id: group, name: group, shape: .circle(center: park, radius: 100), isPublic: true,
              timeZone: group == "g" ? "Europe/Berlin" : "Pacific/Auckland")
          }
        }
      }
      var now = PresenceContract.beginning
      var sent: [PresenceCommand] = []
      for number in 0..<(TestSize.isFull ? 3_000 : 200) {
        let pause = [0, 1, 10, 20, 30, 31, 300, 3_600, 20_000, 50_000].randomElement(using: &random)
        now += TimeInterval(pause ?? 0)
        let step = try Self.step(&random, at: now, &sent)
        try await memory.moveClock(to: now)
        try await server.moveClock(to: now)
        let (said, expected) = (
          try await Self.take(step, in: server), try await Self.take(step, in: memory)
        )
        guard said == expected else {
          Issue.record("\(randomness), step \(number), \(step): \(said) instead of \(expected)")
          return
        }
      }
      // After 30 days, the retention job deletes visits, and the users' numbers remain. Only full
      // runs simulate more than 30 days. The next expectation compares the numbers.
      let broken = try await server.places.broken().filter {
        !TestSize.isFull || !$0.hasPrefix("numbers of ")
      }
      #expect(broken == [], "\(randomness)")
      #expect(try await Self.look(at: server) == Self.look(at: memory), "\(randomness)")
    }
  }
}
