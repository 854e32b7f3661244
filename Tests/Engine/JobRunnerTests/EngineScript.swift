import RandomJobs

/// Everything that one seed of the engine's random test does, so that parts of it can be left out.
struct EngineScript: Sendable {
  /// One call of a client that asks for a run.
  struct Call: Sendable {
    /// How the call reaches the event log.
    enum Way: String, Sendable, CaseIterable {
      case enqueue, many, event, row
    }

    let number: Int64
    let job: String
    let key: String
    let way: Way
    let payload: String?
    /// The time until the run's `run_at` in ms, or nil without a time.
    let runAt: Int64?
    let priority: Int64?
    let replaces: Bool
  }

  /// One transaction of a client; pauses are in ms.
  struct Deal: Sendable {
    let pause: Int
    let calls: [Call]
    let pauseBetween: Int
    let isRolledBack: Bool
    let isRepeatableRead: Bool
  }

  /// An action of an operator, and its time in ms.
  struct Order: Sendable {
    enum Action: Sendable {
      case cancel, retry, discard, rotate, pause(String), resume(String), work(String, String),
        workDue(String)
    }

    let at: Int
    let action: Action
  }

  /// A process or a connection that is killed at a time in ms.
  struct Kill: Sendable {
    enum Victim: Sendable {
      case worker(Int), backend
    }

    let at: Int
    let victim: Victim
  }

  let seed: UInt64
  var plans: [JobPlan]
  /// The transactions of each client, in order.
  var lanes: [[Deal]]
  var orders: [Order]
  var kills: [Kill]

  /// The names of the jobs of each worker process: effects have workers of their own.
  var crews: [[JobPlan]] {
    let effects = plans.filter { $0.kind == .effect }
    let others = plans.filter { $0.kind != .effect }
    return [others, others, effects].filter { !$0.isEmpty }
  }

  var callCount: Int { lanes.joined().reduce(0) { $0 + $1.calls.count } }
}

extension EngineScript: CustomStringConvertible {
  var description: String {
    let jobs = plans.map { "  job \($0)" }
    let deals = lanes.enumerated().flatMap { lane, deals in
      deals.map { deal in
        let end = deal.isRolledBack ? "rolled back" : "committed"
        let calls = deal.calls.map { "\n    \($0)" }.joined()
        return
          "  lane \(lane), \(deal.pause) ms later, \(end), pauses \(deal.pauseBetween):\(calls)"
      }
    }
    let others =
      orders.map { "  after \($0.at) ms: \($0.action)" }
      + kills.map { "  after \($0.at) ms: kill \($0.victim)" }
    return "seed \(seed)\n" + (jobs + deals + others).joined(separator: "\n")
  }
}

extension EngineScript.Call: CustomStringConvertible {
  var description: String {
    let time = runAt.map { " after \($0) ms" } ?? ""
    let urgency = priority.map { " priority \($0)" } ?? ""
    return "\(way) \(job) \(key) \(payload ?? "-")\(time)\(urgency)\(replaces ? " replace" : "")"
  }
}
