#if HTTP
  import Foundation
  import Presence
  import PresencePostgres
  import ProductAPI

  extension WhosThereAPI {
    static let accountRoutes = [
      Route(
        "POST", "/v1/sign-in",
        "Returns the user and the token of a new session; the first sign-in creates the user.",
        calls: ["sign_in", "begin_session"], access: .open, body: .signIn,
        response: .object(.signedIn)
      ) { api, call in try .entity(try await api.signIn(call)) },
      Route(
        "POST", "/v1/me/link",
        "Links the anonymous user to an account; returns a token if the users are merged.",
        calls: ["link_account", "begin_session"], body: .link, response: .object(.linked)
      ) { api, call in try .entity(try await api.link(call)) },
      Route(
        "DELETE", "/v1/session", "Ends the session of the request's token.",
        calls: ["end_session"]
      ) { api, call in
        try await api.accounts.endSession(call.token ?? "")
        return .done
      },
      Route(
        "DELETE", "/v1/me/sessions", "Ends the user's sessions on all devices.",
        calls: ["end_sessions"], response: .object(.ended)
      ) { api, call in
        try .entity(["count": try await api.accounts.endSessions(of: call.user)])
      },
      Route(
        "GET", "/v1/me", "Returns the user.", calls: ["get_user"], response: .object(.user)
      ) { api, call in
        guard let user = try await api.database.users(for: call.user).getUser(call.user) else {
          throw AppError.notAuthenticated
        }
        return try .entity(user)
      },
      Route(
        "PUT", "/v1/me/profile",
        "Replaces the name and the photo, which members see, and the time zone.",
        calls: ["update_profile"], body: .profile, response: .object(.user)
      ) { api, call in
        let profile = try call.read(Profile.self, as: Format.self)
        return try .entity(
          try await api.database.users(for: call.user).updateUser(
            User(
              id: call.user, displayName: profile.displayName, photoURL: profile.photoURL,
              timeZone: profile.timeZone, createdAt: .distantPast)))
      },
      Route(
        "DELETE", "/v1/me", "Deletes the account.", calls: ["delete_account"]
      ) { api, call in
        try await api.database.users(for: call.user).deleteAccount()
        return .done
      },
      Route(
        "POST", "/v1/users/find",
        "Returns the names and photos of users who share a group with the user.",
        calls: ["get_users"], body: .ids, response: .list(.object(.visibleUser), most: 100)
      ) { api, call in
        let ids = try call.read(Ids.self, as: Format.self).ids
        let users = try await api.database.users(for: call.user).getUsers(ids)
        return try .entity(users.map { VisibleUser($0) })
      },
    ]

    private struct Profile: Decodable {
      let displayName: String
      let photoURL: URL?
      let timeZone: String?
    }

    private struct Ids: Decodable { let ids: [String] }

    /// The user data that other members see.
    private struct VisibleUser: Encodable {
      let id: String
      let displayName: String
      let photoURL: URL?
      let version: Int64

      init(_ user: User) {
        (id, displayName, photoURL, version) = (
          user.id, user.displayName, user.photoURL, user.version
        )
      }
    }
  }
#endif
