import BatonLive
package import Challenges
import Foundation
package import ProductPostgres

/// The board and badge streams for HTTP API clients.
struct ChallengeStreams: Sendable {
  let boards: StreamChannel<BoardFeed>
  let badges: StreamChannel<BadgeFeed>

  /// Creates the streams' channels on a hub.
  init(of hub: LiveHub) {
    boards = StreamChannel(BoardFeed(), of: hub, refusal: DomainError.notAuthenticated)
    badges = StreamChannel(BadgeFeed(), of: hub, refusal: DomainError.notAuthenticated)
  }
}

extension BoardFeed: StreamableFeed {
  typealias Value = LeaderboardSnapshot
  typealias Failure = DomainError

  func text(of version: Version) -> String {
    let board = version.board.uuidString.lowercased()
    return "\(board)_\(version.week)_\(version.rankVersion)_\(version.membersMark)"
  }
}

extension ChallengesDatabase {
  /// Opens a stream of a group's current board.
  package func boardStream(
    of groupId: String, _ type: ChallengeType, for viewer: StreamViewer
  ) -> LiveStream<LeaderboardSnapshot> {
    // PostgreSQL does not accept a string that contains a NUL byte. All streams share one
    // statement, so one NUL byte would make it fail for all of them.
    guard !groupId.utf8.contains(0) else { return .refused(DomainError.invalidInput) }
    return streams.boards.open(
      BoardFeed.Topic(group: ExactText(groupId), type: type), as: viewer)
  }

  /// Opens a stream of the viewer's unread notification count.
  package func badgeStream(for viewer: StreamViewer) -> LiveStream<Int> {
    streams.badges.open(viewer.user, as: viewer)
  }
}
