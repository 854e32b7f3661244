#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests extreme values in every parameter of every route of the products' APIs.
  ///
  /// No value causes a server error or ends the process, and each refusal has the documented shape.
  @Suite(.timeLimit(.minutes(10))) struct APIExtremesTests {
    /// The numbers of requests by status, and the requests with a wrong response.
    private struct Tally: Sendable {
      var statuses: [Int: Int] = [:]
      var failures: [String] = []

      var count: Int { statuses.values.reduce(0, +) }
      var text: String {
        statuses.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }.joined(
          separator: ", ")
      }

      mutating func add(_ other: Tally) {
        statuses.merge(other.statuses) { $0 + $1 }
        failures += other.failures
      }
    }

    private static let limits = [
      "BATON_API_USER_LIMIT": "1000000", "BATON_API_ADDRESS_LIMIT": "1000000",
    ]

    @Test(.sampled(), arguments: [false, true])
    func `no value of a parameter causes a server error`(isThere: Bool) async throws {
      let place = try await isThere ? APIPlace.there() : APIPlace.made()
      try await place.with(Self.limits) { server, client in
        let text = try await client.send("GET", "/openapi.json").body
        let extremes = try JSONDecoder().decode(APIExtremes.self, from: Data(text.utf8))
        // A valid request to a stream does not end. APIStreamTests open streams.
        let routes = extremes.routes.filter { !$0.path.hasSuffix("/stream") }
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
          for lane in 0..<4 {
            group.addTask {
              let caller = ExtremeCaller(
                place: place, client: client, isThere: isThere, extremes: extremes)
              let schema = try JSONSchema(text)
              var tally = Tally()
              for number in stride(from: lane, to: routes.count, by: 4) {
                try await Self.ask(routes[number], caller, schema, &tally)
              }
              return tally
            }
          }
          return try await group.reduce(into: Tally()) { $0.add($1) }
        }
        let program = isThere ? "whosthere" : "gymrats"
        print("sent \(tally.count) requests to \(routes.count) routes of \(program): \(tally.text)")
        #expect(
          tally.failures.isEmpty,
          "\(tally.failures.count): \(tally.failures.prefix(10).joined(separator: "\n"))")
        // Some of the values are valid, so the requests do not only test the parser.
        #expect(tally.count > 5 * routes.count && tally.statuses[200] ?? 0 > routes.count / 4)
        #expect(server.isRunning)
        #expect(try await client.send("GET", "/health/ready").status == 200)
      }
    }

    private static func ask(
      _ route: APIExtremes.Route, _ caller: ExtremeCaller, _ schema: JSONSchema,
      _ tally: inout Tally
    ) async throws {
      var world = try await caller.world()
      for one in [APIExtremes.Case()] + Randomness.sample(5, of: caller.extremes.cases(of: route)) {
        let answer = try await caller.ask(route, one, in: world)
        tally.statuses[answer.status, default: 0] += 1
        if let problem = problem(with: answer, schema) {
          let body = one.body.map { String($0.prefix(200)) } ?? ""
          tally.failures.append(
            "\(route.name) \(one.inPath ?? "") \(one.value.prefix(100)) \(one.query.prefix(100)) "
              + "\(one.fields?.joined().prefix(100) ?? "") \(body): \(answer.status) "
              + "\(answer.body.prefix(300)) \(problem)")
        }
        // The user or the group may not exist any more.
        let mayEnd = route.method == "DELETE" || route.path.hasSuffix("/leave")
        if mayEnd, answer.status < 300 { world = try await caller.world() }
      }
    }

    /// Returns the problem with a response, or nil for a success or a documented refusal.
    private static func problem(
      with answer: HTTPClient.Answer, _ schema: JSONSchema
    ) -> String? {
      switch answer.status {
      case 200, 204: return nil
      // Bytes that are not a request of HTTP are refused before a route is known.
      case 400 where answer.body.isEmpty: return nil
      case 400..<500:
        let problems = schema.problems(answer.object, ["$ref": "#/components/schemas/Error"])
        return problems.isEmpty ? nil : "\(problems)"
      default: return "the status is not documented"
      }
    }
  }

  /// A caller with a valid request for each route.
  struct ExtremeCaller: Sendable {
    /// A signed-in user, and the ids of the user's group and of other objects.
    struct World: Sendable {
      let token: String
      var ids: [String: String]
    }

    let place: APIPlace
    let client: APIClient
    let isThere: Bool
    let extremes: APIExtremes

    /// Creates a user with a group.
    func world(_ groupName: String = "G") async throws -> World {
      let name = UUID().uuidString.lowercased()
      let token: String
      if isThere {
        let secret = name.replacing("-", with: "")
        token = try await client.begin("anonymous", secret + secret).token
      } else {
        token = try await place.issuer.token("extremes-\(name)")
        _ = try await client.signIn(token)
      }
      var ids = [
        "group": name, "user": name, "type": "check-ins", "workout": "w", "invite": name,
        "message": name, "challenge": name,
      ]
      // The groups of other tests are far away, and no other test finds this group.
      let more =
        isThere
        ? #""shape":{"type":"circle","center":{"latitude":-60,"longitude":-170},"radius":100},"#
          + #""timeZone":"UTC","isPublic":false,"#
        : ""
      try await client.done(
        "POST", "/v1/groups", as: token, "{\(more)\"name\":\"\(groupName)\"}",
        fields: ["Idempotency-Key: \(name)"])
      guard !isThere else { return World(token: token, ids: ids) }
      let boards = try await client.send("GET", "/v1/groups/\(name)/challenges", as: token)
      let id = boards.body.firstMatch(of: /"id":"([^"]+)"/)
      ids["challenge"] = id.map { String($0.1) }
      return World(token: token, ids: ids)
    }

    /// Sends a request that is valid except for the values of a case.
    func ask(
      _ route: APIExtremes.Route, _ one: APIExtremes.Case, in world: World
    ) async throws -> HTTPClient.Answer {
      let key =
        route.operation.needsKey ? ["Idempotency-Key: \(UUID().uuidString.lowercased())"] : []
      let body = one.body ?? route.operation.body.map { extremes.valid($0) }
      return try await client.send(
        route.method, extremes.path(of: route, one, world.ids), as: world.token,
        body?.replacing(APIExtremes.group, with: world.ids["group"] ?? ""),
        fields: one.fields ?? key)
    }
  }
#endif
