#if HTTP
  import Presence
  import PresencePostgres
  import ProductAPI

  /// The routes for the caller's statistics and achievements.
  extension WhosThereAPI {
    static let ownRoutes = [
      Route(
        "GET", "/v1/me/stats", "Returns the user's statistics of visits and messages.",
        calls: ["get_stats"], response: .object(.stats)
      ) { api, call in try .entity(try await api.database.achievements(for: call.user).stats()) },
      Route(
        "GET", "/v1/me/achievements", "Returns the unlocked achievements, oldest first.",
        calls: ["earned_achievements"], response: .list(.object(.achievement), most: 100)
      ) { api, call in try .entity(try await api.database.achievements(for: call.user).earned()) },
      Route(
        "GET", "/v1/me/achievements/progress", "Returns the progress toward each achievement.",
        calls: ["achievement_progress"], response: .list(.object(.progress), most: 100)
      ) { api, call in
        try .entity(try await api.database.achievements(for: call.user).progress())
      },
      Route(
        "POST", "/v1/me/achievements/acknowledge",
        "Records that the app has shown achievements to the user.", calls: ["acknowledge"],
        body: .types
      ) { api, call in
        try await api.database.achievements(for: call.user).acknowledge(
          try call.read(Types.self, as: Format.self).types)
        return .done
      },
      Route(
        "GET", "/v1/me/watch", "Returns the groups that a watch shows.", calls: ["watch_groups"],
        response: .object(.watch)
      ) { api, call in try .entity(try await api.database.watch(for: call.user).payload()) },
    ]

    private struct Types: Decodable { let types: [AchievementType] }
  }
#endif
