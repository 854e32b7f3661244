/// A concurrency or rate limit of a job, over all workers and manual runs.
///
/// ```swift
/// limits: [.concurrency(20), .concurrency(2, per: .payload("tenant")), .perSecond(100, burst: 20)]
/// ```
/// Limits count running claims and started attempts, retries included, inside each claim's transaction. A killed
/// worker therefore cannot leave a wrong count. Work that continues after its claim has ended is not counted: what an
/// ``EffectJob`` could not end in time, and what a frozen process does later.
public struct Limit: Sendable, Hashable {
  enum Kind: Hashable {
    case concurrency(Int)
    case groupConcurrency(Int, Group)
    case rate(Rate)
  }

  /// What the runs that share a limit have in common.
  @frozen
  public enum Group: Sendable, Hashable {
    /// A field of the payload, as text.
    ///
    /// Runs without it are one group.
    case payload(String)
    /// A part of the key, counted from 1.
    ///
    /// Runs without it are one group.
    case key(part: Int, separator: String)
  }

  let kind: Kind

  /// At most `count` runs at the same time.
  public static func concurrency(_ count: Int) -> Limit {
    precondition(count > 0, "a limit lets one run at least")
    return Limit(kind: .concurrency(count))
  }

  /// At most `count` runs of each group at the same time; a full group does not delay the others.
  ///
  /// The group of a run is set from its payload when its events are dispatched.
  public static func concurrency(_ count: Int, per group: Group) -> Limit {
    precondition(count > 0, "a limit lets one run of a group at least")
    if case .key(let part, let separator) = group {
      precondition(part > 0 && !separator.isEmpty, "parts of a key are counted from 1")
    }
    return Limit(kind: .groupConcurrency(count, group))
  }

  /// At most `count` attempts start per second.
  ///
  /// In any `t` seconds, at most `burst + t * count` attempts start.
  ///
  /// - Parameter burst: the most attempts that start at the same time after a pause; 1 spreads them evenly.
  public static func perSecond(_ count: Int, burst: Int = 1) -> Limit {
    rate(count, in: .seconds(1), burst: burst)
  }

  /// At most `count` attempts start per minute, as ``perSecond(_:burst:)``.
  public static func perMinute(_ count: Int, burst: Int = 1) -> Limit {
    rate(count, in: .seconds(60), burst: burst)
  }

  /// At most `count` attempts start per hour, as ``perSecond(_:burst:)``.
  public static func perHour(_ count: Int, burst: Int = 1) -> Limit {
    rate(count, in: .seconds(3_600), burst: burst)
  }

  private static func rate(_ count: Int, in time: Duration, burst: Int) -> Limit {
    precondition((1...100_000).contains(count), "a rate is 1 to 100,000")
    precondition((1...100_000).contains(burst), "a burst is 1 to 100,000")
    let microseconds = time.components.seconds * 1_000_000
    // Rounded up, so that the rate never exceeds the declared one.
    let interval = (microseconds + Int64(count) - 1) / Int64(count)
    return Limit(kind: .rate(Rate(interval: .microseconds(interval), burst: burst)))
  }
}

/// How often attempts start.
package struct Rate: Sendable, Hashable {
  /// The time between two starts, in whole microseconds.
  package let interval: Duration
  /// The most that start at the same time.
  package let burst: Int

  package init(interval: Duration, burst: Int) {
    (self.interval, self.burst) = (interval, burst)
  }
}

/// The limits of a job, at most one of each kind.
package struct Limits: Sendable, Hashable {
  /// The most runs at the same time; nil: no limit.
  package let concurrency: Int?
  /// The most runs of one group at the same time; nil: no limit.
  package let groupConcurrency: Int?
  /// What a group is; nil: runs have no group.
  package let group: Limit.Group?
  /// How often attempts start; nil: no limit.
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
    Self.text(concurrency, groupConcurrency, of: group.map { "\($0)" }, rate)
  }

  /// The ``description`` of limits that were read from the schema, where a group is a text.
  package static func text(
    _ concurrency: Int?, _ groupConcurrency: Int?, of group: String?, _ rate: Rate?
  ) -> String {
    let limits = [
      concurrency.map { "\($0) at once" },
      groupConcurrency.map { "\($0) of each \(group ?? "")" },
      rate.map { "a start each \($0.interval), \($0.burst) at once" },
    ].compactMap(\.self)
    return limits.isEmpty ? "none" : limits.joined(separator: ", ")
  }
}

extension Limit.Group: CustomStringConvertible {
  /// For people: the field, or the part of the key.
  public var description: String {
    switch self {
    case .payload(let field): field
    case .key(let part, let separator): "part \(part) of the key between '\(separator)'"
    }
  }
}
