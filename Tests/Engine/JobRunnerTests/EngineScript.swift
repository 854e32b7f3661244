import RandomJobs

/// All actions for one seed of the engine's random test, as data, so that parts can be removed.
struct EngineScript: Sendable {
  /// A client's call that requests runs of a job.
  struct Call: Sendable {
    /// The way in which the call reaches the event log.
    enum Way: String, Sendable, CaseIterable {
      case enqueue, many, event, row

      /// Whether one call can request several runs, also with the same key.
      var takesSeveral: Bool { self == .many || self == .event }
    }

    /// One requested run.
    struct Element: Sendable {
      let key: String
      let payload: String?
      /// The time until the run's `run_at` in ms, or nil if the run has no time.
      let runAt: Int64?
      let priority: Int64?
      let replaces: Bool
    }

    let job: String
    let way: Way
    let elements: [Element]
  }

  /// A client's transaction.
  ///
  /// Pauses are in ms.
  struct Deal: Sendable {
    let pause: Int
    let calls: [Call]
    let pauseBetween: Int
    let isRolledBack: Bool
    let isRepeatableRead: Bool
  }

  /// An action of an operator, with its time in ms.
  struct Order: Sendable {
    enum Action: Sendable {
      /// Each number chooses one row of an ordered list of runs or calls.
      case cancel(Int), cancelCall(Int), retryEdited(Int)
      case retry, discard, rotate
      case pause(String), resume(String), work(String, String), workDue(String)
      /// Sets the concurrency of a job and of each of its groups, or resets them to the declared
      /// values.
      case limit(String, Int?, perGroup: Int?)
      case pauseGroup(String, String), resumeGroup(String, String)
    }

    let at: Int
    let action: Action
  }

  /// The kill of a process or a connection, or the stop of a process, with its time in ms.
  struct Kill: Sendable {
    /// Each number chooses one element of an ordered list of processes or connections.
    enum Victim: Sendable {
      /// The process gets SIGKILL.
      case worker(Int)
      /// The process gets SIGTERM, and the worker stops.
      case stop(Int)
      case backend(Int)
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
  /// Whether a transaction with an id stays open from the start to the end of the script.
  var holdsTransaction: Bool

  /// The names of the jobs of each worker process.
  ///
  /// Effects have separate workers.
  var crews: [[JobPlan]] {
    let effects = plans.filter { $0.kind == .effect }
    let others = plans.filter { $0.kind != .effect }
    return [others, others, effects].filter { !$0.isEmpty }
  }

  /// The number of runs that all clients request.
  var elementCount: Int {
    lanes.joined().flatMap(\.calls).reduce(0) { $0 + $1.elements.count }
  }
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
      + kills.map { "  after \($0.at) ms: end \($0.victim)" }
    let held = holdsTransaction ? ["  a transaction stays open"] : []
    return "seed \(seed)\n" + (jobs + held + deals + others).joined(separator: "\n")
  }
}

extension EngineScript.Call: CustomStringConvertible {
  var description: String {
    "\(way) \(job) \(elements.map(\.description).joined(separator: ", "))"
  }
}

extension EngineScript.Call.Element: CustomStringConvertible {
  var description: String {
    let time = runAt.map { " after \($0) ms" } ?? ""
    let urgency = priority.map { " priority \($0)" } ?? ""
    return "\(key) \(payload ?? "-")\(time)\(urgency)\(replaces ? " replace" : "")"
  }
}
