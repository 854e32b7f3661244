#if HTTP
  public import Baton
  import CoreMetrics
  import HTTPTypes
  import HummingbirdCore
  package import Logging
  import NIOCore
  import NIOPosix

  /// The HTTP server of an `Application`, added with
  /// `static let http: (any HTTPFront)? = OperationsServer()`.
  public struct OperationsServer: HTTPServing {
    private let metrics = PrometheusMetrics()
    private let pages: [any DashboardPage]
    private let feeds: [any DashboardFeed]

    /// Creates a server that has not been started yet.
    ///
    /// - Parameters:
    ///   - pages: the program's own pages, which follow Baton's pages in the menu.
    ///   - feeds: the sources of the events that make the browser reload the program's own pages.
    public init(pages: [any DashboardPage] = [], feeds: [any DashboardFeed] = []) {
      (self.pages, self.feeds) = (pages, feeds)
    }

    /// Starts collecting the metrics that the process reports to swift-metrics.
    ///
    /// The method must be called only once per process.
    package func prepare() { MetricsSystem.bootstrap(metrics) }

    /// Returns the hash of a password for the users file.
    package func hash(_ password: String) throws -> PasswordHash {
      try ScryptVerifier.hash(password)
    }

    /// Starts the server.
    ///
    /// When the method returns, the server accepts requests.
    ///
    /// - Throws: `Complaint` if the address cannot be used.
    package func start(
      _ settings: HTTPSettings, about subject: HTTPSubject, logger: Logger
    ) async throws -> any RunningHTTPServer {
      let handlers = RequestHandlers(
        settings, about: subject, pages: pages, feeds: feeds, metrics: metrics,
        verifier: ScryptVerifier(), logger: logger)
      return try await HTTPServer.start(settings, handlers, logger: logger)
    }
  }

  extension Request {
    /// Creates a request that does not contain the body.
    ///
    /// - Parameters:
    ///   - peer: the IP address of the client or proxy that opened the connection, or `unix`.
    ///   - proxies: the proxies whose `X-Forwarded-For` headers are trusted.
    init(_ request: HummingbirdCore.Request, from peer: String, through proxies: TrustedProxies) {
      let head = request.head
      address = proxies.client(of: peer, forwarded: head.values("x-forwarded-for"))
      method = head.method.rawValue
      let target = head.path ?? "/"
      path = String(target.prefix { $0 != "?" })
      query = FormText.pairs(target.dropFirst(path.count + 1))
      // Hummingbird stores the first `Host` header in `authority`, and all other `Host` headers in
      // the header fields.
      hosts = [head.authority].compactMap { $0 } + head.values("host")
      origins = head.values("origin")
      authorizations = head.headerFields[values: .authorization]
      fetchSites = head.values("sec-fetch-site")
      fetchModes = head.values("sec-fetch-mode")
      fetchDestinations = head.values("sec-fetch-dest")
      forgeryTokens = head.values("x-csrf-token")
      contentTypes = head.headerFields[values: .contentType]
      cookies = Self.cookies(head.headerFields[values: .cookie])
    }

    /// Creates a request with its body.
    ///
    /// At most ``longestBody`` bytes of the body are read.
    init(
      reading request: HummingbirdCore.Request, from peer: String, through proxies: TrustedProxies
    ) async throws {
      self.init(request, from: peer, through: proxies)
      guard !["GET", "HEAD"].contains(method) else { return }
      for try await part in request.body {
        guard body.count + part.readableBytes <= Self.longestBody else {
          (body, isBodyTooLong) = ([], true)
          return
        }
        body += part.readableBytesView
      }
    }

    private static func cookies(_ headers: [String]) -> [String: String] {
      let pairs = headers.flatMap { $0.split(separator: ";") }.compactMap { cookie in
        let halves = cookie.split(separator: "=", maxSplits: 1)
        return halves.count == 2
          ? (halves[0].trimmingPrefix { $0 == " " }, String(halves[1])) : nil
      }
      return Dictionary(pairs.map { (String($0.0), $0.1) }) { first, _ in first }
    }
  }

  extension HTTPRequest {
    fileprivate func values(_ name: String) -> [String] {
      HTTPField.Name(name).map { headerFields[values: $0] } ?? []
    }
  }

  extension Response {
    /// The response's head, excluding the body.
    var head: HTTPResponse {
      var fields = HTTPFields()
      var own = ["content-type": type, "connection": "close"]
      // The response for a stream of events has no content length, because the stream's length is
      // unknown.
      if type != Self.eventType { own["content-length"] = "\(body.utf8.count)" }
      for (name, value) in own.merging(Self.always, uniquingKeysWith: { own, _ in own })
        .merging(headers, uniquingKeysWith: { _, new in new }).sorted(by: { $0.key < $1.key })
      {
        guard let name = HTTPField.Name(name) else { continue }
        fields[name] = value
      }
      return HTTPResponse(status: .init(code: status), headerFields: fields)
    }
  }
#endif
