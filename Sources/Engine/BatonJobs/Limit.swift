/// A concurrency or rate limit of a job, which applies across all workers and manual runs.
///
/// ```swift
/// limits: [.concurrency(20), .concurrency(2, per: .payload("tenant")), .perSecond(100, burst: 20)]
/// ```
/// Each claim's transaction counts the running claims and the started attempts, including retries.
/// A killed worker cannot corrupt the count. If code continues to run after its claim has ended,
/// limits do not count this code. An ``EffectJob`` that does not stop in time, or a process that is
/// suspended and resumed, can outlive its claim.
public struct Limit: Sendable, Hashable {
  enum Kind: Hashable {
    case concurrency(Int)
    case groupConcurrency(Int, Group)
    case rate(Rate)
    case groupRate(Rate, Group)
  }

  /// The property by which runs are grouped for a limit.
  @frozen
  public enum Group: Sendable, Hashable {
    /// Runs are grouped by a payload field, as text.
    ///
    /// All runs without this field form one group.
    case payload(String)
    /// Runs are grouped by a part of the key between separators.
    ///
    /// The first part is number 1.
    ///
    /// All runs without this part form one group.
    case key(part: Int, separator: String)
  }

  let kind: Kind

  /// Returns a limit of `count` concurrent runs.
  public static func concurrency(_ count: Int) -> Limit {
    precondition(count > 0, "a limit lets one run at least")
    return Limit(kind: .concurrency(count))
  }

  /// Returns a limit of `count` concurrent runs per group.
  ///
  /// A group that has reached its limit does not delay other groups. A run's group is computed when
  /// the run's events are dispatched.
  public static func concurrency(_ count: Int, per group: Group) -> Limit {
    precondition(count > 0, "a limit lets one run of a group at least")
    group.check()
    return Limit(kind: .groupConcurrency(count, group))
  }

  /// Returns a rate limit of `count` started attempts per second.
  ///
  /// In any period of `t` seconds, at most `burst + t * count` attempts start.
  ///
  /// - Parameter burst: the maximum number of attempts that start simultaneously after a pause. A
  ///   burst of 1 spreads the attempts evenly.
  public static func perSecond(_ count: Int, burst: Int = 1) -> Limit {
    Limit(kind: .rate(rate(count, in: .seconds(1), burst: burst)))
  }

  /// Returns a rate limit of `count` started attempts per minute, with a burst as in
  /// ``perSecond(_:burst:)``.
  public static func perMinute(_ count: Int, burst: Int = 1) -> Limit {
    Limit(kind: .rate(rate(count, in: .seconds(60), burst: burst)))
  }

  /// Returns a rate limit of `count` started attempts per hour, with a burst as in
  /// ``perSecond(_:burst:)``.
  public static func perHour(_ count: Int, burst: Int = 1) -> Limit {
    Limit(kind: .rate(rate(count, in: .seconds(3_600), burst: burst)))
  }

  /// Returns a rate limit of `count` started attempts per second for each group.
  ///
  /// In any period of `t` seconds, at most `burst + t * count` of a group's attempts start. A group
  /// that has reached its rate limit does not delay other groups.
  ///
  /// - Parameters:
  ///   - burst: the maximum number of a group's attempts that start simultaneously after a pause.
  ///   - group: the property by which runs are grouped. All limits of a job must use the same
  ///     property.
  public static func perSecond(_ count: Int, burst: Int = 1, per group: Group) -> Limit {
    rate(count, in: .seconds(1), burst: burst, per: group)
  }

  /// Returns a rate limit of `count` started attempts per minute for each group, with a burst as in
  /// ``perSecond(_:burst:per:)``.
  public static func perMinute(_ count: Int, burst: Int = 1, per group: Group) -> Limit {
    rate(count, in: .seconds(60), burst: burst, per: group)
  }

  /// Returns a rate limit of `count` started attempts per hour for each group, with a burst as in
  /// ``perSecond(_:burst:per:)``.
  public static func perHour(_ count: Int, burst: Int = 1, per group: Group) -> Limit {
    rate(count, in: .seconds(3_600), burst: burst, per: group)
  }

  private static func rate(
    _ count: Int, in time: Duration, burst: Int, per group: Group
  ) -> Limit {
    group.check()
    return Limit(kind: .groupRate(rate(count, in: time, burst: burst), group))
  }

