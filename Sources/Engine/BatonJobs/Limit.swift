/// What holds for the runs of a job over all workers and runs by hand.
///
/// ```swift
/// limits: [.concurrency(20), .concurrency(2, per: .payload("tenant")), .perSecond(100, burst: 20)]
/// ```
/// Counted are claims that live and attempts that start, retries too, in the transaction of each claim: nothing is
/// left behind by a worker that is killed. What its job could not end in time (see ``EffectJob``) and what a frozen
/// process does later is not counted any more.
public struct Limit: Sendable, Hashable {
  enum Kind: Hashable {
    case concurrency(Int)
    case groupConcurrency(Int, Group)
    case rate(Rate)
  }

  /// What runs have in common that share a limit.
  @frozen
  public enum Group: Sendable, Hashable {
    /// A field of the payload, as text. Runs without it are one group.
    case payload(String)
    /// A part of the key, counted from 1. Runs without it are one group.
    case key(part: Int, separator: String)
  }

  let kind: Kind

  /// At most so many runs at the same time.
  public static func concurrency(_ count: Int) -> Limit {
    precondition(count > 0, "a limit lets one run at least")
    return Limit(kind: .concurrency(count))
  }

  /// At most so many runs of a group at the same time; a group that is full holds up no other.
  ///
  /// A run's group is that of its payload when its events are folded.
  public static func concurrency(_ count: Int, per group: Group) -> Limit {
    precondition(count > 0, "a limit lets one run of a group at least")
    if case .key(let part, let separator) = group {
      precondition(part > 0 && !separator.isEmpty, "parts of a key are counted from 1")
    }
    return Limit(kind: .groupConcurrency(count, group))
  }

  /// At most so many attempts begin a second: in a time `t` no more than `burst + t * count`.
  ///
  /// - Parameter burst: the most that begin at once, after a time without any; 1: they are evenly spread.
  public static func perSecond(_ count: Int, burst: Int = 1) -> Limit {
    rate(count, in: .seconds(1), burst: burst)
  }

  /// At most so many attempts begin a minute, as ``perSecond(_:burst:)``.
  public static func perMinute(_ count: Int, burst: Int = 1) -> Limit {
    rate(count, in: .seconds(60), burst: burst)
  }

  /// At most so many attempts begin an hour, as ``perSecond(_:burst:)``.
  public static func perHour(_ count: Int, burst: Int = 1) -> Limit {
    rate(count, in: .seconds(3_600), burst: burst)
  }

  private static func rate(_ count: Int, in time: Duration, burst: Int) -> Limit {
    precondition((1...100_000).contains(count), "a rate is 1 to 100,000")
    precondition((1...100_000).contains(burst), "a burst is 1 to 100,000")
    let microseconds = time.components.seconds * 1_000_000
    // Rounded up: never more than was said.
    let interval = (microseconds + Int64(count) - 1) / Int64(count)
    return Limit(kind: .rate(Rate(interval: .microseconds(interval), burst: burst)))
  }
}

/// How often attempts begin.
package struct Rate: Sendable, Hashable {
  /// One start in so much time, in whole microseconds.
  package let interval: Duration
  /// The most at once.
  package let burst: Int
}

/// The limits of a job, each kind once at most.
package struct Limits: Sendable, Hashable {
  /// The most runs at the same time; nil: any number.
  package let concurrency: Int?
  /// The most runs of a group at the same time; nil: any number.
  package let groupConcurrency: Int?
  /// What a group is; nil: runs have none.
  package let group: Limit.Group?
  /// How often attempts begin; nil: as often as they can.
  package let rate: Rate?

  init(_ limits: [Limit], of name: String) {
    var (concurrency, groupConcurrency, group, rate) = (
      Int?.none, Int?.none, Limit.Group?.none, Rate?.none
    )
    for limit in limits {
      let isFirst: Bool
      switch limit.kind {
      case .concurrency(let count): (isFirst, concurrency) = (concurrency == nil, count)
      case .groupConcurrency(let count, let of):
        (isFirst, groupConcurrency, group) = (groupConcurrency == nil, count, of)
      case .rate(let of): (isFirst, rate) = (rate == nil, of)
      }
      precondition(isFirst, "\(name): each kind of limit is given once")
    }
    (self.concurrency, self.groupConcurrency) = (concurrency, groupConcurrency)
    (self.group, self.rate) = (group, rate)
  }
}

extension Limits: CustomStringConvertible {
  /// For people: `50 at once, 2 of each tenant, a start each 0.1 seconds, 5 at once`.
  package var description: String {
    let parts = [
      concurrency.map { "\($0) at once" },
      groupConcurrency.map { "\($0) of each \(group.map { "\($0)" } ?? "")" },
      rate.map { "a start each \($0.interval), \($0.burst) at once" },
    ]
    let limits = parts.compactMap(\.self)
    return limits.isEmpty ? "none" : limits.joined(separator: ", ")
  }
}

extension Limit.Group: CustomStringConvertible {
  /// For people: the field, or the part.
  public var description: String {
    switch self {
    case .payload(let field): field
    case .key(let part, let separator): "part \(part) of the key between '\(separator)'"
    }
  }
}
