import TestSupport
import Testing

/// Tests that a person who signs in is one user, with any number of devices and providers.
@Suite(.timeLimit(.minutes(5))) struct SignInTests {
  private let device = "encode(sha256('secret'), 'hex')"
  private let short = "concat_ws(' ', display_name, is_anonymous, asks_for_name, version)"

  @Test func `a subject is one user, made by the first call, who keeps their own name`()
    async throws
  {
    try await Places.with { places in
      let photo = "'https://example.org/a.png'"
      #expect(
        try await places.call("sign_in('google', '1', ' Ann Lee ', \(photo))", short)
          == "Ann Lee f f 1")
      let id = try await places.call("sign_in('google', '1', 'Other')", "id, photo_url")
      #expect(id.hasSuffix(",https://example.org/a.png"))
      let user = String(id.prefix(36))
      // The same subject of another provider is a different person, and a device has no name yet.
      #expect(try await places.call("sign_in('apple', '1', 'Bob')", short) == "Bob f f 1")
      #expect(
        try await places.call("sign_in('anonymous', \(device))", short) == "Visitor 1 t t 1")
      #expect(try await places.sql("select count(*) from users") == ["3"])

      for _ in 0..<2 {
        #expect(
          try await places.call("update_profile('\(user)', 'Ann', null, 'Europe/Oslo')", short)
            == "Ann f f 2")
      }
      #expect(
        try await places.call("sign_in('google', '1', 'Ann Lee')", "display_name, time_zone")
          == "Ann,Europe/Oslo")
    }
  }

  @Test func `what no provider says is refused, and nobody has an account`() async throws {
    try await Places.with { places in
      for parameters in [
        "'myspace', '1'", "null, '1'", "'apple', ''", "'apple', null", "'apple', e'a\\x01'",
        "'apple', repeat('x', 257)", "'apple', '1', repeat('x', 257)", "'apple', '1', e'a\\nb'",
        "'apple', '1', 'Ann', 'http://example.org'", "'anonymous', 'short'",
        "'anonymous', repeat('A', 64)",
      ] {
        #expect(try await places.call("sign_in(\(parameters))") == "invalidInput", "\(parameters)")
      }
      #expect(try await places.sql("select count(*) from users") == ["0"])
      for actor in ["null", "'nobody'"] {
        for call in [
          "get_user($)", "get_users($, '{}')", "update_profile($, 'A', null, null)",
          "delete_account($)", "begin_session($, 'phone')", "end_sessions($)",
          "link_account($, 'google', '1')",
        ] {
          let call = call.replacing("$", with: actor)
          #expect(try await places.call(call) == "notAuthenticated", "\(call)")
        }
      }
      try await places.accounts("ann")
      for call in [
        "update_profile('ann', ' ', null, null)", "update_profile('ann', null, null, null)",
        "update_profile('ann', 'Ann', 'ftp://a', null)",
        "update_profile('ann', 'Ann', null, 'Mars/Olympus')", "begin_session('ann', null)",
        "begin_session('ann', repeat('x', 101))",
        "get_users('ann', array_fill('x'::text, array[101]))",
        "link_account('ann', 'anonymous', \(device))", "link_account('ann', 'google', '')",
        "link_account('ann', 'google', '1', e'a\\nb')",
      ] { #expect(try await places.call(call) == "invalidInput", "\(call)") }
    }
  }

  @Test func `first calls of one subject at once make one user`() async throws {
    try await Places.with { places in
      let calls = Array(repeating: "(select id from sign_in('apple', 's')) i", count: 8)
      let ids = Set(try await places.atOnce(calls))
      #expect(ids.count == 1)
      #expect(try await places.sql("select id from users") == Array(ids))
      // If the first transaction rolls back, the next transaction gets the account.
      let other = try await places.race(
        "sign_in('apple', 't')", "(select id from sign_in('apple', 't')) i", rollsBack: true)
      #expect(
        try await places.sql("select id from users where id <> '\(ids.first ?? "")'") == [other])
    }
  }

  @Test func `a device becomes an account, once, and the same user has several`() async throws {
    try await Places.with { places in
      try await places.devices("dev", "other")
      try await places.accounts("ann")
      for _ in 0..<2 {
        #expect(
          try await places.call("link_account('dev', 'google', '1', 'Dev')", "id, \(short)")
            == "dev,Dev f f 2")
      }
      #expect(try await places.call("link_account('dev', 'apple', '2', 'Else')", "id") == "dev")
      let secret = "encode(sha256('dev'), 'hex')"
      for call in [
        "sign_in('google', '1')", "sign_in('apple', '2')", "sign_in('anonymous', \(secret))",
      ] { #expect(try await places.call(call, "id, \(short)") == "dev,Dev f f 2") }
      // An account is never merged into another account.
      #expect(try await places.call("link_account('dev', 'google', 'ann')") == "conflictingRepeat")
      #expect(
        try await places.call("link_account('other', 'email', 'o@example.org')", short)
          == "Visitor f t 2")
      #expect(try await places.sql("select id from users where merged_into is not null") == [])

      // If two devices become the same new account at the same time, they are one user in the end.
      try await places.devices("one", "two")
      let link = "link_account('$', 'google', 'new')"
      #expect(
        try await places.race(
          link.replacing("$", with: "one"), link.replacing("$", with: "two")) == "40001")
      #expect(try await places.call(link.replacing("$", with: "two"), "id") == "one")
      #expect(
        try await places.sql(
          "select id, merged_into from users where id in ('one', 'two') order by id")
          == ["one,", "two,one"])
      #expect(try await places.broken() == [])
    }
  }
}