  private static func rate(_ count: Int, in time: Duration, burst: Int) -> Rate {
    precondition((1...100_000).contains(count), "a rate is 1 to 100,000")
    precondition((1...100_000).contains(burst), "a burst is 1 to 100,000")
    let microseconds = time.components.seconds * 1_000_000
    // The interval is rounded up so that the actual rate never exceeds the declared rate.
    let interval = (microseconds + Int64(count) - 1) / Int64(count)
    return Rate(interval: .microseconds(interval), burst: burst)
  }
}

/// A rate limit, which determines how often attempts may start.
package struct Rate: Sendable, Hashable {
  /// The time between two starts, in whole microseconds.
  package let interval: Duration
  /// The maximum number of attempts that start simultaneously.
  package let burst: Int

  package init(interval: Duration, burst: Int) {
    (self.interval, self.burst) = (interval, burst)
  }
}

/// The limits of a job, at most one of each kind.
package struct Limits: Sendable, Hashable {
  /// The maximum number of concurrent runs, or nil if unlimited.
  package let concurrency: Int?
  /// The maximum number of concurrent runs per group, or nil if unlimited.
  package let groupConcurrency: Int?
  /// The property by which runs are grouped, or nil if runs have no group.
  package let group: Limit.Group?
  /// The rate limit for started attempts, or nil if unlimited.
  package let rate: Rate?
  /// The rate limit for started attempts per group, or nil if unlimited.
  package let groupRate: Rate?

  init(_ limits: [Limit], of name: String) {
    var (concurrency, groupConcurrency) = (Int?.none, Int?.none)
    var (rate, groupRate) = (Rate?.none, Rate?.none)
    var groups: Set<Limit.Group> = []
    for limit in limits {
      let isFirst: Bool
      switch limit.kind {
      case .concurrency(let count): (isFirst, concurrency) = (concurrency == nil, count)
      case .groupConcurrency(let count, let group):
        (isFirst, groupConcurrency) = (groupConcurrency == nil, count)
        groups.insert(group)
      case .rate(let of): (isFirst, rate) = (rate == nil, of)
      case .groupRate(let of, let group):
        (isFirst, groupRate) = (groupRate == nil, of)
        groups.insert(group)
      }
      precondition(isFirst, "\(name): each kind of limit is given once")
    }
    precondition(groups.count <= 1, "\(name): all limits per group have the same group")
    (self.concurrency, self.groupConcurrency) = (concurrency, groupConcurrency)
    (self.group, self.rate, self.groupRate) = (groups.first, rate, groupRate)
  }
}

extension Limits: CustomStringConvertible {
  /// The limits as readable text, such as
  /// `50 concurrent runs, 2 concurrent runs of each tenant, a start every 0.1 seconds with burst 5`.
  package var description: String {
    Self.text(concurrency, groupConcurrency, of: group.map { "\($0)" }, rate, groupRate)
  }

  /// Returns the ``description`` of limits that were read from the schema.
  package static func text(
    _ concurrency: Int?, _ groupConcurrency: Int?, of group: String?, _ rate: Rate?,
    _ groupRate: Rate?
  ) -> String {
    let limits = [
      concurrency.map { runs($0) },
      groupConcurrency.map { "\(runs($0)) of each \(group ?? "")" },
      rate.map { "a start every \($0.interval) with burst \($0.burst)" },
      groupRate.map {
        "a start of each \(group ?? "") every \($0.interval) with burst \($0.burst)"
      },
    ].compactMap(\.self)
    return limits.isEmpty ? "none" : limits.joined(separator: ", ")
  }

  private static func runs(_ count: Int) -> String {
    count == 1 ? "1 concurrent run" : "\(count) concurrent runs"
  }
}

extension Limit.Group {
  fileprivate func check() {
    guard case .key(let part, let separator) = self else { return }
    precondition(part > 0 && !separator.isEmpty, "parts of a key are counted from 1")
  }
}

extension Limit.Group: CustomStringConvertible {
  /// The payload field or the key part, as readable text.
  public var description: String {
    switch self {
    case .payload(let field): field
    case .key(let part, let separator): "part \(part) of the key between '\(separator)'"
    }
  }
}
