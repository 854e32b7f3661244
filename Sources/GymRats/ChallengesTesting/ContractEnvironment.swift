public import Challenges
public import Foundation
import ProductKit

/// A server as the contract's checks need it: one of memory, or a real one with a clock that can be set.
///
/// Each check gets one of its own, without users and groups.
public protocol ContractEnvironment: Sendable {
  /// Makes an account, as signing in does.
  func addUser(_ id: String, displayName: String) async throws

  /// The repositories of one actor; nil: of a phone on which no user is signed in.
  func repositories(for actor: String?) async throws -> ActorRepositories

  /// What the server itself may do.
  var server: any ServerRepository { get }

  /// Domain time.
  func now() async throws -> Date

  /// Moves domain time, forward.
  func moveClock(to time: Date) async throws

  /// Waits until all that was written can be seen: boards are ranked, streams told.
  func settle() async throws
}

/// A server of memory, for the contract.
public struct InMemoryEnvironment: ContractEnvironment {
  /// The server.
  public let challenges: InMemoryChallenges
  private let clock: ManualClock

  /// An empty server, whose clock stands at an instant.
  public init(at time: Date, settings: InMemoryChallenges.Settings = .init()) {
    let clock = ManualClock(at: time)
    self.clock = clock
    challenges = InMemoryChallenges(settings: settings) { clock.now }
  }

  /// Makes an account.
  public func addUser(_ id: String, displayName: String) async throws {
    await challenges.addUser(id, displayName: displayName)
  }

  /// The repositories of one actor.
  public func repositories(for actor: String?) async throws -> ActorRepositories {
    challenges.repositories(for: actor)
  }

  /// What the server itself may do.
  public var server: any ServerRepository { challenges.serverRepository }

  /// Where the clock stands.
  public func now() async throws -> Date { clock.now }

  /// Moves the clock.
  public func moveClock(to time: Date) async throws {
    clock.move(to: time)
    await challenges.refresh()
  }

  /// Everything is seen at once here.
  public func settle() async throws { await challenges.refresh() }
}

/// One promise of the repositories, which every implementation has to keep.
public struct ContractCheck: Sendable, CustomStringConvertible {
  /// The promise, as a sentence.
  public let description: String
  private let body: @Sendable (Contract) async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (Contract) async throws -> Void) {
    self.description = description
    self.body = body
  }

  /// Tries it.
  ///
  /// - Throws: `ContractFailure`, or what a repository threw where it should not have.
  public func run(in environment: any ContractEnvironment) async throws {
    try await body(Contract(environment: environment))
  }
}

/// A promise that was not kept.
public struct ContractFailure: Error, CustomStringConvertible {
  /// What was expected, and where that stands.
  public let description: String
}

/// What a check says things with.
struct Contract: Sendable {
  let environment: any ContractEnvironment

  func expect(
    _ condition: Bool, _ what: String, file: String = #fileID, line: Int = #line
  ) throws {
    guard !condition else { return }
    throw ContractFailure(description: "\(file):\(line): \(what)")
  }

  func expect<Value: Equatable>(
    _ value: Value, is expected: Value, file: String = #fileID, line: Int = #line
  ) throws {
    try expect(value == expected, "\(value) instead of \(expected)", file: file, line: line)
  }

  /// Expects one of some refusals; which group `alreadyInGroup` names counts.
  func expectRefusal(
    _ errors: DomainError..., file: String = #fileID, line: Int = #line,
    of call: () async throws -> Void
  ) async throws {
    do {
      try await call()
    } catch let error as DomainError {
      return try expect(
        errors.contains(error), "\(error) instead of \(errors)", file: file, line: line)
    }
    try expect(false, "no error instead of \(errors)", file: file, line: line)
  }

  func user(_ id: String) async throws -> ActorRepositories {
    try await environment.addUser(id, displayName: id.capitalized)
    return try await environment.repositories(for: id)
  }

  /// A group of users with these ids; the first one made it.
  func group(
    _ ids: String..., id: String = "5b0f7a3e-0000-4000-8000-000000000001"
  ) async throws -> (group: Group, members: [ActorRepositories]) {
    var members: [ActorRepositories] = []
    for id in ids { members.append(try await user(id)) }
    let group = try await members[0].groups.createGroup(id: id, name: "Gym", ownerId: ids[0])
    for member in members.dropFirst() {
      let invite = try await members[0].invites.createInvite(groupId: group.id)
      _ = try await member.invites.joinGroup(invite.code)
    }
    return (group, members)
  }

  /// Records a workout a moment ago.
  @discardableResult
  func record(
    _ id: String, by member: ActorRepositories, at instant: Date? = nil, revision: Int = 0
  ) async throws -> WorkoutAnswer {
    let now = try await environment.now()
    return try await member.workouts.recordWorkout(
      WorkoutHistoryEntry(
        id: id, performedAt: instant ?? now, utcOffsetSeconds: 0, revision: revision))
  }

  /// `id value rank` of each entry of a board.
  func lines(
    of group: Group, _ type: ChallengeType, seenBy member: ActorRepositories
  ) async throws -> [String] {
    try await environment.settle()
    return try await member.leaderboards.leaderboard(groupId: group.id, type: type).entries
      .map { "\($0.id) \($0.value) \($0.rank)" }
  }

  /// A workout of this moment.
  func workout(_ id: String) async throws -> WorkoutHistoryEntry {
    WorkoutHistoryEntry(id: id, performedAt: try await environment.now(), utcOffsetSeconds: 0)
  }

  func version(of group: Group, seenBy member: ActorRepositories) async throws -> Int64 {
    try await member.leaderboards.leaderboard(groupId: group.id, type: .checkIns).rankVersion
  }

  func advance(by seconds: TimeInterval) async throws {
    try await environment.moveClock(
      to: try await environment.now().addingTimeInterval(seconds))
  }
}
