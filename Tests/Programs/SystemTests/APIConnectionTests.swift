#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests compression, `Expect: 100-continue`, the limit of connections, and traces of the API.
  @Suite(.timeLimit(.minutes(5))) struct APIConnectionTests {
    @Test(.sampled()) func `a long response is compressed, and its version stays the same`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("gzip-ann")
      let gzip = ["Accept-Encoding: br, gzip;q=0.8"]
      try await place.with { _, client in
        _ = try await client.signIn(ann)
        let photo = "https://a.test/" + String(repeating: "p", count: 1_200)
        try await client.done(
          "PUT", "/v1/me/profile", as: ann, #"{"displayName":"Ann","photoURL":"\#(photo)"}"#)
        try await client.done(
          "POST", "/v1/groups", as: ann, #"{"name":"Gym"}"#,
          fields: ["Idempotency-Key: gzip-group"])
        try await client.done("PUT", "/v1/workouts/gzip", as: ann, "{}")
        try await place.place.gymrats(as: "worker").succeed("worker", "--until-idle")
        let board = "/v1/groups/gzip-group/boards/check-ins"
        let plain = try await client.send("GET", board, as: ann)
        #expect(plain.body.contains(photo) && plain.fields["content-encoding"] == nil)
        let packed = try await client.send("GET", board, as: ann, fields: gzip)
        #expect(packed.fields["content-encoding"] == "gzip")
        #expect(packed.fields["vary"] == "Authorization, Accept-Encoding")
        #expect(packed.fields["content-length"] == "\(packed.bytes.count)")
        #expect(packed.bytes.count < plain.bytes.count)
        // The time at which the board was read differs.
        let time = /"takenAt":"[^"]*"/
        #expect(
          try await unpacked(packed).replacing(time, with: "")
            == plain.body.replacing(time, with: ""))
        let version = try #require(packed.fields["etag"])
        #expect(version == plain.fields["etag"])
        for fields in [gzip, []] {
          let same = try await client.send(
            "GET", board, as: ann, fields: fields + ["If-None-Match: \(version)"])
          #expect(same.status == 304 && same.bytes.isEmpty)
          #expect(same.fields["etag"] == version && same.fields["content-encoding"] == nil)
        }
        let head = try await client.send("HEAD", board, as: ann, fields: gzip)
        #expect(head.fields["content-encoding"] == "gzip" && head.bytes.isEmpty)
        // The time at which the board was read differs, so the lengths differ by a few bytes.
        let lengths = [head, packed].compactMap { Int($0.fields["content-length"] ?? "") }
        #expect(lengths.count == 2 && abs(lengths[0] - lengths[1]) < 10, "\(lengths)")
        let short = try await client.send("GET", "/health/live", fields: gzip)
        #expect(short.fields["content-encoding"] == nil)
        for refused in ["identity", "gzip;q=0", "*;q=0", "br"] {
          let answer = try await client.send(
            "GET", "/openapi.json", fields: ["Accept-Encoding: \(refused)"])
          #expect(answer.fields["content-encoding"] == nil, "\(refused)")
        }
      }
    }

    /// Returns the decompressed body of a response.
    private func unpacked(_ answer: HTTPClient.Answer) async throws -> String {
      let folder = try TemporaryFolder()
      let path = try folder.write("body.gz", [UInt8](answer.bytes))
      let ended = try await TestProcess(
        "/bin/gzip", ["-dc", path], environment: [:], directory: "/"
      ).wait()
      #expect(ended.status == 0)
      return ended.output
    }

    @Test(.sampled()) func `a client that waits before it sends the body gets the status 100`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("continue-ann")
      try await place.with { server, client in
        _ = try await client.signIn(ann)
        let body = #"{"displayName":"Ann"}"#
        func head(_ length: Int) -> String {
          "PUT /v1/me/profile HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann)\r\n"
            + "Expect: 100-continue\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(length)\r\n\r\n"
        }
        let waiting = try await client.http.hold(head(body.utf8.count))
        defer { close(waiting) }
        #expect(try await received(from: waiting).hasPrefix("HTTP/1.1 100 "))
        try #require(Glibc.send(waiting, body, body.utf8.count, Int32(MSG_NOSIGNAL)) > 0)
        #expect(try await received(from: waiting).hasPrefix("HTTP/1.1 204 "))
        // The server refuses a body that is too long before the client sends the body.
        let refused = try await client.http.hold(head(70_000))
        defer { close(refused) }
        #expect(try await received(from: refused).hasPrefix("HTTP/1.1 413 "))
        #expect(try await client.send("GET", "/v1/me", as: ann).status == 200)
      }
    }

    @Test(.sampled()) func `one address can hold a limited number of connections`() async throws {
      let place = try await APIPlace.made()
      let request = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
      for isTrusted in [false, true] {
        var settings = ["BATON_API_ADDRESS_CONNECTIONS": "3"]
        if isTrusted { settings["BATON_HTTP_TRUSTED_PROXIES"] = "127.0.0.1" }
        try await place.with(settings) { _, client in
          var held: [Int32] = []
          defer { held.forEach { _ = close($0) } }
          for _ in 1...3 {
            held.append(try await client.http.hold(request))
            // The response shows that the connection has been counted.
            #expect(try await received(from: held[held.count - 1]).hasPrefix("HTTP/1.1 200 "))
          }
          let fourth = try await client.send("GET", "/health/live")
          #expect(fourth.status == (isTrusted ? 200 : 0))
          close(held.removeLast())
          try await eventually("a free connection") {
            try await client.send("GET", "/health/live").status == 200
          }
        }
      }
    }

    @Test(.sampled())
    func `clients that connect while the server is stopped are served afterwards`()
      async throws
    {
      let place = try await APIPlace.there()
      try await place.with { server, client in
        server.signal(SIGSTOP)
        var held: [Int32] = []
        defer { held.forEach { _ = close($0) } }
        // The operating system queues the connections. A queue of 256 connections, the default of
        // the HTTP server, would be full.
        for _ in 1...400 {
          held.append(try await client.http.hold("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"))
        }
        server.signal(SIGCONT)
        for descriptor in held {
          #expect(try await received(from: descriptor).hasPrefix("HTTP/1.1 200 "))
        }
      }
    }

    /// Returns the text that the server has sent until now, at least one byte.
    private func received(from descriptor: Int32) async throws -> String {
      try await blocking {
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
          descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var room = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &room, room.count)
        return String(decoding: room.prefix(max(0, count)), as: UTF8.self)
      }
    }

    @Test(.sampled()) func `the trace of a request continues in the run that the request enqueues`()
      async throws
    {
      let place = try await APIPlace.there()
      let trace = UUID().uuidString.lowercased().replacing("-", with: "")
      let shape = #"{"type":"circle","center":{"latitude":1.5,"longitude":2.5},"radius":100}"#
      // The second traceparent is not valid, so its run belongs to no trace.
      let parents = ["00-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-x-01"]
      try await place.with { _, client in
        for (number, parent) in parents.enumerated() {
          let phone = try await client.begin(
            "anonymous", String(repeating: "7\(number)", count: 32))
          let group = "trace-group-\(number)"
          try await client.done(
            "POST", "/v1/groups", as: phone.token,
            #"{"name":"T","shape":\#(shape),"timeZone":"UTC","isPublic":false}"#,
            fields: ["Idempotency-Key: \(group)"])
          let answer = try await client.done(
            "POST", "/v1/presence-commands", as: phone.token,
            """
            {"id":"\(UUID().uuidString)","groupId":"\(group)","action":"checkIn",\
            "source":"manual","device":"phone","at":"\(Date().formatted(.iso8601))","stay":3600}
            """, fields: ["traceparent: \(parent)"])
          #expect(answer["outcome"] as? String == "accepted")
        }
      }
      try await place.place.gymrats(as: "worker").succeed("worker", "--until-idle")
      #expect(
        try await place.place.rows(
          "select job || ' ' || trace from run where strpos(trace, '\(trace)') > 0")
          == ["auto-check-out \(parents[0])"])
    }
  }
#endif
