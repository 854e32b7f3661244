#if HTTP
  import Challenges
  import ChallengesPostgres
  import Foundation
  import ProductAPI

  extension GymRatsAPI {
    static let accountRoutes = [
      Route(
        "POST", "/v1/sign-in",
        "Returns the user of the token, who is created at the first sign-in.",
        calls: ["upsert_user", "get_user"], access: .identity, body: .signIn,
        response: .object(.user)
      ) { api, call in try .entity(try await api.signIn(call)) },
      Route(
        "GET", "/v1/me", "Returns the user.", calls: ["get_user"], response: .object(.user)
      ) { api, call in
        guard let user = try await api.repositories(call).users.getUser(call.user) else {
          throw DomainError.notAuthenticated
        }
        return try .entity(user)
      },
      Route(
        "DELETE", "/v1/me", "Deletes the account.", calls: ["delete_account"]
      ) { api, call in
        try await api.repositories(call).users.deleteAccount(call.user)
        return .done
      },
      Route(
        "PUT", "/v1/me/profile",
        "Changes the name and the photo, which are shown to other members.",
        calls: ["update_profile"], body: .profile
      ) { api, call in
        let profile = try call.read(Profile.self, as: Format.self)
        try await api.member(call).updateProfile(
          displayName: profile.displayName, photoURL: profile.photoURL)
        return .done
      },
      Route(
        "PUT", "/v1/me/privacy", "Starts or stops sharing workouts.",
        calls: ["update_privacy_settings"], body: .privacy
      ) { api, call in
        try await api.repositories(call).users.updatePrivacySettings(
          userId: call.user, settings: try call.read(PrivacySettings.self, as: Format.self))
        return .done
      },
      Route(
        "PUT", "/v1/me/time-zone",
        "Changes the time zone that applies to workouts without a UTC offset.",
        calls: ["set_time_zone"], body: .timeZone
      ) { api, call in
        try await api.member(call).setTimeZone(try call.read(Zone.self, as: Format.self).timeZone)
        return .done
      },
      Route(
        "GET", "/v1/me/beta", "Returns whether beta features are enabled.", calls: ["is_beta"],
        response: .object(.beta)
      ) { api, call in
        try .entity(["isBeta": try await api.repositories(call).analytics.isBeta()])
      },
    ]

    private struct Profile: Decodable {
      let displayName: String
      let photoURL: String?
    }

    private struct Zone: Decodable { let timeZone: String }

    private struct SignIn: Decodable {
      let nonce: String?
      let displayName: String?
      let photoURL: String?
    }

    /// Returns a verified token's user, creating the user at the first sign-in.
    ///
    /// If the token contains a nonce, the request must contain the string whose SHA-256 hash is the
    /// nonce. If a token with a nonce is stolen, it alone is not sufficient to create an account.
    func signIn(_ call: APICall) async throws -> SocialUser {
      let request = try call.read(SignIn.self, as: Format.self)
      guard let identity = call.identity else { throw DomainError.notAuthenticated }
      try identity.check(nonce: request.nonce)
      let key = identity.key
      guard !identity.isUser else {
        guard
          let user = try await database.repositories(for: key.subject).users.getUser(key.subject)
        else { throw DomainError.notAuthenticated }
        return user
      }
      return try await accounts.signIn(
        key.provider, subject: key.subject,
        displayName: request.displayName ?? identity.name, email: identity.email,
        photoURL: request.photoURL)
    }
  }
#endif
