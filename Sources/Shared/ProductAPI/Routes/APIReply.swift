#if HTTP
  import Baton
  import Foundation
  package import ProductKit
  import SHA256

  /// The pieces of a body, each of which is read when the client has received the previous one.
  package typealias APIPieces = AsyncThrowingStream<[UInt8], any Error>

  /// A response of the API.
  package struct APIReply: Sendable {
    package let status: Int
    package var type = "application/json"
    /// The bytes of the body, or nil for a response without a body.
    package internal(set) var body: [UInt8]?
    /// This response's headers, in addition to those that every response has.
    package var headers: [String: String] = [:]
    /// The content's version for the `ETag` header, or nil if the content has none.
    package var version: String?
    /// The pieces of a body whose length is not known, or nil if it is not sent in pieces.
    ///
    /// The pieces are not compressed.
    package var pieces: APIPieces?
    /// The event source of a stream that has not begun, or nil.
    let events: (any EventSource)?
    /// The stream that is the body, or nil if the body is not a stream.
    var stream: APIStream?

    /// Creates a response whose body is JSON text.
    package init(_ status: Int, json: String, headers: [String: String] = [:]) {
      (self.status, self.headers) = (status, headers)
      body = Array(json.utf8)
      events = nil
    }

    /// Creates a response whose body is text.
    package init(_ status: Int, text: String, type: String, headers: [String: String] = [:]) {
      self.init(status, json: text, headers: headers)
      self.type = type
    }

    /// Creates a response whose body is JSON text in pieces.
    package init(_ status: Int, pieces: APIPieces) {
      self.init(status)
      self.pieces = pieces
    }

    /// Creates a response without a body.
    package init(_ status: Int) {
      self.status = status
      body = nil
      events = nil
    }

    /// Creates a response that sends events until its source ends.
    init(events: any EventSource) {
      status = 200
      type = "text/event-stream"
      body = nil
      self.events = events
    }

    /// Returns a response whose body is an entity in the product's format.
    package static func entity(
      _ value: some Encodable, as format: (some EntityFormat).Type, version: String? = nil
    ) throws -> APIReply {
      var reply = APIReply(
        200, json: String(decoding: try format.data(of: value), as: UTF8.self))
      reply.version = version
      return reply
    }

    /// The response to a successful change, without a body.
    package static let done = APIReply(204)

    /// Returns the version of the content for one viewer, as the value of the `ETag` header.
    ///
    /// The version is a hash of the content. The viewer is part of the hash, because the content
    /// can differ between viewers.
    package static func version(
      of content: some Encodable, for viewer: String, as format: (some EntityFormat).Type
    ) throws -> String {
      let seen = Seen(viewer: viewer, content: content)
      let hash = SHA256Digest.hex(of: Array(try format.data(of: seen)))
      return "W/\"\(hash.prefix(32))\""
    }
  }

  /// The content and its viewer, which are hashed together.
  private struct Seen<Content: Encodable>: Encodable {
    let viewer: String
    let content: Content
  }

  /// The error for a request that the API rejects.
  package struct APIRefusal: Error, Sendable {
    package let status: Int
    /// The code of the error.
    ///
    /// The client library uses the code to find the matching Swift error.
    package let code: String
    /// The database's SQLSTATE, or nil if the database did not reject the request.
    package var sqlState: String?
    /// The additional fields of the body, such as the id of a group.
    package var fields: [String: String] = [:]
    package let what: String
    package let place: String
    package let next: String
    package var headers: [String: String] = [:]

    package init(
      _ status: Int, _ code: String, sqlState: String? = nil, fields: [String: String] = [:],
      what: String, place: String, next: String, headers: [String: String] = [:]
    ) {
      (self.status, self.code, self.sqlState, self.fields) = (status, code, sqlState, fields)
      (self.what, self.place, self.next, self.headers) = (what, place, next, headers)
    }

    /// The JSON shape of the response's body.
    static let shape = Shape(
      "Error",
      [
        "code": .text(1...64), "error": .text(1...1_024), "where": .text(1...1_024),
        "next": .text(1...1_024),
      ], optional: ["sqlState": .text(5...5), "groupId": .text(1...256), "seconds": .text(1...20)])

    var reply: APIReply {
      var body = fields.mapValues { JSONValue.text($0) }
      body["code"] = .text(code)
      body["sqlState"] = sqlState.map { .text($0) }
      for (name, text) in [("error", what), ("where", place), ("next", next)] {
        body[name] = .text(text)
      }
      return APIReply(status, json: JSONValue.object(body).json, headers: headers)
    }
  }

  extension APIRefusal {
    /// The error for a call that the product rejects with a code of its SQL API.
    ///
    /// - Parameter seconds: the number of seconds after which a repeated request can succeed, or
    ///   nil if it cannot succeed.
    package init(
      refused code: String, _ status: Int, sqlState: String?, fields: [String: String] = [:],
      retryAfter seconds: Int? = nil, at place: String
    ) {
      let page = "docs/\(Program.name)/api.md#errors"
      var next = "\(page) explains the code. Do not repeat the same request."
      var headers: [String: String] = [:]
      if let seconds {
        next = "Repeat the request later."
        headers["retry-after"] = "\(seconds)"
      } else if status == 401 {
        next = "Sign in again, and repeat the request."
        headers["www-authenticate"] = "Bearer"
      }
      self.init(
        status, code, sqlState: sqlState, fields: fields,
        what: "The call was refused: \(code).", place: place, next: next, headers: headers)
    }

    /// The error for a request that is not valid HTTP or whose body is not valid JSON.
    static func malformed(
      _ what: String, at place: String,
      next: String = "Send the request as /openapi.json describes it."
    ) -> APIRefusal {
      APIRefusal(
        400, "invalidInput", what: "\(what).".capitalizedFirst, place: place, next: next)
    }

    /// The error for a request with a value that the route does not accept.
    static func invalid(_ what: String, at place: String) -> APIRefusal {
      APIRefusal(
        422, "invalidInput", what: "\(what).".capitalizedFirst, place: place,
        next: "Send the request as /openapi.json describes it.")
    }

    static func tooLong(at place: String) -> APIRefusal {
      APIRefusal(
        413, "invalidInput", what: "The body has more than \(APIRequest.longestBody) bytes.",
        place: place, next: "Send a shorter body.")
    }

    static func notJSON(at place: String) -> APIRefusal {
      APIRefusal(
        415, "invalidInput", what: "The body is not JSON.", place: place,
        next: "Send the header Content-Type: application/json once.")
    }

    static func noSuchPath(_ path: String) -> APIRefusal {
      APIRefusal(
        404, "noSuchPath", what: "The path does not exist.", place: path.shortened(to: 256),
        next: "See the paths in /openapi.json.")
    }

    static func otherMethod(_ methods: [String], at path: String) -> APIRefusal {
      // A GET route also responds to HEAD.
      let all = methods.contains("GET") ? methods + ["HEAD"] : methods
      let list = all.sorted().joined(separator: ", ")
      return APIRefusal(
        405, "otherMethod", what: "The path does not have this method.",
        place: path.shortened(to: 256), next: "Send \(list).", headers: ["allow": list])
    }

    /// The error for a request without a valid token, or from a user without an account.
    package static func notAuthenticated(
      _ what: String,
      next: String = "Get a new token from the provider, and repeat the request.",
      at place: String = "the token"
    ) -> APIRefusal {
      APIRefusal(
        401, "notAuthenticated", what: "\(what).".capitalizedFirst, place: place, next: next,
        headers: ["www-authenticate": "Bearer"])
    }

    /// The error for a request whose `Expected-User` header does not name the token's user.
    ///
    /// The status is not 401, because clients would refresh the token, which does not help.
    static let otherUser = APIRefusal(
      403, "otherUser",
      what: "The token belongs to another user than the header Expected-User names.",
      place: "the header Expected-User",
      next: "Sign in as the user in the header, and repeat the request.")

    /// Whether the cached user of the token may be outdated.
    var mayHaveOutdatedUser: Bool { status == 401 || code == Self.otherUser.code }

    /// The error for a caller that has sent too many requests.
    static func limited(_ whose: String, seconds: Int) -> APIRefusal {
      APIRefusal(
        429, "networkUnavailable", what: "Too many requests of \(whose).", place: whose,
        next: "Repeat the request after \(seconds) s.", headers: ["retry-after": "\(seconds)"])
    }

    /// The error when the database or an identity provider does not respond in time.
    ///
    /// - Parameter seconds: the number of seconds after which a repeated request can succeed.
    package static func unavailable(
      _ what: String, at place: String, seconds: Int = 1
    ) -> APIRefusal {
      APIRefusal(
        503, "networkUnavailable", what: "\(what).".capitalizedFirst, place: place,
        next: "Repeat the request later.", headers: ["retry-after": "\(seconds)"])
    }

    /// The error for a request about sessions if the server issues no access tokens.
    package static func noSessions(at place: String) -> APIRefusal {
      APIRefusal(
        404, "noSuchPath", what: "This server issues no session tokens.", place: place,
        next: "Set BATON_API_SESSION_KEYS_FILE on the server, or send a provider's token.")
    }

    /// The error for a request about the caller's own session if the token does not belong to a
    /// session.
    package static func noSession(at place: String) -> APIRefusal {
      APIRefusal(
        422, "invalidInput", what: "The token of the request belongs to no session.", place: place,
        next: "Send an access token of POST /v1/session.")
    }

    /// The error for a failure that the caller did not cause.
    static func fault(at place: String, sqlState: String?) -> APIRefusal {
      APIRefusal(
        500, "internalError", sqlState: sqlState, what: "The server made a mistake.", place: place,
        next: "Repeat the request later; the server's log contains the error.")
    }
  }

  extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
  }
#endif
