import Baton
import BatonJobs
import BatonPostgres
import JobRunner
import Logging

/// The API, which offers all reads and actions of the dashboard's pages as JSON.
///
/// The API is described in /api/openapi.json.
struct API: Sendable {
  let subject: HTTPSubject
  let reader: PageReader
  /// The handlers of actions, or nil if the server is read-only.
  let actions: ActionHandlers?
  let read: @Sendable () async -> Reading
  let logger: Logger

  static let routes = [description] + reads + changes

  private static let description = APIRoute(
    method: "GET", path: "/api/openapi.json", summary: "This description.", response: AnyJSON.self
  ) { _, _ in OpenAPI.text }

  /// Returns the methods allowed for a path, or nil if the path does not belong to the API.
  static func methods(of path: String) -> [String]? {
    guard path.hasPrefix("/api/"), let parts = Request(path: path).segments else { return nil }
    let methods = Set(routes.filter { $0.match(parts) != nil }.map(\.method))
    return methods.isEmpty ? nil : allowed(methods)
  }

  private static func allowed(_ methods: Set<String>) -> [String] {
    methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.sorted()
  }

  /// Returns the response to an admitted request whose path begins with /api/.
  func response(to request: Request, by person: String) async -> Response {
    guard let parts = request.segments else {
      return .complaint(400, .unreadable)
    }
    let there = Self.routes.compactMap { route in
      route.match(parts).map { (route, $0) }
    }
    guard !there.isEmpty else { return .complaint(404, .noSuchPlace) }
    let method = request.method == "HEAD" ? "GET" : request.method
    // A path can match several routes, for example if a schedule has the name `pause`.
    guard let (route, inPath) = there.first(where: { $0.0.method == method }) else {
      let methods = Self.allowed(Set(there.map(\.0.method))).joined(separator: ", ")
      return .complaint(405, .otherMethod(methods), ["allow": methods])
    }
    guard !request.isBodyTooLong else { return .complaint(413, .tooLong) }
    guard route.method != "POST" || request.body.isEmpty || request.isJSON else {
      return .complaint(415, .noJSON)
    }
    let call: APICall
    do {
      call = try APICall(request, route, inPath, by: person)
    } catch {
      return .complaint(400, Complaint(ofAction: error))
    }
    do {
      return .json(200, try await route.respond(self, call))
    } catch is PageReader.Late {
      return .complaint(503, .late)
    } catch let error as PostgresError
      where route.method == "GET" && error.sqlState == .queryCanceled
    {
      return .complaint(503, .slowRead)
    } catch {
      let complaint = Complaint(ofAction: error)
      if error is PostgresError || complaint.status == .fault || complaint.status == .unavailable {
        logger.warning("HTTP: \(route.path): \(error)")
      }
      return .complaint(complaint.httpStatus, complaint)
    }
  }
}

extension Request {
  fileprivate var isJSON: Bool {
    contentTypes.count == 1
      && contentTypes[0].lowercased().prefix(while: { $0 != ";" && $0 != " " })
        == "application/json"
  }
}

extension Response {
  /// Returns an error response that states the problem, its place, and the next step.
  static func complaint(
    _ status: Int, _ complaint: Complaint, _ headers: [String: String] = [:]
  ) -> Response {
    json(
      status,
      JSON.text(
        APIError(error: complaint.what, where: complaint.place, next: complaint.next)), headers)
  }
}

/// The body of an error response.
struct APIError: Codable, Sendable {
  let error: String
  let `where`: String
  let next: String
}

extension Complaint {
  fileprivate static let unreadable = Complaint(
    .usage, what: "The address cannot be read.", place: "the path",
    next: "Send UTF-8, and % with two hexadecimal digits.")
  fileprivate static let noSuchPlace = Complaint(
    .noInput, what: "The path does not exist.", place: "the path",
    next: "See the list of paths in /api/openapi.json.")
  fileprivate static let tooLong = Complaint(
    .usage, what: "The body has more than \(Request.longestBody) bytes.", place: "the body",
    next: "Send a shorter body.")
  fileprivate static let noJSON = Complaint(
    .usage, what: "The body is not JSON.", place: "content-type",
    next: "Send application/json, or no body.")
  fileprivate static let late = Complaint(
    .unavailable, what: "The database did not respond in time.", place: "the database",
    next: "Try again in a moment, and check /health/ready.")

  fileprivate static let slowRead = Complaint(
    .unavailable, what: "A statement took longer than 2 s and was cancelled.",
    place: "the database",
    next:
      "Request less data, for example one job, state or key. Or try again when the server is less busy."
  )

  fileprivate static func otherMethod(_ methods: String) -> Complaint {
    Complaint(
      .usage, what: "The path does not allow this method.", place: "the method",
      next: "Send \(methods).")
  }

  /// The HTTP status for this error.
  var httpStatus: Int {
    switch status {
    case .noInput: 404
    case .notAllowed: 403
    case .unavailable, .configuration: 503
    case .dead, .critical: 422
    case .fault, .output: 500
    // A well-formed request that is not allowed in the current state gets a 409 status.
    case .usage, .data, .tryAgain: 409
    }
  }
}
