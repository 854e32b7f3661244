#if HTTP
  import BatonOperations
  import CoreMetrics
  import Synchronization

  /// An API's metrics, and a check of whether its requests can succeed.
  package final class APIMetrics: Sendable {
    private let stored = PrometheusMetrics()
    /// The last database check, shared by all health checks within a second.
    private let probing = Mutex<(Task<Bool, Never>, ContinuousClock.Instant)?>(nil)

    /// Starts collecting this process's metrics.
    ///
    /// A process may create only one value of this type.
    package init() { MetricsSystem.bootstrap(stored) }

    /// Records a response.
    ///
    /// - Parameter route: the method and the path of the declared route, not the requested path.
    func record(_ route: String, status: Int, took: Duration) {
      Counter(label: "baton_api_requests", dimensions: [("route", route), ("status", "\(status)")])
        .increment()
      Timer(label: "baton_api_request", dimensions: [("route", route)])
        .recordNanoseconds(Int64(took / .nanoseconds(1)))
    }

    /// Records the number of open streams.
    static func setStreams(_ open: Int) { Meter(label: "baton_api_streams").set(open) }

    /// Records that a stream event was sent.
    static func countEvent(_ route: String) {
      Counter(label: "baton_api_stream_events", dimensions: [("route", route)]).increment()
    }

    /// Records that a version of a topic was encoded.
    static func countEncoding() { Counter(label: "baton_api_encoded_topics").increment() }

    /// Returns whether the database accepts calls from this server.
    ///
    /// The database is checked at most once per second.
    func isReady(_ product: some APIProduct) async -> Bool {
      let check = probing.withLock { probing in
        if let (task, began) = probing, began.duration(to: .now) < .seconds(1) { return task }
        let task = Task {
          do {
            try await product.logins.probeCalls()
            try await product.checkSignIn()
            return true
          } catch {
            return false
          }
        }
        probing = (task, .now)
        return task
      }
      return await check.value
    }

    func text() -> APIReply {
      var text = PrometheusText()
      stored.write(to: &text)
      var reply = APIReply(200, json: text.text)
      reply.type = PrometheusText.type
      return reply
    }
  }
#endif
