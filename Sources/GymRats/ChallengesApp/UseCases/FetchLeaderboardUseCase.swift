public import Challenges

/// Fetches a board from the server, or returns the cached board if the server cannot be reached.
public struct FetchLeaderboardUseCase: Sendable {
  /// A board that was fetched from the server or read from the cache.
  public struct Fetched: Hashable, Sendable {
    /// The board.
    public let snapshot: LeaderboardSnapshot
    /// Whether the snapshot comes from the cache.
    ///
    /// `snapshot.age` returns the snapshot's age.
    public let isKept: Bool
  }

  private let authentication: any AuthenticationRepository
  private let leaderboards: any LeaderboardRepository
  private let cache: SnapshotCache?

  /// Creates the use case with the repositories of one actor, and optionally with a cache of the
  /// actor's boards.
  public init(
    authentication: any AuthenticationRepository, leaderboards: any LeaderboardRepository,
    cache: SnapshotCache? = nil
  ) {
    self.authentication = authentication
    self.leaderboards = leaderboards
    self.cache = cache
  }

  /// Fetches a group's board.
  ///
  /// - Throws: The error that the server returns if it rejects the call, or `networkUnavailable` if
  ///   the server cannot be reached and no snapshot is cached.
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
      // A user who has lost access to the group must not see the group's cached boards.
      await cache?.forget(groupId: groupId)
      throw refusal
    }
  }
}

extension DomainError {
  /// Whether the error means that the actor may no longer read the group.
  var endsMembership: Bool {
    self == .groupNotFound || self == .notAMember
  }
}
