#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests the streams of `whosthere api` with real sockets: presence, chats and sessions.
  @Suite(.timeLimit(.minutes(5))) struct WhosThereAPIStreamTests {
    private typealias Phone = (token: String, user: String)

    private static let shape =
      #"{"type":"circle","center":{"latitude":48.1,"longitude":11.5},"radius":100}"#

    /// Signs in two users with a common group, whose id is the name.
    private func found(
      _ name: String, _ place: APIPlace, _ client: APIClient
    ) async throws -> (ann: Phone, ben: Phone) {
      let ann = try await client.begin("apple", try await place.issuer.token("\(name)-ann"))
      let ben = try await client.begin("apple", try await place.issuer.token("\(name)-ben"))
      try await client.done(
        "POST", "/v1/groups", as: ann.token,
        #"{"name":"G","shape":\#(Self.shape),"timeZone":"UTC","isPublic":true}"#,
        fields: ["Idempotency-Key: \(name)"])
      try await client.done("POST", "/v1/groups/\(name)/join", as: ben.token)
      return (ann, ben)
    }

    private func send(
      _ text: String, to group: String, _ client: APIClient, as phone: Phone
    ) async throws -> UUID {
      let id = UUID()
      try await client.done(
        "POST", "/v1/groups/\(group)/messages", as: phone.token, #"{"text":"\#(text)"}"#,
        fields: ["Idempotency-Key: \(id.uuidString)"])
      return id
    }

    /// Stores messages without the limits of a user, in one transaction each.
    private func store(
      _ ids: [UUID], text: String, in group: String, of phone: Phone, _ place: APIPlace
    ) async throws {
      let list = ids.map(\.uuidString).joined(separator: ",")
      try await place.place.run(
        """
        insert into message (partition, created_at, id, group_id, user_id, content)
        select week_partition(domain_now()), domain_now(), i, '\(group)', '\(phone.user)', '\(text)'
        from unnest('{\(list)}'::uuid[]) i
        """)
    }

    private func messages(of event: EventReader.Event) -> [[String: Any]] {
      event.object["messages"] as? [[String: Any]] ?? []
    }

    private func ids(of events: [EventReader.Event]) -> [UUID] {
      events.flatMap { messages(of: $0) }.compactMap { UUID(uuidString: $0["id"] as? String ?? "") }
    }

    private func texts(of events: [EventReader.Event]) -> [String] {
      events.flatMap { messages(of: $0) }.compactMap { $0["text"] as? String }
    }

    /// Returns the users at the place in the last event.
    private func present(in events: [EventReader.Event]) -> [String] {
      let list = events.last?.object["presences"] as? [[String: Any]] ?? []
      return list.compactMap { $0["userId"] as? String }
    }

    @Test(.sampled()) func `a check-in is sent to the streams of the place`() async throws {
      let place = try await APIPlace.there()
      let group = "there-stream-place"
      try await place.with { _, client in
        let (ann, ben) = try await found(group, place, client)
        let path = "/v1/groups/\(group)/presence/stream"
        let stream = try await client.stream(path, as: ben.token)
        try await eventually("the empty place") { stream.events.count == 1 }
        try await client.done(
          "POST", "/v1/presence-commands", as: ann.token,
          """
          {"id":"\(UUID().uuidString)","groupId":"\(group)","action":"checkIn",\
          "source":"manual","device":"phone","at":"\(Date().formatted(.iso8601))"}
          """)
        try await place.place.gymrats(as: "worker").succeed("worker", "--until-idle")
        try await eventually("the check-in") { present(in: stream.events) == [ann.user] }
        let last = try #require(stream.events.last?.id)
        stream.close()
        let stranger = try await client.begin(
          "apple", try await place.issuer.token("\(group)-cem"))
        #expect(try await client.stream(path, as: stranger.token).status == 403)
        let again = try await client.stream(path, as: ben.token, after: last)
        #expect(again.status == 200 && again.events.isEmpty)
        again.close()
      }
    }

    @Test(.sampled())
    func `streams hide a blocked user from the blocker alone, and follow the block`()
      async throws
    {
      let place = try await APIPlace.there()
      let group = "there-stream-block"
      try await place.with { _, client in
        let (ann, ben) = try await found(group, place, client)
        let cem = try await client.begin("apple", try await place.issuer.token("\(group)-cem"))
        try await client.done("POST", "/v1/groups/\(group)/join", as: cem.token)
        let (path, block) = ("/v1/groups/\(group)", "/v1/me/blocks/\(ann.user)")
        _ = try await send("One", to: group, client, as: ann)
        let blocker = try await client.stream("\(path)/messages/stream", as: ben.token)
        let other = try await client.stream("\(path)/messages/stream", as: cem.token)
        for chat in [blocker, other] {
          try await eventually("the first message") { texts(of: chat.events) == ["One"] }
        }
        try await client.done("PUT", block, as: ben.token)
        try await eventually("the hidden message") { texts(of: blocker.events) == ["One", ""] }
        _ = try await send("Two", to: group, client, as: ann)
        try await eventually("the second message") {
          texts(of: blocker.events) == ["One", "", ""] && texts(of: other.events) == ["One", "Two"]
        }
        let hiding = try await client.stream("\(path)/presence/stream", as: ben.token)
        let showing = try await client.stream("\(path)/presence/stream", as: cem.token)
        try await client.done(
          "POST", "/v1/presence-commands", as: ann.token,
          """
          {"id":"\(UUID().uuidString)","groupId":"\(group)","action":"checkIn",\
          "source":"manual","device":"phone","at":"\(Date().formatted(.iso8601))"}
          """)
        try await place.place.gymrats(as: "worker").succeed("worker", "--until-idle")
        try await eventually("the check-in") {
          present(in: showing.events) == [ann.user]
            && hiding.events.last?.id == showing.events.last?.id
        }
        #expect(hiding.events.allSatisfy { present(in: [$0]) == [] })
        try await client.done("DELETE", block, as: ben.token)
        try await eventually("the end of the block") {
          present(in: hiding.events) == [ann.user]
            && texts(of: blocker.events) == ["One", "", "", "Two", "One"]
        }
        #expect(texts(of: other.events) == ["One", "Two"])
        for stream in [blocker, other, hiding, showing] { stream.close() }
      }
    }

    @Test(.sampled())
    func `a stream ends with its session and its membership, also if a ticket opened it`()
      async throws
    {
      let place = try await APIPlace.there()
      let group = "there-stream-end"
      try await place.with { _, client in
        let (ann, ben) = try await found(group, place, client)
        let tablet = try await client.begin(
          "apple", try await place.issuer.token("\(group)-ben"))
        let path = "/v1/groups/\(group)/messages/stream"
        let ticket = try await client.ticket(as: ben.token)
        let streams = [
          try await client.stream(path, as: ben.token),
          try await client.stream("\(path)?ticket=\(ticket)"),
          try await client.stream(path, as: tablet.token),
        ]
        for stream in streams {
          try await eventually("the empty chat") { stream.events.count == 1 }
        }
        try await client.done("DELETE", "/v1/session", as: ben.token)
        for stream in streams[..<2] {
          try await eventually("the end of the session") { stream.isEnded }
          let last = try #require(stream.events.last)
          #expect(last.name == "end" && last.object["code"] as? String == "sessionExpired")
        }
        #expect(!streams[2].isEnded)
        try await client.done(
          "DELETE", "/v1/groups/\(group)/members/\(ben.user)", as: ann.token)
        try await eventually("the end of the membership") { streams[2].isEnded }
        #expect(streams[2].events.last?.object["code"] as? String == "notAMember")
      }
    }

    @Test(.sampled())
    func `new and deleted messages are sent, and the id resumes the stream`() async throws {
      let place = try await APIPlace.there()
      let group = "there-stream-chat"
      try await place.with(["BATON_API_HEARTBEAT": "1"]) { _, client in
        let (ann, ben) = try await found(group, place, client)
        let path = "/v1/groups/\(group)/messages/stream"
        let first = try await send("One", to: group, client, as: ann)
        let stream = try await client.stream(path, as: ben.token)
        try await eventually("the first message") { ids(of: stream.events) == [first] }
        let second = try await send("Two", to: group, client, as: ann)
        try await eventually("the second message") { ids(of: stream.events) == [first, second] }
        try await client.done(
          "DELETE", "/v1/groups/\(group)/messages/\(first.uuidString)", as: ann.token)
        try await eventually("the deletion") { stream.events.count == 3 }
        let deleted = messages(of: stream.events[2])
        #expect(deleted.map { $0["isDeleted"] as? Bool } == [true])
        #expect(ids(of: [stream.events[2]]) == [first])
        stream.close()
        let same = try await client.stream(path, as: ben.token, after: stream.events[2].id)
        try await eventually("a comment") { same.comments >= 1 }
        #expect(same.events.isEmpty)
        same.close()
        // More messages than the newest page, one of which has an earlier time than known messages.
        let missed = (0..<250).map { _ in UUID() }
        try await store(missed, text: "Missed", in: group, of: ann, place)
        let late = UUID()
        try await place.place.run(
          """
          insert into message (partition, created_at, id, group_id, user_id, content)
          select m.partition, m.created_at - interval '1 second', '\(late.uuidString)', m.group_id,
            m.user_id, 'Late'
          from message m where m.id = '\(second.uuidString)'
          """)
        let resumed = try await client.stream(path, as: ben.token, after: stream.events[2].id)
        try await eventually("the missed messages") { !resumed.events.isEmpty }
        let received = Set(ids(of: resumed.events))
        #expect(received.isSuperset(of: missed + [late]))
        #expect(resumed.events[0].object["hasGap"] as? Bool == false)
        resumed.close()
        // If too many messages are missing, the client is notified that it must read pages.
        try await store((0..<700).map { _ in UUID() }, text: "x", in: group, of: ann, place)
        let gap = try await client.stream(path, as: ben.token, after: resumed.events[0].id)
        try await eventually("the newest messages") { !gap.events.isEmpty }
        #expect(gap.events[0].object["hasGap"] as? Bool == true)
        gap.close()
      }
    }

    @Test(.sampled()) func `no message is lost while a client connects again and again`()
      async throws
    {
      let place = try await APIPlace.there()
      let group = "there-stream-again"
      try await place.with { _, client in
        let (ann, ben) = try await found(group, place, client)
        let path = "/v1/groups/\(group)/messages/stream"
        let sent = (0..<120).map { _ in UUID() }
        // Two writers, whose transactions overlap.
        let writers = [sent[..<60], sent[60...]].map { part in
          Task {
            for id in part { try await store([id], text: "Hi", in: group, of: ann, place) }
          }
        }
        var (seen, last): (Set<UUID>, String?) = ([], nil)
        var connections = 0
        while !seen.isSuperset(of: sent), connections < 20 {
          let stream = try await client.stream(path, as: ben.token, after: last)
          connections += 1
          let isLast = connections > 10
          try await eventually("messages") {
            let got = Set(ids(of: stream.events))
            return isLast
              ? seen.union(got).isSuperset(of: sent)
              : !got.isSubset(of: seen)
                || seen.isSuperset(of: sent)
          }
          stream.close()
          try await eventually("the end") { stream.isEnded }
          // The socket may have received more events after the last look.
          let events = stream.events
          seen.formUnion(ids(of: events))
          last = events.last?.id ?? last
        }
        for writer in writers { try await writer.value }
        #expect(seen.isSuperset(of: sent), "\(seen.count) of \(sent.count)")
      }
    }

    @Test(.sampled())
    func `a client that never reads delays no other client and uses little memory`()
      async throws
    {
      let place = try await APIPlace.there()
      let group = "there-stream-slow"
      try await place.with { server, client in
        let (ann, ben) = try await found(group, place, client)
        let path = "/v1/groups/\(group)/messages/stream"
        let slow = try await client.holdStream(path, as: ben.token)
        let fast = try await client.stream(path, as: ben.token)
        try await eventually("the empty chat") { fast.events.count == 1 }
        let before = try memory(of: server)
        var sent: Set<UUID> = []
        // 8 MB of messages, more than a socket buffers.
        let text = String(repeating: "\u{1F600}", count: 1_000)
        for _ in 1...20 {
          let ids = (0..<100).map { _ in UUID() }
          sent.formUnion(ids)
          try await store(ids, text: text, in: group, of: ann, place)
          try await eventually("the messages", within: .seconds(5)) {
            fast.hasReceived(ids.last?.uuidString ?? "")
          }
        }
        #expect(try memory(of: server) - before < 96 << 20)
        let events = fast.events
        #expect(Set(ids(of: events)) == sent)
        // The slow client gets the newest messages when it reads.
        let reader = EventReader(slow)
        let newest = try #require(ids(of: [events[events.count - 1]]).first)
        try await eventually("the newest message") { reader.hasReceived(newest.uuidString) }
        reader.close()
        fast.close()
      }
    }

    /// Returns the resident memory of a process in bytes.
    private func memory(of process: TestProcess) throws -> Int {
      let text = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
    }
  }
#endif
