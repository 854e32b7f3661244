#if HTTP
  import Challenges
  import ChallengesPostgres
  import ProductAPI

  extension GymRatsAPI {
    static let boardRoutes = [
      Route(
        "GET", "/v1/groups/{group}/challenges", "Returns both challenges of the current week.",
        calls: ["current_week_challenges"], response: .list(.object(.challenge), most: 2)
      ) { api, call in
        try .entity(
          try await api.repositories(call).leaderboards.getCurrentWeekChallenges(
            groupId: call.text("group")))
      },
      Route(
        "GET", "/v1/groups/{group}/boards/{type}", "Returns a board of the current week.",
        calls: ["current_board", "leaderboard"], values: ["type": .word(types)],
        response: .object(.snapshot), isVersioned: true
      ) { api, call in
        let board = try await api.repositories(call).leaderboards.leaderboard(
          groupId: call.text("group"), type: ChallengeType(rawValue: call.text("type")) ?? .checkIns
        )
        return try .entity(board, version: try board.version(for: call.user))
      },
      Route(
        "GET", "/v1/challenges/{challenge}/entries", "Returns a board of any week.",
        calls: ["leaderboard"],
        response: .list(.object(.entry), most: LeaderboardSnapshot.mostEntries)
      ) { api, call in
        try .entity(
          try await api.repositories(call).leaderboards.entries(of: call.text("challenge")))
      },
      Route(
        "POST", "/v1/challenges/{challenge}/check-ins",
        "Records a workout now; calls with the same Idempotency-Key are counted once.",
        calls: ["increment_check_in"], key: .optional, response: .object(.answer)
      ) { api, call in
        try .entity(
          try await api.repositories(call).leaderboards.incrementCheckIn(
            challengeId: call.text("challenge"), userId: call.user, key: call.key))
      },
      Route(
        "PUT", "/v1/challenges/{challenge}/streak", "Sets the streak, if the server allows it.",
        calls: ["update_streak"], body: .streak, response: .object(.answer)
      ) { api, call in
        try .entity(
          try await api.repositories(call).leaderboards.updateStreak(
            challengeId: call.text("challenge"), userId: call.user,
            streakDays: try call.read(Days.self, as: Format.self).streakDays))
      },
    ]

    static let types = ChallengeType.allCases.map(\.rawValue)

    private struct Days: Decodable { let streakDays: Int }
  }
#endif
