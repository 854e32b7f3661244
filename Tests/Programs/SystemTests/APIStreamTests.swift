#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests the streams of `gymrats api` with real sockets: boards, badges, tickets and limits.
  @Suite(.timeLimit(.minutes(5))) struct APIStreamTests {
    private static let token = "0123456789abcdef0123"

    /// A group of two users.
    private struct Gym {
      let ann, ben: String
      let benID: String
      let group: String
      var board: String { "/v1/groups/\(group)/boards/check-ins/stream" }
    }

    private func found(
      _ name: String, _ place: APIPlace, _ client: APIClient
    ) async throws -> Gym {
      let ann = try await place.issuer.token("\(name)-ann")
      let ben = try await place.issuer.token("\(name)-ben")
      _ = try await client.signIn(ann)
      let benID = try await client.signIn(ben)
      let gym = Gym(ann: ann, ben: ben, benID: benID, group: name)
      try await client.done(
        "POST", "/v1/groups", as: ann, #"{"name":"Gym"}"#, fields: ["Idempotency-Key: \(name)"])
      let invite = try await client.done("POST", "/v1/groups/\(name)/invites", as: ann, "{}")
      let code = invite["code"] as? String ?? ""
      try await client.done("POST", "/v1/invite-codes/join", as: ben, #"{"code":"\#(code)"}"#)
      // After this, only the test's own workouts change the board.
      try await work(place)
      return gym
    }

    private func work(_ place: APIPlace) async throws {
      try await place.place.gymrats(as: "worker").succeed("worker", "--until-idle")
    }

    private func values(of event: EventReader.Event?) -> [Int] {
      (event?.object["entries"] as? [[String: Any]] ?? []).compactMap { $0["value"] as? Int }
    }

    private func metric(_ name: String, _ client: APIClient) async throws -> Double? {
      let text = try await client.send("GET", "/metrics", as: Self.token).body
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    @Test(.sampled())
    func `a workout is sent to all streams of the board, and each version is encoded once`()
      async throws
    {
      let place = try await APIPlace.made()
      let folder = try TemporaryFolder()
      let file = try folder.write("token", lines: [Self.token])
      try #require(chmod(file, 0o600) == 0)
      try await place.with(["BATON_HTTP_TOKEN_FILE": file]) { _, client in
        let gym = try await found("stream-board", place, client)
        let streams = [
          try await client.stream(gym.board, as: gym.ann),
          try await client.stream(gym.board, as: gym.ben),
          try await client.stream(gym.board, as: gym.ben),
        ]
        defer { for stream in streams { stream.close() } }
        for stream in streams {
          #expect(stream.status == 200)
          #expect(stream.head?.lowercased().contains("content-type: text/event-stream") == true)
          try await eventually("the current board") { stream.events.count == 1 }
          #expect(stream.body.hasPrefix("retry: 2000\n\n"))
          #expect(values(of: stream.events[0]) == [])
        }
        #expect(Set(streams.map { $0.events[0].id }).count == 1)
        try await client.done("PUT", "/v1/workouts/w1", as: gym.ann, #"{"utcOffsetSeconds":0}"#)
        try await work(place)
        for stream in streams {
          try await eventually("the new board") { values(of: stream.events.last) == [1] }
        }
        // The viewer's own entry is not part of what the streams share.
        let own = streams.map { $0.events.last?.object["currentUserEntry"] as? [String: Any] }
        #expect(own[0]?["value"] as? Int == 1 && own[1] == nil && own[2] == nil)
        let schema = try JSONSchema(try await client.send("GET", "/openapi.json").body)
        for event in streams.flatMap(\.events) {
          let problems = schema.problems(
            event.object, ["$ref": "#/components/schemas/LeaderboardSnapshot"])
          #expect(problems == [])
        }
        let versions = Set(streams.flatMap(\.events).compactMap(\.id))
        #expect(
          try await metric("baton_api_encoded_topics_total", client) == Double(versions.count))
        #expect(try await metric("baton_api_streams", client) == 3)
        streams[0].close()
        try await eventually("two streams") {
          try await metric("baton_api_streams", client) == 2
        }
      }
    }

    @Test(.sampled())
    func `a client with the current version gets only comments, and otherwise the board`()
      async throws
    {
      let place = try await APIPlace.made()
      try await place.with(["BATON_API_HEARTBEAT": "1"]) { _, client in
        let gym = try await found("stream-version", place, client)
        let first = try await client.stream(gym.board, as: gym.ben)
        try await eventually("the current board") { first.events.count == 1 }
        let id = try #require(first.events[0].id)
        first.close()
        let same = try await client.stream(gym.board, as: gym.ben, after: id)
        try await eventually("two comments") { same.comments >= 2 }
        #expect(same.status == 200 && same.events.isEmpty && !same.isEnded)
        try await client.done("PUT", "/v1/workouts/w1", as: gym.ben, #"{"utcOffsetSeconds":0}"#)
        try await work(place)
        try await eventually("the new board") { values(of: same.events.last) == [1] }
        same.close()
        let old = try await client.stream(gym.board, as: gym.ben, after: id)
        try await eventually("the missed board") { values(of: old.events.first) == [1] }
        // A browser with a new ticket sends the id in the query.
        let last = try #require(old.events[0].id)
        old.close()
        let again = try await client.stream("\(gym.board)?lastEventId=\(last)", as: gym.ben)
        try await eventually("a comment") { again.comments >= 1 }
        #expect(again.events.isEmpty)
        again.close()
      }
    }

    @Test(.sampled()) func `a stream ends with the membership, the account and the token`()
      async throws
    {
      let place = try await APIPlace.made()
      try await place.with { _, client in
        let gym = try await found("stream-end", place, client)
        let cem = try await place.issuer.token("stream-end-cem")
        _ = try await client.signIn(cem)
        #expect(try await client.stream(gym.board, as: cem).status == 403)
        #expect(try await client.stream(gym.board).status == 401)
        var claims = TestIssuer.Claims(sub: "stream-end-ann")
        claims.exp = Date().timeIntervalSince1970 + 10
        let short = try await place.issuer.token(claims)
        let badge = "/v1/notifications/badge/stream"
        let streams = [
          try await client.stream(gym.board, as: gym.ben),
          try await client.stream(gym.board, as: short),
          try await client.stream(badge, as: cem), try await client.stream(gym.board, as: gym.ann),
        ]
        for stream in streams {
          try await eventually("the current state") { stream.events.count == 1 }
        }
        try await client.done(
          "DELETE", "/v1/groups/\(gym.group)/members/\(gym.benID)", as: gym.ann)
        try await client.done("DELETE", "/v1/me", as: cem)
        for (stream, code) in zip(streams, ["notAMember", "notAuthenticated", "notAuthenticated"]) {
          try await eventually("the end with \(code)") { stream.isEnded }
          let last = try #require(stream.events.last)
          #expect(last.name == "end" && last.object["code"] as? String == code, "\(last)")
        }
        #expect(!streams[3].isEnded)
        streams[3].close()
      }
    }

    @Test(.sampled())
    func `the badge is sent again when a notification arrives or is read`() async throws {
      let place = try await APIPlace.made()
      try await place.with { _, client in
        let gym = try await found("stream-badge", place, client)
        let badge = try await client.stream("/v1/notifications/badge/stream", as: gym.ann)
        defer { badge.close() }
        func count() -> Int? { badge.events.last?.object["count"] as? Int }
        // The other member has joined.
        try await eventually("one notification") { count() == 1 }
        let page = try await client.done("GET", "/v1/notifications", as: gym.ann)
        let unread = page["notifications"] as? [[String: Any]] ?? []
        let id = unread.first?["id"] as? String ?? ""
        try await client.done("POST", "/v1/notifications/read", as: gym.ann, #"{"ids":["\#(id)"]}"#)
        try await eventually("no notification") { count() == 0 }
        #expect(badge.events.compactMap(\.id) == ["1", "0"])
      }
    }

    @Test(.sampled()) func `a ticket opens one stream on any server, and no other route`()
      async throws
    {
      let place = try await APIPlace.made()
      try await place.with { _, first in
        try await place.with { _, second in
          let gym = try await found("stream-ticket", place, first)
          let ticket = try await first.ticket(as: gym.ben)
          let other = try await second.send("GET", "/v1/me?ticket=\(ticket)")
          #expect(other.refusal == "401 notAuthenticated")
          let stream = try await second.stream("\(gym.board)?ticket=\(ticket)")
          try await eventually("the current board") { stream.events.count == 1 }
          for client in [first, second] {
            let again = try await client.stream("\(gym.board)?ticket=\(ticket)")
            #expect(again.status == 401)
            try await eventually("the reason") { again.body.contains("already used") }
          }
          let unknown = try await first.stream("\(gym.board)?ticket=unknown")
          #expect(unknown.status == 401)
          // Of two concurrent requests with one ticket, one succeeds.
          let shared = try await first.ticket(as: gym.ben)
          async let one = first.stream("\(gym.board)?ticket=\(shared)")
          async let two = second.stream("\(gym.board)?ticket=\(shared)")
          let both = try await [one, two]
          #expect(both.map(\.status).sorted() == [200, 401])
          let late = try await first.ticket(as: gym.ben)
          try await place.place.run(
            "update stream_ticket set expires_at = now() - interval '1 second'")
          #expect(try await first.stream("\(gym.board)?ticket=\(late)").status == 401)
          // The next ticket deletes the expired ones.
          _ = try await first.ticket(as: gym.ben)
          let expired = try await place.place.rows(
            "select count(*)::text from stream_ticket where expires_at < now()")
          #expect(expired == ["0"])
          for stream in [stream] + both { stream.close() }
        }
      }
    }

    @Test(.sampled())
    func `a user has a limited number of streams, and a closed one is free again`()
      async throws
    {
      let place = try await APIPlace.made()
      try await place.with(["BATON_API_USER_STREAMS": "2"]) { _, client in
        let gym = try await found("stream-limit", place, client)
        let streams = [
          try await client.stream(gym.board, as: gym.ben),
          try await client.stream(gym.board, as: gym.ben),
        ]
        let third = try await client.send("GET", gym.board, as: gym.ben)
        #expect(third.refusal == "429 networkUnavailable")
        #expect(third.fields["retry-after"] == "1")
        let other = try await client.stream(gym.board, as: gym.ann)
        #expect(other.status == 200)
        streams[0].close()
        var next: EventReader?
        try await eventually("a free stream") {
          let stream = try await client.stream(gym.board, as: gym.ben)
          if stream.status == 200 { next = stream } else { stream.close() }
          return next != nil
        }
        for stream in [streams[1], other, next] { stream?.close() }
      }
    }

    @Test(.sampled()) func `SIGTERM ends the streams and the server`() async throws {
      let place = try await APIPlace.made()
      try await place.with { server, client in
        let gym = try await found("stream-stop", place, client)
        let streams = [
          try await client.stream(gym.board, as: gym.ben),
          try await client.stream("/v1/notifications/badge/stream", as: gym.ann),
        ]
        for stream in streams {
          try await eventually("the current state") { stream.events.count == 1 }
        }
        server.signal(SIGTERM)
        #expect(try await server.wait(within: .seconds(5)).status == 0)
        for stream in streams {
          try await eventually("the end") { stream.isEnded }
          // The client connects again, because no event names a reason for the end.
          #expect(stream.events.count == 1 && stream.body.hasPrefix("retry: 2000\n\n"))
        }
      }
    }
  }
#endif
