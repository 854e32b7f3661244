import Baton
import Foundation
import JobRunner
import Logging

/// Handles all HTTP requests: pages, API calls, event streams, health checks and metrics.
struct RequestHandlers: Sendable {
  private let middleware: AccessMiddleware
  private let reader: Reader
  private let readings: SharedReading<Reading>
  private let worker: Worker?
  private let metrics: PrometheusMetrics
  private let pageReader: PageReader
  private let api: API
  private let pages: Pages
  private let events: EventStreams
  private static let began = Date().timeIntervalSince1970

  init(
    _ settings: HTTPSettings, about subject: HTTPSubject, pages products: [any DashboardPage] = [],
    feeds: [any DashboardFeed] = [], metrics: PrometheusMetrics,
    verifier: (any PasswordVerifier)? = nil, logger: Logger
  ) {
    let reader = Reader(subject, logger: logger)
    let worker = subject.worker
    let history = ReadingHistory()
    let readings = SharedReading(atMostEvery: .seconds(1)) {
      let reading = await reader.read()
      history.add(reading)
      return reading
    }
    middleware = AccessMiddleware(settings, verifier: verifier, logger: logger)
    pageReader = PageReader(subject)
    // A read-only server has no action handlers, so none of its connections can change data.
    let actions = settings.isReadOnly ? nil : ActionHandlers(subject, logger: logger)
    api = API(
      subject: subject, reader: pageReader, actions: actions, read: { await readings.value() },
      logger: logger)
    pages = Pages(
      middleware, products: products, history: history, reader: pageReader, actions: actions,
      logger: logger
    ) {
      let reading = await readings.value()
      return (reading, Health(reading, worker: worker?.pulse))
    }
    let streams = feeds.map { feed in
      EventStreams.Feed(name: feed.name) { topics in
        feed.events(of: subject, about: topics).named(feed.name)
      }
    }
    events = EventStreams(feeds: streams) {
      let reading = await readings.value()
      return ServerEvent.text("overview", Self.overview(reading, worker))
    }
    (self.reader, self.readings, self.worker) = (reader, readings, worker)
    self.metrics = metrics
  }

  /// Returns an event stream if the request is for events, or a complete response.
  func reply(to request: Request) async -> Reply {
    guard request.path == "/events" else { return .response(await response(to: request)) }
    if case .refused(let response) = middleware.admit(request) { return .response(response) }
    guard request.method == "GET" else { return .response(.events) }
    // The server ends an event stream if its request would no longer be admitted, for example after
    // a logout.
    let isAdmitted: @Sendable () -> Bool = { [middleware] in
      guard case .admitted = middleware.admit(request, isUse: false) else { return false }
      return true
    }
    guard let stream = events.open(about: request.topics, while: isAdmitted) else {
      return .response(
        .refused(
          503, "too many clients listen: poll /api/status instead", at: "/events",
          next: "Repeat the request after some seconds.", ["retry-after": "5"]))
    }
    return .events(stream)
  }

  /// Ends the event streams.
  func stop() { events.close() }

  /// Returns the response to a request.
  ///
  /// If the database does not respond, the response is sent after about two seconds, or after six
  /// seconds for a page.
  func response(to request: Request) async -> Response {
    switch middleware.admit(request) {
    case .refused(let response): return response
    case .admitted(let principal): return await response(to: request, for: principal)
    }
  }

  private func response(to request: Request, for principal: Principal?) async -> Response {
    switch request.path {
    case "/health/live": return .json(200, #"{"status":"live"}"#)
    case "/health/ready":
      let health = health(await readings.value())
      return middleware.isOfKnownHost(request) ? health.response : health.shortResponse
    case "/metrics": return scrape(await readings.value())
    case "/api/status": return status(await readings.value())
    case let path where path.hasPrefix("/api/"):
      return await api.response(to: request, by: principal?.name ?? "nobody")
    default: return await pages.response(to: request, for: principal)
    }
  }

  func close() async {
    await reader.close()
    await pageReader.close()
  }

  /// Returns the health of this process, based on a reading and the worker's current state.
  ///
  /// The worker's state is not cached, so that clients see immediately that the worker is stopping.
  private func health(_ reading: Reading) -> Health { Health(reading, worker: worker?.pulse) }

  // MARK: Responses

  private func scrape(_ reading: Reading) -> Response {
    var text = PrometheusText()
    text.add(
      "baton_ready", "1 if /health/ready returns 200.", health(reading).isReady ? 1 : 0)
    text.add(
      "baton_server_read",
      "1 if the server could be read; otherwise, the values read from the server are missing.",
      reading.observation == nil ? 0 : 1)
    text.add(
      "baton_read_seconds", "Time that reading the server took.",
      reading.took / .seconds(1))
    text.add(
      "process_start_time_seconds", "Start time of the process, in seconds since 1970.", Self.began)
    if let observation = reading.observation { text.add(observation) }
    for gauge in reading.gauges ?? [] { text.add("baton_\(gauge.name)", gauge.help, gauge.value) }
    metrics.write(to: &text)
    return Response(status: 200, type: PrometheusText.type, body: text.text)
  }

  struct Status: Codable {
    let health: Health
    /// The observation, or nil if the state could not be read.
    let observation: Observation?
    let gauges: [ProductGauge]?
  }

  /// Returns the content of a server-sent event with the state of the queue and the worker.
  ///
  /// The content is the same as that of `/api/status`, and is sent even if the state could not be
  /// read.
  private static func overview(_ reading: Reading, _ worker: Worker?) -> String {
    JSON.text(
      Status(
        health: Health(reading, worker: worker?.pulse), observation: reading.observation,
        gauges: reading.gauges))
  }

  private func status(_ reading: Reading) -> Response {
    guard reading.observation != nil else { return health(reading).response(503) }
    return .json(200, Self.overview(reading, worker))
  }
}

extension Request {
  /// The topics that a listener requests, keyed by feed.
  ///
  /// A listener can request at most four topics per feed, each at most 256 bytes long.
  fileprivate var topics: [String: [String]] {
    (query ?? [:]).mapValues { $0.prefix(4).filter { $0.utf8.count <= 256 } }
  }
}

extension AsyncStream<String> {
  /// Returns the stream's strings as server-sent events with the given name.
  fileprivate func named(_ name: String) -> AsyncStream<String> {
    // If the feed sends events faster than the server forwards them, only the eight newest events
    // are buffered.
    AsyncStream(bufferingPolicy: .bufferingNewest(8)) { continuation in
      let telling = Task {
        for await data in self { continuation.yield(ServerEvent.text(name, data)) }
        continuation.finish()
      }
      continuation.onTermination = { _ in telling.cancel() }
    }
  }
}
