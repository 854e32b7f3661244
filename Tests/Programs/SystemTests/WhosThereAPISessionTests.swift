#if HTTP
  import BatonPostgres
  import TestSupport
  import Testing

  /// Tests requests of Who's There whose token is valid, but whose session or user does not fit.
  @Suite(.timeLimit(.minutes(5))) struct WhosThereAPISessionTests {
    @Test func `a session that ends during a request registers no device for pushes`()
      async throws
    {
      let place = try await APIPlace.there()
      let apple = try await place.issuer.token("there-session-device")
      try await place.with { _, client in
        let ann = try await client.begin("apple", apple)
        let device = #"{"platform":"fcm","token":"there-session-device"}"#
        try await client.done("POST", "/v1/me/devices", as: ann.token, device)
        let request = try await RoleServer.with(try await place.place.connect(as: "postgres")) {
          connection in
          // The server checks the token before the commit, so the session has not ended yet.
          try await connection.script(
            Statement(
              "test/end-session",
              """
              begin; set local search_path to \(place.place.schema.name);
              select end_session('\(ann.token)')
              """))
          let pid = await connection.backend.pid
          let waiting =
            "select pid::text from pg_stat_activity where \(pid) = any (pg_blocking_pids(pid))"
          let request = Task {
            try await client.send("POST", "/v1/me/devices", as: ann.token, device)
          }
          try await eventually("a registration that waits for the end of the session") {
            try await !place.place.rows(waiting).isEmpty
          }
          try await connection.script(Statement("test/commit", "commit"))
          return request
        }
        let answer = try await request.value
        #expect(answer.refusal == "401 sessionExpired", "\(answer.body)")
      }
    }
  }
#endif
