extension Schedule {
  /// The approximate range of PostgreSQL's timestamps.
  ///
  /// A schedule has no occurrences outside this range.
  private static let years: ClosedRange<Int64> = -200_000_000_000...9_000_000_000_000

  /// Returns the first occurrence after an instant, or nil if no occurrence follows.
  package func next(after instant: Int64) -> Int64? {
    guard Self.years.contains(instant) else { return nil }
    let next: Int64? =
      switch rule {
      // An interval beyond this range has no next occurrence, and the multiplication in the next
      // case could overflow.
      case .every(let seconds) where seconds > Self.years.upperBound: nil
      case .every(let seconds): (floorDivide(instant, seconds) + 1) * seconds
      case .cron(let cron, let zone) where cron.firesInEveryHour:
        Self.nextInRealTime(cron, zone, after: instant)
      case .cron(let cron, let zone): Self.nextOnWallClock(cron, zone, after: instant)
      }
    return next.flatMap { Self.years.contains($0) ? $0 : nil }
  }

  /// Returns the occurrences after `start` up to and including `end`, oldest first, at most
  /// `limit`.
  package func occurrences(after start: Int64, through end: Int64, limit: Int) -> [Int64] {
    var found: [Int64] = []
    var instant = start
    while found.count < limit, let next = next(after: instant), next <= end {
      found.append(next)
      instant = next
    }
    return found
  }

  /// Returns the newest occurrence after `start` up to and including `end`, or nil if no occurrence
  /// is in this range.
  ///
  /// The search goes backwards in windows of increasing size, so a long range takes as little time
  /// as a short range.
  package func newest(after start: Int64, through end: Int64) -> Int64? {
    if case .every(let seconds) = rule {
      let newest = floorDivide(end, seconds) * seconds
      return newest > start ? newest : nil
    }
    var window: Int64 = 3600
    while true {
      let from = max(start, end - window)
      if let newest = occurrences(after: from, through: end, limit: .max).last { return newest }
      guard from > start else { return nil }
      window *= 2
    }
  }

  /// Returns the next occurrence of an expression that follows the wall clock.
  ///
  /// Later wall-clock times never map to earlier instants, so the first candidate after `instant`
  /// is the next occurrence. When clocks are set back, a repeated wall-clock time maps to its first
  /// instant. Because this first instant is not after `instant`, the search skips the repeated
  /// time.
  private static func nextOnWallClock(_ cron: Cron, _ zone: Zone, after instant: Int64) -> Int64? {
    var minute = floorDivide(instant + zone.offset(at: instant), 60) + 1
    while let next = cron.firstMinute(from: minute) {
      let candidate = zone.firstInstant(showing: next * 60)
      if candidate > instant { return candidate }
      minute = next + 1
    }
    return nil
  }

  /// Returns the next occurrence of an expression that follows real time.
  ///
  /// The search moves from one change of the zone's offset to the next, because the offset is
  /// constant between two changes.
  private static func nextInRealTime(_ cron: Cron, _ zone: Zone, after instant: Int64) -> Int64? {
    var start = instant + 1
    while true {
      let offset = zone.offset(at: start)
      let minute = floorDivide(start + offset + 59, 60)
      guard let found = cron.firstMinute(from: minute) else { return nil }
      let candidate = found * 60 - offset
      // If the candidate is far in the future, only offset changes near the candidate matter, so
      // earlier changes are skipped.
      let near = candidate - 4 * 86_400
      if near > start {
        start = near
        continue
      }
      guard let change = zone.firstChange(after: start, through: candidate) else {
        return candidate
      }
      start = change
    }
  }
}
