import BatonIdentity
import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests which texts count as a claim.
@Suite(.timeLimit(.minutes(5))) struct ClaimTests {
  // MARK: Unsigned

  @Test func `the subject of the claims is the actor, and invalid claims mean anonymous`()
    async throws
  {
    let gym = try await RoleGym.made(signed: false)
    let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    let claims: KeyValuePairs<String, String?> = [
      "{\"sub\": \"ann\"}": "ann",
      "{\"role\":\"authenticated\",\"sub\":\"ann\",\"aud\":[\"a\"],\"exp\":1}": "ann",
      "{\"sub\": \"b\\u00e9 \\\"x\\\"\"}": "bé \"x\"",
      // The last value counts, as in the JSON that PostgREST has parsed.
      "{\"sub\": \"ben\", \"sub\": \"ann\"}": "ann",
      "{\"sub\": \"\"}": nil, "{\"sub\": null}": nil, "{\"sub\": 7}": nil,
      "{\"sub\": {\"sub\": \"ann\"}}": nil, "{\"sub\": [\"ann\"]}": nil, "{}": nil,
      "[{\"sub\": \"ann\"}]": nil, "\"ann\"": nil, "null": nil, "": nil, " ": nil, "ann": nil,
      "{\"sub\": \"ann\"": nil, "{'sub': 'ann'}": nil, "{\"sub\": \"a\\u0000nn\"}": nil,
      "{\"Sub\": \"ann\"}": nil, deep: nil,
      "{\"sub\": \"ann\", \"x\": \"\(String(repeating: "x", count: 70_000))\"}": nil,
    ]
    try await gym.with { login in
      for (claim, actor) in claims {
        try await gym.expect(
          actor, as: gym.identity(claim: claim), on: login, "\(claim.prefix(60))")
      }
      try await gym.expect("ann", as: gym.user("ann"), on: login)
      // Without a key, signed claims do not count.
      let signer = try #require(IdentitySigner(keyID: 1, key: String(repeating: "ab", count: 32)))
      let signed = Identity.user("ann", role: gym.role("user"), signer: signer)
      try await gym.expect(nil, as: signed, on: login)
    }
  }

  @Test func `a transaction without a claim is anonymous, before and after one with a claim`()
    async throws
  {
    for signed in [false, true] {
      let gym = try await RoleGym.made(signed: signed)
      try await gym.with { login in
        let none = Identity(role: gym.role("user")) { _ in .none }
        try await gym.expect(nil, as: none, on: login)
        try await gym.expect("ann", as: gym.user("ann"), on: login)
        let left = try await login.sql(
          """
          select concat_ws('/', current_setting('role'),
            coalesce(current_setting('baton.claim', true), 'null'),
            coalesce(current_setting('request.jwt.claims', true), 'null'))
          """, in: gym.schema)
        #expect(left == ["none//"])
        try await gym.expect(nil, as: none, on: login)
      }
    }
  }

  // MARK: Signed

  @Test func `a signed claim is its user, whatever is in the id`() async throws {
    let gym = try await RoleGym.made(signed: true)
    try await gym.with { login in
      let ids = [
        "ann", "1.2.3", "a.b", "Ä 🏋️", "'; drop table users; --", "a\u{1}b", "{\"sub\": \"ben\"}",
        String(repeating: "x", count: 256),
      ]
      for id in ids { try await gym.expect(id, as: gym.user(id), on: login) }
      let tooLong = String(repeating: "x", count: 500)
      try await gym.expect(nil, as: gym.user(tooLong), on: login)
      try await gym.expect(nil, as: gym.user(""), on: login)
      // The other kind of claim no longer counts.
      let unsigned = Identity.user("ann", role: gym.role("user"))
      try await gym.expect(nil, as: unsigned, on: login)
    }
  }

  @Test func `what was altered anywhere, or was never signed, is nobody`() async throws {
    let gym = try await RoleGym.made(signed: true)
    let signer = try #require(gym.signer)
    let claim = signer.claim(for: "ann")
    var forged = claim.indices.map { index in
      let other: Character = claim[index] == "1" ? "2" : "1"
      return claim.replacingCharacters(in: index...index, with: String(other))
    }
    let part = claim.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    func with(_ place: Int, _ text: String) -> String {
      var parts = part
      parts[place] = text
      return parts.joined(separator: ".")
    }
    let another = try #require(
      IdentitySigner(keyID: signer.keyID, key: String(repeating: "00", count: 32)))
    let empty = try #require(IdentitySigner(keyID: 99, key: String(repeating: "00", count: 32)))
    forged += [
      with(5, "62656e"), with(5, ""), with(2, "99999999999"), with(1, "0"), with(1, "99"),
      with(1, ""), with(6, ""), with(6, String(repeating: "0", count: 64)),
      with(6, part[6].uppercased()), claim + "\n", "\n" + claim, claim + ".", claim + claim,
      " \(claim)", claim.replacing(".", with: "x"), String(claim.dropLast()), "1......",
      String(repeating: ".", count: 6), String(repeating: "1", count: 2000),
      another.claim(for: "ann"), empty.claim(for: "ann"),
      // A part of one field is moved to the next field.
      "1.\(part[1]).\(part[2])..\(part[5]).\(part[6])",
    ]
    try await gym.with { login in
      try await gym.expect("ann", as: gym.identity(claim: claim), on: login)
      for text in forged where text != claim {
        try await gym.expect(nil, as: gym.identity(claim: text), on: login, "\(text)")
      }
    }
  }

  @Test func `a claim counts from now to its end, and for 30 seconds at most in any session`()
    async throws
  {
    let gym = try await RoleGym.made(signed: true)
    let signer = try #require(gym.signer)
    try await gym.with { login in
      // The times are exact to the second, by the server's clock.
      for (age, actor) in [(0, "ann"), (10, "ann"), (21, nil), (3600, nil), (-25, nil)] {
        let seconds = try await login.sql(
          "select floor(extract(epoch from clock_timestamp()))::bigint", in: gym.schema)
        let now = Date(timeIntervalSince1970: Double(try #require(Int64(seconds[0]))))
        let claim = signer.claim(for: "ann", at: now - Double(age))
        try await gym.expect(actor, as: gym.identity(claim: claim), on: login, "\(age) s old")
      }
    }
  }

  /// Tests that the time of a transaction does not advance while the transaction stays open.
  @Test func `a transaction that is kept open does not keep a claim alive`() async throws {
    let gym = try await RoleGym.made(signed: true)
    let signer = try #require(gym.signer)
    try await gym.with { login in
      // A busy machine may need seconds for the first call.
      let claim = signer.claim(for: "ann", at: Date() - 12)
      try await login.transaction(in: gym.schema, as: gym.identity(claim: claim)) { transaction in
        let before = try await transaction.run(Call<String?>.currentActor)
        #expect(before == "ann")
        try await eventually("the claim ends") {
          let now = try await transaction.run(Call<String?>.currentActor)
          return now == nil
        }
      }
    }
  }

  @Test func `a block of code that makes many calls does not keep a claim alive`() async throws {
    let gym = try await RoleGym.made(signed: true)
    let signer = try #require(gym.signer)
    try await gym.with { login in
      let claim = signer.claim(for: "ann", at: Date() - 12)
      try await login.transaction(in: gym.schema, as: gym.identity(claim: claim)) {
        try await $0.run(
          .test(
            """
            do $$ declare started timestamptz := clock_timestamp(); begin
              if current_actor() is distinct from 'ann' then raise 'the claim never counted'; end if;
              while current_actor() is not null loop
                if clock_timestamp() > started + interval '15 s' then
                  raise 'the claim still counts';
                end if;
                perform pg_sleep(0.02);
              end loop;
            end $$
            """))
      }
    }
  }

  @Test func `a bound claim counts on its own server process alone, for as long as it says`()
    async throws
  {
    let gym = try await RoleGym.made(signed: true)
    try await RoleServer.administer(
      "create role \(gym.role("other")) login noinherit in role \(gym.role("user"))")
    let key = try #require(gym.key)
    let signer = try #require(
      IdentitySigner(keyID: key.id, key: key.text, lifetime: .seconds(600), bindsToConnection: true)
    )
    let identity = Identity.user("ann", role: gym.role("user"), signer: signer)
    try await gym.with { login in
      let backend = await login.backend
      let claim = signer.claim(for: "ann", on: backend)
      #expect(claim.contains(".\(backend.pid)."))
      try await gym.expect("ann", as: identity, on: login)
      try await gym.with { other in
        try await gym.expect(nil, as: gym.identity(claim: claim), on: other)
        try await gym.expect("ann", as: identity, on: other)
      }
      // A server process with the same number, but with another start time.
      let start = try #require(backend.start)
      let later = Timestamp(microseconds: start.microseconds + 1)
      let second = signer.claim(for: "ann", on: .init(pid: backend.pid, start: later))
      try await gym.expect(nil, as: gym.identity(claim: second), on: login)
      // If the start of the process is not visible, the claim is not bound to a process, but has
      // the same lifetime.
      let blind = signer.claim(for: "ann", on: .init(pid: backend.pid, start: nil))
      #expect(blind.contains("..."))
      try await gym.expect("ann", as: gym.identity(claim: blind), on: login)
    }
    // The definer may not see the sessions of this login, so it cannot check that the session is
    // the same.
    let unseen = try await RoleServer.connect(as: gym.role("other"))
    try await gym.expect(nil, as: identity, on: unseen)
    await unseen.close()
  }
}
