import BatonIdentity
import BatonPostgres
import ChallengesSQL
import TestSupport
import Testing

/// Tests in whose name the functions of the API can be called in a schema with roles.
@Suite(.timeLimit(.minutes(5))) struct ClaimedCallTests {
  /// A call of a function that succeeds for its actor, or is refused with another error.
  private struct Case {
    let actor, call: String
    var ends = "done"

    var function: String { String(call.prefix { $0 != "(" }) }

    /// The statement that PREFIX_user sends.
    ///
    /// `$` is replaced by the actor.
    var statement: String { "select * from \(call.replacing("$", with: "'\(actor)'"))" }
  }

  private static func cases(_ gym: RoleGym) -> [Case] {
    [
      Case(actor: "ann", call: "get_user($)"), Case(actor: "cem", call: "delete_account($)"),
      Case(actor: "cem", call: "create_group($, 'h', 'Home')"),
      Case(actor: "ben", call: "get_group($, 'g')"),
      Case(actor: "ben", call: "get_members($, 'g')"),
      Case(actor: "ben", call: "current_week_challenges($, 'g')"),
      Case(actor: "ben", call: "current_board($, 'g', 'streak')"),
      Case(actor: "ben", call: "leave_group($, 'g')"),
      Case(actor: "ann", call: "remove_member($, 'g', 'ben')"),
      Case(actor: "ann", call: "promote($, 'g', 'ben')"),
      Case(actor: "ann", call: "update_group($, 'g', 'Club')"),
      Case(actor: "ann", call: "delete_group($, 'g')"),
      Case(actor: "ben", call: "mute_group($, 'g', true)"),
      Case(actor: "ben", call: "leaderboard($, '\(gym.checkIns)')"),
      Case(actor: "ben", call: "create_invite($, 'g')"),
      Case(actor: "ben", call: "list_invites($, 'g')"),
      Case(actor: "ann", call: "revoke_invite($, '\(gym.invite)')"),
      Case(actor: "cem", call: "preview_invite($, '\(gym.token)')"),
      Case(actor: "cem", call: "join_group($, '\(gym.token)')"),
      Case(actor: "ann", call: "notifications($)"), Case(actor: "ann", call: "badge($)"),
      Case(actor: "ann", call: "mark_read($, '{1}')"),
      Case(actor: "ben", call: "record_workout($, 'w')"),
      Case(actor: "ann", call: "delete_workout($, 'w1')"),
      Case(actor: "ben", call: "increment_check_in($, '\(gym.checkIns)', 'tap')"),
      Case(actor: "ann", call: "increment_check_in($, '\(gym.checkIns)', 'w1')"),
      Case(actor: "ben", call: "update_streak($, '\(gym.streak)', 2)", ends: "ZG014"),
      Case(actor: "ann", call: "update_profile($, 'Anna', null)"),
      Case(actor: "ann", call: "update_privacy_settings($, false)"),
      Case(actor: "ann", call: "set_time_zone($, 'Europe/Oslo')"),
      Case(actor: "ann", call: "report_client_event($, gen_random_uuid(), 'link_failed')"),
      Case(actor: "ann", call: "is_beta($)"),
      Case(actor: "ann", call: "block_user($, 'ben')"),
      Case(actor: "ann", call: "unblock_user($, 'ben')"),
      Case(actor: "ann", call: "blocked_users($)"), Case(actor: "ann", call: "export_my_data($)"),
      Case(actor: "ann", call: "report_user($, gen_random_uuid(), 'g', 'ben', 'spam')"),
      Case(actor: "ann", call: "block_user($, null)", ends: "ZG012"),
      Case(actor: "ann", call: "hold_session($, null)"),
      Case(actor: "ann", call: "register_push_device($, 'fcm', 'token')"),
      Case(actor: "ann", call: "push_devices($)"), Case(actor: "ann", call: "push_settings($)"),
      Case(actor: "ann", call: "set_push_settings($, '{}')"),
      Case(actor: "ann", call: "remove_push_device($, 1)"),
      // A caller who calls for another user learns of no other error in the call.
      Case(actor: "ann", call: "record_workout($, null)", ends: "ZB002"),
      Case(actor: "ann", call: "mute_group($, 'g', null)", ends: "ZG012"),
      Case(actor: "ann", call: "set_time_zone($, 'Mars/Olympus')", ends: "ZB003"),
      Case(actor: "ann", call: "report_client_event($, null, 'x')", ends: "ZG012"),
    ]
  }

  /// Checks for one caller how each of the calls ends.
  private func expect(
    _ gym: RoleGym, as identity: Identity, on connection: Connection, _ who: String,
    ends: (Case) -> String
  ) async throws {
    let cases = Self.cases(gym)
    let ended = try await gym.tried(cases.map(\.statement), as: identity, on: connection)
    #expect(ended.count == cases.count)
    for (one, state) in zip(cases, ended) {
      #expect(state == ends(one), "\(who): \(one.statement)")
    }
  }

  @Test(arguments: [false, true])
  func `every function with an actor is for the user of the claim alone`(
    signed: Bool
  ) async throws {
    let gym = try await RoleGym.made(signed: signed)
    try await gym.with { login in
      for user in ["ann", "ben", "cem", "Ann", "ann ", ""] {
        try await expect(gym, as: gym.user(user), on: login, user) {
          $0.actor == user ? $0.ends : "ZG001"
        }
      }
      for kind in ["user", "anon"] {
        let none = Identity(role: gym.role(kind)) { _ in .none }
        try await expect(gym, as: none, on: login, "\(kind) without a claim") { _ in "ZG001" }
        try await expect(
          gym, as: gym.identity(kind, claim: "ann"), on: login, "\(kind) with a claim that is none"
        ) { _ in "ZG001" }
      }
    }
  }

  @Test func `no function with an actor is left out, and no user has the others`() async throws {
    let gym = try await RoleGym.made(signed: false)
    let called = Set(Self.cases(gym).map(\.function))
    try await gym.with { login in
      let named = try await login.sql(
        """
        select proname from pg_proc f
        where pronamespace = '\(gym.schema)'::regnamespace
          and has_function_privilege('\(gym.role("user"))', f.oid, 'execute')
        """, in: gym.schema)
      #expect(named.count == Set(named).count)
      // The functions that policies call have no actor.
      let ofPolicies = ["current_actor", "actor_group", "domain_now", "notification_lifetime"]
      #expect(Set(named).subtracting(ofPolicies) == called)
    }
    #expect(called == Set(RoleGym.ofActors))
    #expect(RoleGym.ofServers.isSubset(of: SQL.challenges.api))
    let calls = RoleGym.ofServers.sorted().map { name in
      let call =
        switch name {
        case "upsert_user", "find_user": "\(name)('apple', 'ann')"
        case "begin_session": "begin_session('ann', 'Phone')"
        case "end_session": "end_session('ann', null)"
        case "refresh_session", "end_sessions": "\(name)('ann')"
        case "changed_boards": "changed_boards('{}', '{}', '{}', current_date)"
        case "running_boards", "refused_viewers": "\(name)('{}', '{}')"
        case "observed_badges": "observed_badges('{}')"
        case "create_stream_ticket": "create_stream_ticket('', '')"
        case "redeem_stream_ticket": "redeem_stream_ticket('')"
        case "observe": "observe('boards')"
        default: "\(name)()"
        }
      return "select * from \(call)"
    }
    try await gym.with { login in
      for identity in [gym.user("ann"), .nobody(role: gym.role("anon"))] {
        let ended = try await gym.tried(calls, as: identity, on: login)
        #expect(ended == Array(repeating: "42501", count: RoleGym.ofServers.count))
      }
    }
  }

  @Test(arguments: [false, true])
  func `a trusted server, a worker, an operator and the owner speak for everybody`(
    signed: Bool
  ) async throws {
    let gym = try await RoleGym.made(signed: signed)
    let superuser = try await RoleServer.connect()
    for kind in ["api", "worker", "operator", "owner"] {
      for claim in ["", "ben"] {
        try await expect(
          gym, as: gym.identity(kind, claim: claim), on: superuser, kind
        ) { $0.ends }
      }
    }
    // The rights of the caller do not count. Only the claimed user counts.
    let none = Identity(role: gym.role("user")) { _ in .none }
    try await expect(gym, as: none, on: superuser, "superuser as user") { _ in "ZG001" }
    try await expect(gym, as: gym.user("ben"), on: superuser, "superuser as Ben") {
      $0.actor == "ben" ? $0.ends : "ZG001"
    }
    await superuser.close()
  }

  @Test func `a role that is a member of one of ours is what that is`() async throws {
    let gym = try await RoleGym.made(signed: false)
    let name = gym.role("member")
    try await RoleServer.administer(
      ["people", "service"].map { "create role \(name)_\($0) nologin" }.joined(separator: ";"),
      "grant \(gym.role("user")) to \(name)_people; grant \(gym.role("api")) to \(name)_service",
      "create role \(name) login noinherit in role \(name)_people, \(name)_service")
    let login = try await RoleServer.connect(as: name)
    let people = Identity.user("ben", role: "\(name)_people")
    try await expect(gym, as: people, on: login, "people") {
      $0.actor == "ben" ? $0.ends : "ZG001"
    }
    try await expect(gym, as: .nobody(role: "\(name)_service"), on: login, "service") { $0.ends }
    // The login may become both roles, and has the rights of neither.
    let ended = try await gym.tried(
      ["select \(gym.schema).get_user('ben')"], as: .nobody(role: name), on: login)
    #expect(ended == ["42501"])
    await login.close()
  }
}
