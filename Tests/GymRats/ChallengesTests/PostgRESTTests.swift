import BatonPostgres
import ChallengesPostgres
import Foundation
import TestSupport
import Testing

/// Tests requests of PostgREST 12, which Supabase also uses.
///
/// The functions are called without changes by the roles `anon` and `authenticated`, which are
/// members of the schema's roles.
@Suite(.timeLimit(.minutes(5))) struct PostgRESTTests {
  /// The role of a token, and its claims.
  private struct Token {
    let role, claims: String

    static let none = Token(role: "anon", claims: "{\"role\":\"anon\"}")

    static func of(_ user: String) -> Token {
      Token(
        role: "authenticated",
        claims: """
          {"aud":"authenticated","exp":1924988400,"iat":1924984800,"role":"authenticated",\
          "session_id":"6b1f0b1e-0f0a-4c5e-8a53-1a4a3f1ab4ad","sub":"\(user)"}
          """)
    }
  }

  private struct Place {
    let gym: RoleGym
    let login: Connection

    /// Sends one request for a function, as a transaction of several statements.
    ///
    /// - Returns: the body of the response.
    func post(_ function: String, _ arguments: String, as token: Token) async throws -> String {
      try await login.script(
        Statement("postgrest/begin", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"))
      do {
        let body = try await request(function, arguments, as: token)
        try await login.script(Statement("postgrest/commit", "COMMIT"))
        return body
      } catch {
        try await login.script(Statement("postgrest/rollback", "ABORT"))
        throw error
      }
    }

    private func request(
      _ function: String, _ arguments: String, as token: Token
    ) async throws -> String {
      try await login.run(
        .run(
          Statement(
            "postgrest/settings",
            """
            select set_config('search_path', $1, true), set_config('role', $2, true), \
            set_config('request.jwt.claims', $3, true), set_config('request.method', $4, true), \
            set_config('request.path', $5, true), set_config('request.headers', $6, true), \
            set_config('request.cookies', $7, true)
            """),
          "\"\(gym.schema)\", \"public\"", token.role, token.claims, "POST", "/rpc/\(function)",
          "{\"accept\":\"*/*\",\"host\":\"localhost:3000\",\"user-agent\":\"curl/8.5.0\"}", "{}"))
      let names = try await names(of: arguments)
      let columns = names.map { "\"\($0)\" text" }.joined(separator: ", ")
      let given = names.map { "\"\($0)\" := pgrst_body.\"\($0)\"" }.joined(separator: ", ")
      return try await login.run(
        .row(
          Statement(
            "postgrest/rpc",
            """
            WITH pgrst_source AS (SELECT * FROM (SELECT $1::json AS json_data) pgrst_payload, \
            LATERAL (SELECT \(names.map { "\"\($0)\"" }.joined(separator: ", ")) \
            FROM json_to_record(pgrst_payload.json_data) AS _(\(columns)) LIMIT 1) pgrst_body , \
            LATERAL "\(gym.schema)"."\(function)"(\(given)) pgrst_call) \
            SELECT null::bigint AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total, \
            coalesce(json_agg(_postgrest_t), '[]')::character varying AS body, \
            nullif(current_setting('response.headers', true), '') AS response_headers, \
            nullif(current_setting('response.status', true), '') AS response_status \
            FROM (SELECT "pgrst_source".* FROM "pgrst_source") _postgrest_t
            """), arguments
        ) { (row) throws(PostgresError) in
          try row.decode(Int64?.self, Int64.self, String.self, String?.self, String?.self).2
        })
    }

    private func names(of arguments: String) async throws -> [String] {
      let object = try JSONSerialization.jsonObject(with: Data(arguments.utf8))
      return try #require(object as? [String: Any]).keys.sorted()
    }
  }

  /// PostgREST's roles have these names in the whole cluster, so they are created once.
  private static let roles = Task {
    let gym = try await RoleGym.made(signed: false)
    try await RoleServer.administer(
      "create role anon nologin in role \(gym.role("anon"))",
      "create role authenticated nologin in role \(gym.role("user"))",
      "create role authenticator login noinherit in role anon, authenticated")
  }

  private func with(_ body: (Place) async throws -> Void) async throws {
    try await Self.roles.value
    let gym = try await RoleGym.made(signed: false)
    let place = Place(gym: gym, login: try await RoleServer.connect(as: "authenticator"))
    let result: Result<Void, any Error>
    do { result = .success(try await body(place)) } catch { result = .failure(error) }
    await place.login.close()
    try result.get()
  }

  private func expectRefused(
    _ place: Place, _ function: String, _ arguments: String, as token: Token
  ) async throws {
    let error = await #expect(throws: PostgresError.self, "\(function) \(arguments)") {
      try await place.post(function, arguments, as: token)
    }
    #expect(error?.sqlState.code == "ZG001" && error?.constraint == "notAuthenticated")
  }

  @Test func `a user's request is answered to the user of its token, and to nobody else`()
    async throws
  {
    try await with { place in
      let own = try await place.post("get_user", "{\"actor\": \"ann\"}", as: .of("ann"))
      #expect(own.contains("\"id\":\"ann\"") && own.contains("\"current_group_id\":\"g\""))
      let members = try await place.post(
        "get_members", "{\"actor\": \"ben\", \"group_id\": \"g\"}", as: .of("ben"))
      #expect(members.contains("\"ann\"") && members.contains("\"ben\""))
      let workout = "{\"user_id\": \"ben\", \"workout_id\": \"from-postgrest\"}"
      #expect(
        try await place.post("record_workout", workout, as: .of("ben"))
          .contains("\"outcome\":\"accepted\""))
      for token in [Token.of("cem"), .of(""), .of("ann'"), .none] {
        try await expectRefused(place, "get_user", "{\"actor\": \"ann\"}", as: token)
        try await expectRefused(place, "record_workout", workout, as: token)
      }
    }
  }

  @Test func `a request leaves nothing to the next one on its connection`() async throws {
    try await with { place in
      _ = try await place.post("get_user", "{\"actor\": \"ann\"}", as: .of("ann"))
      try await expectRefused(place, "get_user", "{\"actor\": \"ann\"}", as: .of("ben"))
      // Without a token, the setting of the previous transaction reads as ''.
      try await expectRefused(
        place, "get_user", "{\"actor\": \"ann\"}", as: Token(role: "authenticated", claims: ""))
      #expect(
        try await place.login.sql(
          "select current_setting('role') || current_setting('request.jwt.claims', true)",
          in: place.gym.schema) == ["none"])
    }
  }
}
