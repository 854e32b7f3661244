#if HTTP
  public import Baton
  import CoreMetrics
  import HTTPTypes
  import HummingbirdCore
  public import Logging
  import NIOCore
  import NIOPosix

  /// Answers HTTP by Hummingbird: `static let http: (any HTTPFront)? = HTTPAnswers()` of an `Application`.
  public struct HTTPAnswers: HTTPFront {
    private let metrics = PrometheusMetrics()

    /// Nothing is begun yet.
    public init() {}

    /// Takes what the process measures by swift-metrics from now on; once a process.
    public func prepare() { MetricsSystem.bootstrap(metrics) }

    /// Answers from when it returns.
    ///
    /// - Throws: `Complaint` where the address cannot be had.
    public func start(
      _ settings: HTTPSettings, about subject: HTTPSubject, logger: Logger
    ) async throws -> any HTTPAnswering {
      let desk = Desk(settings, about: subject, metrics: metrics, logger: logger)
      return try await HTTPServer.start(at: settings.address, desk, logger: logger)
    }
  }

  extension Question {
    /// Of a path as long as a page's: whatever else is no page.
    init(_ request: Request) {
      let head = request.head
      method = head.method.rawValue
      path = String((head.path ?? "/").prefix { $0 != "?" })
      // The first one is kept apart from the others.
      hosts = [head.authority].compactMap { $0 } + head.values("host")
      origins = head.values("origin")
      authorizations = head.headerFields[values: .authorization]
    }
  }

  extension HTTPRequest {
    fileprivate func values(_ name: String) -> [String] {
      HTTPField.Name(name).map { headerFields[values: $0] } ?? []
    }
  }

  extension Answer {
    /// As it is sent, without its body.
    var head: HTTPResponse {
      var fields = HTTPFields()
      let own = [
        "content-type": type, "content-length": "\(body.utf8.count)", "connection": "close",
      ]
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
