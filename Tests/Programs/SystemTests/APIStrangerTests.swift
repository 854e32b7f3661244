#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests that a user with a valid token cannot read or change a group of other users.
  ///
  /// The test uses all routes that take the id of a group, or of an object in a group.
  @Suite(.timeLimit(.minutes(5))) struct APIStrangerTests {
    /// Returns whether a route reads or changes an object of a group.
    private func isOfGroup(_ route: APIExtremes.Route, _ extremes: APIExtremes) -> Bool {
      let names = ["{group}", "{challenge}", "{invite}"]
      let body = route.operation.body.map { extremes.valid($0) } ?? ""
      return names.contains { route.path.contains($0) } || body.contains(APIExtremes.group)
    }

    @Test(.sampled(), arguments: [false, true])
    func `a stranger reads nothing and changes nothing through any route`(
      isThere: Bool
    ) async throws {
      let place = try await isThere ? APIPlace.there() : APIPlace.made()
      try await place.with { _, client in
        let text = try await client.send("GET", "/openapi.json").body
        let extremes = try JSONDecoder().decode(APIExtremes.self, from: Data(text.utf8))
        let caller = ExtremeCaller(
          place: place, client: client, isThere: isThere, extremes: extremes)
        let secret = "secret \(UUID().uuidString)"
        var owner = try await caller.world(secret)
        let group = "/v1/groups/\(owner.ids["group"] ?? "")"
        owner.ids["user"] =
          try await client.done("GET", "/v1/me", as: owner.token)["id"] as? String
        if !isThere {
          let invite = try await client.done("POST", "\(group)/invites", as: owner.token, "{}")
          owner.ids["invite"] = invite["id"] as? String
        }
        let stranger = ExtremeCaller.World(
          token: try await caller.world().token, ids: owner.ids)
        let before = try await state(of: group, client, owner.token)
        let routes = extremes.routes.filter { isOfGroup($0, extremes) }
        #expect(routes.count >= 15, "\(routes.map(\.name))")
        for route in routes {
          let answer = try await caller.ask(route, APIExtremes.Case(), in: stranger)
          #expect(
            [403, 404, 409].contains(answer.status),
            "\(route.name): \(answer.status) \(answer.body)")
          #expect(!answer.body.contains(secret), "\(route.name): \(answer.body)")
          #expect(answer.fields["etag"] == nil, "\(route.name)")
        }
        #expect(try await state(of: group, client, owner.token) == before)
        // With the same ids, the requests of the owner succeed, so the ids exist.
        for route in routes where route.method == "GET" && !route.path.hasSuffix("/stream") {
          let answer = try await caller.ask(route, APIExtremes.Case(), in: owner)
          #expect(answer.status == 200, "\(route.name): \(answer.status) \(answer.body)")
        }
      }
    }

    /// Returns the group and its members, as the owner reads them.
    private func state(
      of group: String, _ client: APIClient, _ token: String
    ) async throws -> [String] {
      var bodies: [String] = []
      for path in [group, "\(group)/members"] {
        let answer = try await client.send("GET", path, as: token)
        #expect(answer.status == 200)
        bodies.append(answer.body)
      }
      return bodies
    }
  }
#endif
