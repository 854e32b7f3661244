#if HTTP
  import Challenges
  import ChallengesPostgres
  import Foundation
  import ProductAPI

  extension GymRatsAPI {
    static let streamRoutes: [Route] = [
      // An access token or a cached user can outlive the account.
      .tickets(calls: ["get_user"]) { api, call in
        _ = try await api.repositories(call).users.getUser(call.user)
      },
      .stream(
        "/v1/groups/{group}/boards/{type}/stream",
        "Streams a board of the current week; each event contains the complete board.",
        calls: ["changed_boards", "running_boards", "refused_viewers"],
        values: ["type": .word(types)], event: .object(.snapshot)
      ) { api, call in
        let type = ChallengeType(rawValue: call.text("type")) ?? .checkIns
        let boards = api.streams.boardStream(
          of: call.text("group"), type, for: call.access.viewer)
        return SnapshotEvents(boards, after: call.lastEventID) { board, version, encoding in
          try .snapshot(
            id: version, own: OwnPart(board), shared: SharedPart(board), encoding,
            as: WireFormat.self)
        }
      },
      .stream(
        "/v1/notifications/badge/stream", "Streams the number of unread notifications.",
        calls: ["observed_badges"], event: .object(.badge)
      ) { api, call in
        let badges = api.streams.badgeStream(for: call.access.viewer)
        return SnapshotEvents(badges, after: call.lastEventID) { count, version, _ in
          APIEvent(id: version, json: #"{"count":\#(count)}"#)
        }
      },
    ]

    /// The fields of a board that depend on the viewer or on when the board is read.
    private struct OwnPart: Encodable {
      let currentUserEntry: LeaderboardEntry?
      let takenAt: Date

      init(_ board: LeaderboardSnapshot) {
        (currentUserEntry, takenAt) = (board.currentUserEntry, board.takenAt)
      }
    }

    /// The fields of a board that are the same for all viewers.
    private struct SharedPart: Encodable {
      let challenge: Challenge
      let entries: [LeaderboardEntry]
      let rankVersion: Int64

      init(_ board: LeaderboardSnapshot) {
        (challenge, entries, rankVersion) = (board.challenge, board.entries, board.rankVersion)
      }
    }
  }
#endif
