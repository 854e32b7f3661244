import BatonJobs
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Posts each dead run to the webhook of the person on call.
struct TellOnCall: EffectJob {
  static let definition = Definition<Self>(
    "tell-on-call", on: [.event(.runDied)], timeout: .seconds(10))

  /// The id of the dead run.
  typealias Key = Int64

  let died: DeadRun

  static func perform(_ run: Run<Self>, in webhook: Webhook) async throws {
    guard let url = webhook.url else {
      return run.logger.warning("ON_CALL_URL is not set: nobody is told of run \(run.key)")
    }
    try await webhook.post(run.payload.died, to: url, idempotencyKey: "\(run.id)")
  }
}

/// The webhook at the address `ON_CALL_URL`.
struct Webhook: Sendable {
  var url: URL? { ProcessInfo.processInfo.environment["ON_CALL_URL"].flatMap(URL.init(string:)) }

  /// - Throws: an error of `URLSession`, or ``Refused``. After each error, the run is retried with
  ///   the same idempotency key.
  func post(_ died: DeadRun, to url: URL, idempotencyKey: String) async throws {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue(idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = try JSONEncoder().encode(died)
    // Each request uses a new session, and therefore a new connection. If a server closes a kept
    // connection, URLSession on Linux resends the next POST without its body, and waits for its
    // timeout.
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let (_, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else { throw Refused(status: status) }
  }

  /// The webhook responded with a status code outside the range 200 to 299.
  struct Refused: Error {
    let status: Int
  }
}
