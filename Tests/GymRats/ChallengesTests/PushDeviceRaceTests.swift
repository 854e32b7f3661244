import BatonPostgres
import TestSupport
import Testing

/// Tests concurrent registrations of devices, as decision 33 describes.
@Suite(.timeLimit(.minutes(5))) struct PushDeviceRaceTests {
  private static let devices =
    "select concat_ws(' ', user_id, token) from push_device order by token"

  /// Runs the first call, and the second call while the first call has not committed.
  private func race(_ first: String, _ second: String, in gym: Gym) async throws {
    try await gym.withConnection { other in
      let open = try await OpenTransaction(gym.connection, in: gym)
      _ = try await open.run(.lines("select (\(first))::text"))
      async let answer = gym.call(second, on: other)
      try await gym.waitUntilBlocked()
      try await open.commit()
      _ = try await answer
    }
  }

  @Test func `of two users who register a token, the last one gets its pushes`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      try await race(
        "register_push_device('ann', 'fcm', 'token')",
        "register_push_device('bob', 'fcm', 'token')", in: gym)
      #expect(try await gym.lines(Self.devices) == ["bob token"])
    }
  }

  @Test func `two users who exchange tokens do not block each other`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      try await gym.run("update setting set devices_of_user = 1")
      for user in ["ann", "bob"] {
        try await gym.call("register_push_device('\(user)', 'fcm', 'of-\(user)')")
      }
      try await race(
        "register_push_device('ann', 'fcm', 'of-bob')",
        "register_push_device('bob', 'fcm', 'of-ann')", in: gym)
      #expect(try await gym.lines(Self.devices) == ["bob of-ann", "ann of-bob"])
    }
  }

  @Test func `two phones of a user that register together keep the limit`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      try await gym.run("update setting set devices_of_user = 1")
      try await race(
        "register_push_device('ann', 'fcm', 'first')",
        "register_push_device('ann', 'fcm', 'second')", in: gym)
      #expect(try await gym.lines(Self.devices) == ["ann second"])
    }
  }

  @Test(arguments: ["end_sessions('ann')", "delete_account('ann')"])
  func `a device that is registered while its session ends is not left`(end: String) async throws {
    for isFirst in [true, false] {
      try await Gym.open(at: "2024-06-05 12:00") { gym in
        try await gym.users("ann")
        let session = try await gym.lines(
          "select session_id::text from begin_session('ann', 'Phone')")[0]
        let register = """
          select register_push_device('ann', 'fcm', 'token') from hold_session('ann', '\(session)')
          """
        let calls = isFirst ? [register, end] : [end, register]
        try await race(calls[0], calls[1], in: gym)
        #expect(try await gym.lines(Self.devices) == [])
      }
    }
  }

  @Test func `a token that moves while its account is deleted belongs to the new user`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      try await gym.call("register_push_device('ann', 'fcm', 'token')")
      // The call of Bob moves the token of Ann while her account is deleted.
      try await race(
        "delete_account('ann')", "register_push_device('bob', 'fcm', 'token')", in: gym)
      #expect(try await gym.lines(Self.devices) == ["bob token"])
    }
  }
}
