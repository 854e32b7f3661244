import RandomJobs
import TestSupport

/// Searches for a smaller script that still fails.
///
/// The timing depends on processes, so one successful attempt without a part does not prove that
/// the part is needed. Each smaller script gets three attempts, and the search ends after two
/// minutes.
struct EngineShrinking {
  private let script: EngineScript
  private let deadline = ContinuousClock.now + .seconds(120)

  init(_ script: EngineScript) { self.script = script }

  func smallest() async -> EngineScript {
    var smallest = script
    var hasShrunk = true
    while hasShrunk, .now < deadline {
      hasShrunk = false
      for smaller in candidates(of: smallest) where .now < deadline {
        guard await fails(smaller) else { continue }
        smallest = smaller
        hasShrunk = true
        break
      }
    }
    return smallest
  }

  private func fails(_ script: EngineScript) async -> Bool {
    for _ in 0..<3 where .now < deadline {
      guard let violations = try? await EngineStage.violations(of: script) else { continue }
      if !violations.isEmpty { return true }
    }
    return false
  }

  /// Returns the scripts with one part removed, the largest parts first.
  private func candidates(of script: EngineScript) -> [EngineScript] {
    var all: [EngineScript] = []
    func add(_ change: (inout EngineScript) -> Void) {
      var smaller = script
      change(&smaller)
      if smaller.size < script.size { all.append(smaller) }
    }
    add { $0.kills = [] }
    add { $0.orders = [] }
    add { $0.holdsTransaction = false }
    for lane in script.lanes.indices { add { $0.lanes[lane] = [] } }
    for plan in script.plans where script.plans.count > 1 {
      add { $0.remove(job: plan.name) }
    }
    for lane in script.lanes.indices {
      let half = script.lanes[lane].count / 2
      add { $0.lanes[lane].removeFirst(half) }
      add { $0.lanes[lane].removeLast(half) }
    }
    for order in script.orders.indices { add { $0.orders.remove(at: order) } }
    for kill in script.kills.indices { add { $0.kills.remove(at: kill) } }
    return all
  }
}

extension EngineScript {
  fileprivate var size: Int {
    plans.count + elementCount + orders.count + kills.count + (holdsTransaction ? 1 : 0)
  }

  /// Removes a job, with its calls and orders.
  fileprivate mutating func remove(job: String) {
    plans.removeAll { $0.name == job }
    lanes = lanes.map { deals in
      deals.map { deal in
        Deal(
          pause: deal.pause, calls: deal.calls.filter { $0.job != job },
          pauseBetween: deal.pauseBetween, isRolledBack: deal.isRolledBack,
          isRepeatableRead: deal.isRepeatableRead)
      }
    }
    orders.removeAll { order in
      switch order.action {
      case .pause(let name), .resume(let name), .work(let name, _), .workDue(let name),
        .limit(let name, _, _), .pauseGroup(let name, _), .resumeGroup(let name, _):
        name == job
      default: false
      }
    }
  }
}
