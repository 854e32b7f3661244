public import Challenges

/// Reads a board from the server, or its last stored snapshot if the server is not reached.
public struct FetchLeaderboardUseCase: Sendable {
  /// A board and where it comes from.
  public struct Fetched: Hashable, Sendable {
    /// The board.
    public let snapshot: LeaderboardSnapshot
    /// Whether the snapshot comes from the cache: `snapshot.age` says how old it is.
    public let isKept: Bool
  }

  private let authentication: any AuthenticationRepository
  private let leaderboards: any LeaderboardRepository
  private let cache: SnapshotCache?

  /// Over repositories of one actor, with or without a cache of theirs.
  public init(
    authentication: any AuthenticationRepository, leaderboards: any LeaderboardRepository,
    cache: SnapshotCache? = nil
  ) {
    self.authentication = authentication
    self.leaderboards = leaderboards
    self.cache = cache
  }

  /// Reads a board of a group.
  ///
  /// - Throws: the server's refusal, or `networkUnavailable` if the server is not reached and no snapshot is stored.
  public func execute(groupId: String, type: ChallengeType) async throws -> Fetched {
    do {
      guard try await authentication.currentUser() != nil else {
        throw DomainError.notAuthenticated
      }
      let snapshot = try await leaderboards.leaderboard(groupId: groupId, type: type)
      await cache?.keep(snapshot)
      return Fetched(snapshot: snapshot, isKept: false)
    } catch DomainError.networkUnavailable {
      guard let kept = await cache?.last(groupId: groupId, type: type) else {
        throw DomainError.networkUnavailable
      }
      return Fetched(snapshot: kept, isKept: true)
    } catch let refusal as DomainError where refusal.endsMembership {
      // A user who lost access to a board must not see its cached copy either.
      await cache?.forget(groupId: groupId)
      throw refusal
    }
  }
}

extension DomainError {
  /// Whether the error means that the actor may not see the group.
  var endsMembership: Bool {
    self == .groupNotFound || self == .notAMember
  }
}
