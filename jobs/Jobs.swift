public import Challenges
public import JobCore

/// What the jobs of this folder work with: the domain's stores, in the work's transaction.
public struct JobContext: Sendable {
  /// The boards.
  public let leaderboards: any Leaderboards

  /// A context of these stores.
  public init(leaderboards: any Leaderboards) { self.leaderboards = leaderboards }
}

/// Every job of this folder: one file, one line here.
public enum Jobs {
  /// The jobs, in the order in which they are listed and looked at.
  public static let all: [any Job<JobContext>.Type] = [
    RecomputeRanks.self,
    ResyncBoards.self,
  ]
}
