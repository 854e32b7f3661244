import Foundation
import JobRunner

/// The health of this process, as reported by the health checks.
struct Health: Sendable, Codable {
  /// The string `ready` or `not ready`.
  let status: String
  /// The results of the checks, each either `ok` or the reason for the failure.
  let checks: [String: String]

  var isReady: Bool { status == "ready" }

  /// The maximum age of undispatched events in seconds.
  ///
  /// If an event is older than this limit, probably no worker is dispatching events.
  static let longestFolding = 60.0

  init(_ reading: Reading, worker: WorkerPulse?) {
    var checks = [
      "server": reading.server, "schema": reading.schema, "drift": reading.drift,
      "folding": Self.folding(reading.observation),
    ]
    if let worker { checks["executors"] = Self.executors(worker) }
    self.checks = checks.mapValues(\.rawValue)
    status = checks.values.allSatisfy { $0 == .good } ? "ready" : "not ready"
  }

  private static func folding(_ observation: Observation?) -> Reading.Check {
    guard let observation else { return .unknown }
    return observation.folding.oldestUnfoldedSeconds ?? 0 > longestFolding ? .behind : .good
  }

  private static func executors(_ worker: WorkerPulse) -> Reading.Check {
    switch worker {
    case .working: .good
    case .starting: .starting
    case .stalled: .stalled
    case .failing: .failing
    case .stopping: .stopping
    case .lost: .lost
    }
  }

  var response: Response { response(isReady ? 200 : 503) }

  /// The response for a client that may only see whether the process is ready.
  var shortResponse: Response {
    .json(isReady ? 200 : 503, JSON.text(["status": status]))
  }

  func response(_ status: Int) -> Response { .json(status, JSON.text(self)) }
}

/// The JSON format of responses.
enum JSON {
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("\(type(of: value)) has a number that JSON does not")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
