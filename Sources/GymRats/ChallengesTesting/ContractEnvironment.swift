public import Challenges
public import Foundation
import ProductKit

/// A server on which the contract checks run: an in-memory server, or a real server whose clock a
/// test can set.
///
/// Each check gets a new environment without users and groups.
public protocol ContractEnvironment: Sendable {
  /// Creates an account in the same way as a sign-in.
  func addUser(_ id: String, displayName: String) async throws

  /// Returns one actor's repositories.
  ///
  /// If the actor is nil, the method returns the repositories for a phone on which no user is
  /// signed in.
  func repositories(for actor: String?) async throws -> ActorRepositories

  /// The repository for the calls that only the server can make.
  var server: any ServerRepository { get }

  /// Returns the domain clock's current time.
  func now() async throws -> Date

  /// Moves the domain clock forward.
  func moveClock(to time: Date) async throws

  /// Waits until all ranks are up to date and all streams have delivered every change.
  func settle() async throws
}

/// An environment with an in-memory server.
public struct InMemoryEnvironment: ContractEnvironment {
  /// The in-memory server.
  public let challenges: InMemoryChallenges
  private let clock: ManualClock

  /// Creates an empty server whose clock starts at the given time.
  public init(at time: Date, settings: InMemoryChallenges.Settings = .init()) {
    let clock = ManualClock(at: time)
    self.clock = clock
    challenges = InMemoryChallenges(settings: settings) { clock.now }
  }

  /// Creates an account.
  public func addUser(_ id: String, displayName: String) async throws {
    await challenges.addUser(id, displayName: displayName)
  }

  /// Returns one actor's repositories.
  public func repositories(for actor: String?) async throws -> ActorRepositories {
    challenges.repositories(for: actor)
  }

  /// The repository for the calls that only the server can make.
  public var server: any ServerRepository { challenges.serverRepository }

  /// Returns the clock's current time.
  public func now() async throws -> Date { clock.now }

  /// Moves the clock.
  public func moveClock(to time: Date) async throws {
    clock.move(to: time)
    await challenges.refresh()
  }

  /// Refreshes the streams.
  ///
  /// In an in-memory server, changes are visible immediately, except in streams.
  public func settle() async throws { await challenges.refresh() }
}

/// A check of one rule that every repository implementation must follow.
public struct ContractCheck: Sendable, CustomStringConvertible {
  /// The rule as a sentence.
  public let description: String
  private let body: @Sendable (Contract) async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (Contract) async throws -> Void) {
    self.description = description
    self.body = body
  }

  /// Checks the rule.
  ///
  /// - Throws: `ContractFailure`, or an unexpected error from a repository.
  public func run(in environment: any ContractEnvironment) async throws {
    try await body(Contract(environment: environment))
  }
}

/// The error that a check throws if an implementation violates the check's rule.
public struct ContractFailure: Error, CustomStringConvertible {
  /// The source location of the failed expectation, with the expected result.
  public let description: String
}

/// The functions that a check uses to state its expectations, and the check's environment.
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

  /// Expects that a call is rejected with one of the given errors.
  ///
  /// Two `alreadyInGroup` errors are not equal if they name different groups.
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

  /// Creates users with the given ids, and a group that the first user creates and the other users
  /// join.
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

  /// Records a workout that was completed at the given time, by default the current time.
  @discardableResult
  func record(
    _ id: String, by member: ActorRepositories, at instant: Date? = nil, revision: Int = 0
  ) async throws -> WorkoutAnswer {
    let now = try await environment.now()
    return try await member.workouts.recordWorkout(
      WorkoutHistoryEntry(
        id: id, performedAt: instant ?? now, utcOffsetSeconds: 0, revision: revision))
  }

  /// Returns the string `id value rank` for each entry of a board.
  func lines(
    of group: Group, _ type: ChallengeType, seenBy member: ActorRepositories
  ) async throws -> [String] {
    try await environment.settle()
    return try await member.leaderboards.leaderboard(groupId: group.id, type: type).entries
      .map { "\($0.id) \($0.value) \($0.rank)" }
  }

  /// Returns a workout that was completed at the current time.
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
