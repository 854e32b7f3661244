#if HTTP
  import Challenges
  import Foundation
  import ProductHTTP
  import Synchronization
  import TestSupport
  import Testing

  @testable import ChallengesHTTP

  /// Tests the streams and the errors of the client with servers that only a test can have.
  @Suite(.timeLimit(.minutes(5))) struct HTTPStreamTests {
    private static func board(_ version: Int64) throws -> LeaderboardSnapshot {
      let start = Date(timeIntervalSince1970: 1_768_176_000)
      return LeaderboardSnapshot(
        challenge: Challenge(
          id: "c", groupId: "g", type: .checkIns, week: Week(containing: start), isActive: true,
          createdAt: start), entries: [], viewer: "ana", rankVersion: version, takenAt: start)
    }

    private static func json(_ value: some Encodable) throws -> String {
      String(decoding: try WireFormat.data(of: value), as: UTF8.self)
    }

    private func updates(
      of server: AnsweringServer
    ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>> {
      let connection = ServerConnection(
        to: server.address, transport: AsyncHTTPTransport(), pause: .milliseconds(5)
      ) { _ in "token" }
      return ChallengesHTTP(connection).repositories(for: "ana").leaderboards
        .observeUpdates(groupId: "g", type: .checkIns)
    }

    @Test func `a stream goes on after its last event, until the server ends it with an error`()
      async throws
    {
      let boards = [try Self.board(1), try Self.board(2)]
      let texts = try boards.map(Self.json)
      let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
      let gate = Mutex(1)
      let server = try AnsweringServer { number, _ in
        while gate.withLock({ $0 }) < number { usleep(1_000) }
        switch number {
        case 1: return head + "retry: 1\n: heartbeat\n\nid: 7\ndata: \(texts[0])\n\n"
        case 2: return head + "event: end\ndata: {\"code\":\"notAuthenticated\"}\n\n"
        case 3: return head + "event: late\ndata: {}\n\n"
        case 4: return head + ": heartbeat\n\nid: 8\r\ndata: \(texts[1])\r\n\r\n"
        default: return head + "event: end\ndata: {\"code\":\"notAMember\"}\n\n"
        }
      }
      defer { server.close() }
      var iterator = updates(of: server).makeAsyncIterator()
      for (element, next) in [
        (.success(boards[0]), 3), (.failure(.networkUnavailable), 4), (.success(boards[1]), 5),
        (.failure(.notAMember), 5),
      ] as [(Result<LeaderboardSnapshot, DomainError>, Int)] {
        #expect(await iterator.next() == element)
        gate.withLock { $0 = next }
      }
      #expect(await iterator.next() == nil)
      let requests = server.requests.map { $0.lowercased() }
      #expect(requests.allSatisfy { $0.hasPrefix("get /v1/groups/g/boards/check-ins/stream ") })
      // After an error, the client needs the current board, even if the board has not changed.
      let ids = requests.map { $0.firstMatch(of: /last-event-id: (\d)/)?.1 }
      #expect(ids == [nil, "7", "7", nil, "8"])
    }

    @Test func `without streams of the server, a board is requested again with its version`()
      async throws
    {
      let boards = try (1...2).map { try Self.json(Self.board($0)) }
      let changed = Mutex(false)
      let server = try AnsweringServer { _, request in
        func reply(_ status: String, _ fields: String, _ body: String) -> String {
          "HTTP/1.1 \(status) Reply\r\n\(fields)Connection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        guard !request.contains("/stream ") else {
          return reply("404", "", #"{"code":"noSuchPath"}"#)
        }
        let number = changed.withLock { $0 } ? 1 : 0
        let version = #"W/"\#(number)""#
        guard !request.contains(version) else { return reply("304", "ETag: \(version)\r\n", "") }
        return reply("200", "ETag: \(version)\r\n", boards[number])
      }
      defer { server.close() }
      var iterator = updates(of: server).makeAsyncIterator()
      #expect(try await iterator.next()?.get().rankVersion == 1)
      try await eventually("requests of the same board") { server.requests.count > 5 }
      changed.withLock { $0 = true }
      #expect(try await iterator.next()?.get().rankVersion == 2)
    }

    @Test func `a response becomes the error of its code, of its SQLSTATE or of its status`() throws
    {
      for error in DomainError.allCases {
        let failure = APIFailure(status: 400, body: Data(#"{"code":"\#(error.code)"}"#.utf8))
        #expect(DomainError(failure) == error)
        guard let state = error.sqlState else { continue }
        let body = Data(#"{"code":"newCode","sqlState":"\#(state)"}"#.utf8)
        #expect(DomainError(APIFailure(status: 400, body: body)) == error)
      }
      let known = Data(#"{"code":"alreadyInGroup","groupId":"g","sqlState":"ZG002"}"#.utf8)
      #expect(DomainError(APIFailure(status: 409, body: known)) == .alreadyInGroup(groupId: "g"))
      for status in [408, 429, 502, 503, 504] {
        let page = APIFailure(status: status, body: Data("<html>".utf8))
        #expect(DomainError(page) == .networkUnavailable)
      }
      for status in [200, 301, 404, 500] {
        let failure = APIFailure(status: status, body: Data(#"{"code":"internalError"}"#.utf8))
        #expect(DomainError(failure) == nil)
        #expect(failure.unexpected.description.hasPrefix("HTTP \(status) internalError"))
      }
    }
  }
#endif
