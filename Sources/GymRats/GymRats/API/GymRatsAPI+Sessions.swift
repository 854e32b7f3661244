#if HTTP
  import Challenges
  import ChallengesPostgres
  import Foundation
  import ProductAPI

  /// The routes for device sessions, for which the API itself issues the tokens.
  extension GymRatsAPI {
    static let sessionRoutes = [
      Route(
        "POST", "/v1/session",
        "Signs in with a provider's token, and returns the tokens of a new session of a device.",
        calls: ["upsert_user", "get_user", "begin_session"], access: .identity, body: .newSession,
        response: .object(.session)
      ) { api, call in
        guard let tokens = api.sessions else { throw APIRefusal.noSessions(at: "POST /v1/session") }
        let user = try await api.signIn(call)
        let session = try await api.devices.begin(
          of: user.id, on: try call.read(Device.self, as: Format.self).device)
        return try .entity(try await SessionAnswer(user, session, tokens))
      },
      Route(
        "POST", "/v1/session/refresh",
        "Renews a session's tokens; a refresh token replaced over a minute ago ends the session.",
        calls: ["refresh_session"], access: .open, body: .refresh, response: .object(.refreshed)
      ) { api, call in
        let place = "POST /v1/session/refresh"
        guard let tokens = api.sessions else { throw APIRefusal.noSessions(at: place) }
        let token = try call.read(Refresh.self, as: Format.self).refreshToken
        guard let session = try await api.devices.refresh(token) else {
          throw APIRefusal.notAuthenticated(
            "the session has ended", next: "Sign in again with POST /v1/session.", at: place)
        }
        return try .entity(try await SessionAnswer(nil, session, tokens))
      },
      Route(
        "DELETE", "/v1/session", "Ends the session of the request's access token.",
        calls: ["end_session"]
      ) { api, call in
        guard let session = call.session else {
          throw APIRefusal.noSession(at: "DELETE /v1/session")
        }
        try await api.devices.end(session.id, of: session.user)
        return .done
      },
      Route(
        "DELETE", "/v1/me/sessions", "Ends the user's sessions on all devices.",
        calls: ["end_sessions"], response: .object(.ended)
      ) { api, call in try .entity(["count": try await api.devices.endAll(of: call.user)]) },
    ]

    private struct Device: Decodable { let device: String }

    private struct Refresh: Decodable { let refreshToken: String }
  }

  /// A session's tokens.
  private struct SessionAnswer: Encodable {
    /// The signed-in user, or nil after a refresh.
    let user: SocialUser?
    let accessToken: String
    let accessExpiresAt: Date
    let refreshToken: String
    let expiresAt: Date

    init(
      _ user: SocialUser?, _ session: PostgresSessions.Session, _ tokens: SessionTokens
    ) async throws {
      let access = try await tokens.token(of: session.id, for: session.user)
      self.user = user
      (accessToken, accessExpiresAt) = (access.text, access.expiresAt)
      (refreshToken, expiresAt) = (session.token, session.expiresAt)
    }
  }
#endif
