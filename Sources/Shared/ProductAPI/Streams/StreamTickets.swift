#if HTTP
  import Foundation
  import ProductKit
  import ProductPostgres
  import SHA256

  /// Tickets that let clients open streams without a token in the URL.
  ///
  /// A ticket is valid for 30 s, and can be used once. The database stores the hashes of all
  /// tickets, so each server accepts tickets from all servers.
  struct StreamTickets: Sendable {
    let database: ActorDatabase

    /// Creates a ticket for a user.
    ///
    /// - Throws: `PostgresError`, or `EncodingError`.
    func create(for access: StreamAccess) async throws -> String {
      let ticket = Base64URL.text(of: Data((0..<32).map { _ in UInt8.random(in: 0...255) }))
      let content = String(decoding: try JSONEncoder().encode(access), as: UTF8.self)
      try await database.storeTicket(SHA256Digest.hex(of: ticket.utf8), content: content)
      return ticket
    }

    /// Redeems a ticket and returns the access that it grants.
    ///
    /// - Throws: ``APIRefusal`` if the ticket is not valid, or `PostgresError`.
    func redeem(_ ticket: String) async throws -> StreamAccess {
      guard let content = try await database.redeemTicket(SHA256Digest.hex(of: ticket.utf8)),
        let access = try? JSONDecoder().decode(StreamAccess.self, from: Data(content.utf8))
      else {
        throw APIRefusal.notAuthenticated(
          "the ticket is unknown, expired or already used",
          next: "Create another ticket with POST /v1/stream-tickets, and repeat the request.",
          at: "the ticket")
      }
      return access
    }
  }

  extension Shape {
    static let streamTicket = Shape(
      "StreamTicket", ["ticket": .text(43...43), "seconds": .integer(1...60)])
  }

  extension APIRoute {
    /// Returns the route that creates stream tickets.
    ///
    /// - Parameters:
    ///   - functions: the SQL functions that `check` calls.
    ///   - check: throws an error if the caller's account no longer exists. If the database checks
    ///     each request's token, the product does not need another check.
    package static func tickets(
      calls functions: [String] = [],
      check: @escaping @Sendable (Product, APICall) async throws -> Void = { _, _ in }
    ) -> APIRoute {
      APIRoute(
        "POST", "/v1/stream-tickets",
        "Creates a ticket, which opens one stream within 30 s without a token.",
        calls: functions + ["create_stream_ticket"], response: .object(.streamTicket)
      ) { product, call in
        try await check(product, call)
        let ticket = try await product.logins.tickets.create(for: call.access)
        let seconds = Int64(ActorDatabase.ticketLifetime.components.seconds)
        return APIReply(
          200,
          json: JSONValue.object(["ticket": .text(ticket), "seconds": .integer(seconds)]).json)
      }
    }

    /// Returns the route for a stream of server-sent events.
    ///
    /// - Parameters:
    ///   - event: the type of the events' data.
    ///   - events: returns the event source, which the server opens.
    package static func stream(
      _ path: String, _ summary: String, calls functions: [String],
      values: [String: Shape.Kind] = [:], event: Shape.Kind,
      events: @escaping @Sendable (Product, APICall) async throws -> any EventSource
    ) -> APIRoute {
      var route = APIRoute(
        "GET", path, summary, calls: functions + ["redeem_stream_ticket"], values: values,
        query: ["ticket": .text(1...64), "lastEventId": .text(1...256)], response: event
      ) { product, call in APIReply(events: try await events(product, call)) }
      route.isStream = true
      return route
    }
  }
#endif
