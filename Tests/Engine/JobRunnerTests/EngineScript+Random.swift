import RandomJobs
import TestSupport

/// Creates the script for a seed. All random numbers are drawn before the script starts.
extension EngineScript {
  private static let laneCount = 4
  /// The time in ms during which clients, operators and killers are active.
  private static let duration = 1_200
  /// The groups of the payloads.
  private static let groups = ["x", "y", "z"]
  /// The numbers that choose a run, a call or a connection from a list that is only known later.
  private static let numbers = 0..<1_000

  init(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    self.seed = seed
    holdsTransaction = Int.random(in: 0..<10, using: &dice) == 0
    plans = Self.plans(using: &dice)
    lanes = []
    (orders, kills) = ([], [])
    var number: Int64 = 0
    for lane in 0..<Self.laneCount {
      lanes.append(deals(of: lane, counting: &number, using: &dice))
    }
    orders = makeOrders(using: &dice)
    kills = makeKills(using: &dice)
  }

  // MARK: Jobs

  private static func plans(using dice: inout SeededGenerator) -> [JobPlan] {
    (0..<Int.random(in: 2...4, using: &dice)).map { number in
      var plan = JobPlan(name: "job-\(number)", kind: JobPlan.Kind.allCases.draw(using: &dice))
      plan.merging =
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: .none
        case 1: .every(.random(in: 50...400, using: &dice))
        default: quiet(using: &dice)
        }
      plan.batch = plan.kind == .step ? 1 : [1, 3, 10].draw(using: &dice)
      plan.priority = Int.random(in: 4...6, using: &dice)
      plan.attempts = Int.random(in: 2...4, using: &dice)
      plan.firstWait = Int.random(in: 5...100, using: &dice)
      plan.longestWait = plan.firstWait * 4
      plan.timeout = Int.random(in: 400...2_000, using: &dice)
      plan.keepsHistory = .random(using: &dice)
      plan.takesAllPayloads = .random(using: &dice)
      plan.hasTable = .random(using: &dice)
      if Int.random(in: 0..<3, using: &dice) == 0 {
        plan.concurrency = Int.random(in: 1...4, using: &dice)
      }
      if Int.random(in: 0..<2, using: &dice) == 0 {
        plan.groupConcurrency = Int.random(in: 1...2, using: &dice)
      }
      if Int.random(in: 0..<4, using: &dice) == 0 {
        plan.perSecond = Int.random(in: 30...100, using: &dice)
        plan.burst = Int.random(in: 1...5, using: &dice)
      }
      if Int.random(in: 0..<4, using: &dice) == 0 {
        plan.groupPerSecond = Int.random(in: 20...60, using: &dice)
      }
      return plan
    }
  }

  private static func quiet(using dice: inout SeededGenerator) -> JobPlan.Merging {
    let quiet = Int.random(in: 20...200, using: &dice)
    return .quiet(quiet, atMost: quiet * Int.random(in: 1...6, using: &dice))
  }

  // MARK: Clients

  private func deals(
    of lane: Int, counting number: inout Int64, using dice: inout SeededGenerator
  ) -> [Deal] {
    var deals: [Deal] = []
    var time = 0
    while time < Self.duration {
      let isLong = Int.random(in: 0..<6, using: &dice) == 0
      let pause = Int.random(in: 0...90, using: &dice)
      let count = Int.random(in: 1...3, using: &dice)
      let between = isLong ? Int.random(in: 20...150, using: &dice) : 0
      let calls = (0..<count).map { _ in call(counting: &number, of: lane, using: &dice) }
      deals.append(
        Deal(
          pause: pause, calls: calls, pauseBetween: between,
          isRolledBack: Int.random(in: 0..<10, using: &dice) == 0,
          isRepeatableRead: Int.random(in: 0..<8, using: &dice) == 0))
      time += pause + between * count + 5
    }
    return deals
  }

  private func call(
    counting number: inout Int64, of lane: Int, using dice: inout SeededGenerator
  ) -> Call {
    let plan = plans.draw(using: &dice)
    var way = Call.Way.allCases.draw(using: &dice)
    if way == .row, !plan.hasTable { way = .enqueue }
    let count = way.takesSeveral ? Int.random(in: 1...4, using: &dice) : 1
    let elements = (0..<count).map { _ in
      number += 1
      return element(number, of: lane, using: &dice)
    }
    return Call(job: plan.name, way: way, elements: elements)
  }

  private func element(
    _ number: Int64, of lane: Int, using dice: inout SeededGenerator
  ) -> Call.Element {
    // Only keys that end with `r` have replacing calls, so that all other keys are checked
    // strictly.
    let owner = Int.random(in: 0..<2, using: &dice) == 0 ? "all" : "lane\(lane)"
    let key = "\(owner)-\(["a", "b", "r"].draw(using: &dice))"
    let hasPayload = Int.random(in: 0..<6, using: &dice) > 0
    let isTimer = Int.random(in: 0..<4, using: &dice) == 0
    let hasPriority = Int.random(in: 0..<6, using: &dice) == 0
    return Call.Element(
      key: key, payload: hasPayload ? payload(number, using: &dice) : nil,
      runAt: isTimer ? .random(in: -50...700, using: &dice) : nil,
      priority: hasPriority ? .random(in: 3...7, using: &dice) : nil,
      replaces: key.hasSuffix("r") && Int.random(in: 0..<3, using: &dice) == 0)
  }

  private func payload(_ number: Int64, using dice: inout SeededGenerator) -> String {
    let words = ["fail", "once", "permanent", "snooze", "slow", "slow", "slow", "hang"]
    let isPlain = Int.random(in: 0..<2, using: &dice) == 0
    let what = isPlain ? "" : #", "what": "\#(words.draw(using: &dice))""#
    let group = Self.groups.draw(using: &dice)
    return #"{"call": \#(number), "group": "\#(group)"\#(what)}"#
  }

  // MARK: Operators and killers

  private func makeOrders(using dice: inout SeededGenerator) -> [Order] {
    (0..<Int.random(in: 0...14, using: &dice)).flatMap { _ -> [Order] in
      let at = Int.random(in: 50...Self.duration, using: &dice)
      let end = at + Int.random(in: 20...300, using: &dice)
      let plan = plans.draw(using: &dice)
      let key =
        "\(["all", "lane0", "lane1"].draw(using: &dice))-\(["a", "b", "r"].draw(using: &dice))"
      let number = Int.random(in: Self.numbers, using: &dice)
      switch Int.random(in: 0..<13, using: &dice) {
      case 0, 1: return [Order(at: at, action: .cancel(number))]
      case 2: return [Order(at: at, action: .retry)]
      case 3: return [Order(at: at, action: .discard)]
      case 4: return [Order(at: at, action: .rotate)]
      case 5:
        return [
          Order(at: at, action: .pause(plan.name)), Order(at: end, action: .resume(plan.name)),
        ]
      case 6: return [Order(at: at, action: .workDue(plan.name))]
      case 7: return [Order(at: at, action: .cancelCall(number))]
      case 8: return [Order(at: at, action: .retryEdited(number))]
      case 9: return limitOrders(of: plan, at: at, until: end, using: &dice)
      case 10 where plan.hasGroups:
        let group = (Self.groups + [""]).draw(using: &dice)
        return [
          Order(at: at, action: .pauseGroup(plan.name, group)),
          Order(at: end, action: .resumeGroup(plan.name, group)),
        ]
      default: return [Order(at: at, action: .work(plan.name, key))]
      }
    }
  }

  /// Returns orders that change the limits of a job for a while.
  ///
  /// Only jobs with declared limits get other limits, because the running claims of a job without
  /// limits are not counted when an operator sets the first limit.
  private func limitOrders(
    of plan: JobPlan, at: Int, until end: Int, using dice: inout SeededGenerator
  ) -> [Order] {
    guard plan.hasLimits else { return [] }
    let perGroup = plan.hasGroups ? Int.random(in: 1...3, using: &dice) : nil
    return [
      Order(
        at: at,
        action: .limit(plan.name, .random(in: 1...4, using: &dice), perGroup: perGroup)),
      Order(at: end, action: .limit(plan.name, nil, perGroup: nil)),
    ]
  }

  private func makeKills(using dice: inout SeededGenerator) -> [Kill] {
    (0..<Int.random(in: 0...10, using: &dice)).map { _ -> Kill in
      let at = Int.random(in: 150...Self.duration + 300, using: &dice)
      switch Int.random(in: 0..<6, using: &dice) {
      case 0, 1:
        return Kill(at: at, victim: .worker(.random(in: 0..<crews.count, using: &dice)))
      case 2: return Kill(at: at, victim: .stop(.random(in: 0..<crews.count, using: &dice)))
      default:
        return Kill(at: at, victim: .backend(.random(in: Self.numbers, using: &dice)))
      }
    }
  }
}

extension Array {
  fileprivate func draw(using dice: inout SeededGenerator) -> Element {
    self[Int.random(in: indices, using: &dice)]
  }
}
