#if HTTP
  public import Baton
  import CoreMetrics
  import HTTPTypes
  import HummingbirdCore
  package import Logging
  import NIOCore
  import NIOPosix

  /// Answers HTTP by Hummingbird: `static let http: (any HTTPFront)? = OperationsServer()` of an `Application`.
  public struct OperationsServer: HTTPServing {
    private let metrics = PrometheusMetrics()
    private let pages: [any DashboardPage]
    private let feeds: [any DashboardFeed]

    /// Nothing is begun yet.
    ///
    /// - Parameters:
    ///   - pages: of the program, behind those of the runner.
    ///   - feeds: what the program tells those who look on.
    public init(pages: [any DashboardPage] = [], feeds: [any DashboardFeed] = []) {
      (self.pages, self.feeds) = (pages, feeds)
    }

    /// Takes what the process measures by swift-metrics from now on; once a process.
    package func prepare() { MetricsSystem.bootstrap(metrics) }

    /// Answers from when it returns.
    ///
    /// - Throws: `Complaint` where the address cannot be had.
    package func start(
      _ settings: HTTPSettings, about subject: HTTPSubject, logger: Logger
    ) async throws -> any RunningHTTPServer {
      let handlers = RequestHandlers(
        settings, about: subject, pages: pages, feeds: feeds, metrics: metrics, logger: logger)
      return try await HTTPServer.start(at: settings.address, handlers, logger: logger)
    }
  }

  extension Request {
    /// Of a path as long as a page's: whatever else is no page.
    init(_ request: HummingbirdCore.Request) {
      let head = request.head
      method = head.method.rawValue
      let target = head.path ?? "/"
      path = String(target.prefix { $0 != "?" })
      query = FormText.pairs(target.dropFirst(path.count + 1))
      // The first one is kept apart from the others.
      hosts = [head.authority].compactMap { $0 } + head.values("host")
      origins = head.values("origin")
      authorizations = head.headerFields[values: .authorization]
      fetchSites = head.values("sec-fetch-site")
      fetchModes = head.values("sec-fetch-mode")
      forgeryTokens = head.values("x-csrf-token")
      contentTypes = head.headerFields[values: .contentType]
      cookies = Self.cookies(head.headerFields[values: .cookie])
    }

    /// With what it sent behind the headers, up to so much.
    init(reading request: HummingbirdCore.Request) async throws {
      self.init(request)
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
    /// As it is sent, without its body.
    var head: HTTPResponse {
      var fields = HTTPFields()
      var own = ["content-type": type, "connection": "close"]
      // Of events nobody knows how many there will be.
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
